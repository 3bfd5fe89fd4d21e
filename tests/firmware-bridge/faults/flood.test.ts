import { statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { MqttClient } from 'mqtt';
import { describe, expect, test } from 'vitest';
import { boardCommand } from '../../../firmware-bridge/src/commands/board-command.ts';
import { fewOrMany } from '../../support/counts.ts';
import { startBridge, startBridgeProcess, untilConnected, type Bridge } from '../support/bridge.ts';
import { startIngest, type Ingest } from '../support/ingest.ts';
import { until } from '../support/processes.ts';
import { bridgeSettings, connectAs, startSecureBroker } from '../support/secure-broker.ts';
import { hasMosquitto, passwordIn } from '../support/shipped-mosquitto.ts';

const MEGABYTE = 1024 * 1024;

const BURST = fewOrMany(1000, 50_000);

/** The default limits in a full run; in a short run a fraction of them, with smaller floods. */
const limits = {
  burst: BURST,
  perMinute: fewOrMany(600, 60),
  waiting: 4 * BURST,
  megabytes: fewOrMany(1, 20),
};
const PER_MESSAGE = fewOrMany(1000, 13_000);
const FLOOD_MS = fewOrMany(3000, 60_000);

const settingsOfQuota = {
  BOARD_QUOTA_READINGS: String(limits.burst),
  BOARD_QUOTA_PER_MINUTE: String(limits.perMinute),
  HEARTBEAT_SECONDS: '1',
};

const began = Date.UTC(2026, 2, 2);
const numbered = (count: number, from: number) =>
  Array.from({ length: count }, (_, n) => ({
    soil_moisture: n % 1024,
    seq: from + n,
    datetime: new Date(began + from + n).toISOString(),
  }));

/** Two boards with passwords at the shipped Mosquitto, and a bridge. */
async function startBoards<Running extends Bridge>(run: (env: Record<string, string>) => Promise<Running>) {
  const [ingest, broker] = await Promise.all([startIngest(), startSecureBroker()]);
  const settings: Record<string, string> = { ...bridgeSettings(broker, ingest.url), ...settingsOfQuota };
  const board = async (plant: string) =>
    connectAs(broker, plant, passwordIn(boardCommand(['add', plant], broker.env).text));
  const boards = { moss: await board('moss'), fern: await board('fern') };
  const bridge = await run(settings);
  await untilConnected(bridge);
  return { ingest, settings, boards, bridge };
}

const send = (board: MqttClient, plant: string, payload: string) =>
  board.publishAsync(`lab/plants/${plant}/soil_moisture`, payload, { qos: 1 });

/** How many readings of each plant are in D1. */
function counter(ingest: Ingest) {
  const db = ingest.openFile({ readOnly: true });
  const count = db.prepare(
    'SELECT count(*) AS n FROM plant_readings JOIN plants ON plants.id = plant_id WHERE name = ?',
  );
  return { of: (plant: string) => Number(count.get(plant)?.['n']), close: () => db.close() };
}

/** Sends readings of another board, one after another, until `isOver`. @returns how long each took into D1 */
async function neighbour(board: MqttClient, stored: ReturnType<typeof counter>, isOver: () => boolean) {
  const delays: number[] = [];
  for (let seq = 0; !isOver(); seq++) {
    const sentAt = performance.now();
    await send(board, 'fern', JSON.stringify(numbered(1, seq)[0]));
    await until('the neighbour’s reading', () => stored.of('fern') > seq);
    delays.push(performance.now() - sentAt);
    await wait(50);
  }
  return delays;
}

describe.skipIf(!hasMosquitto)('a board that floods Mosquitto as it is shipped', () => {
  test('SEC-46 ING-9 with large messages: D1 takes its quota, its neighbour is heard, and what waits outlives a kill of the bridge', async () => {
    const { ingest, settings, boards, bridge } = await startBoards(startBridgeProcess);
    const stored = counter(ingest);
    let isOver = false;
    const started = performance.now();
    const listening = neighbour(boards.fern, stored, () => isOver);
    let sent = 0;
    while (performance.now() - started < FLOOD_MS) {
      await send(boards.moss, 'moss', JSON.stringify(numbered(PER_MESSAGE, sent)));
      sent += PER_MESSAGE;
    }
    isOver = true;
    const delays = (await listening).toSorted((a, b) => a - b);
    process.stdout.write(
      `\nflood of ${sent} readings: the neighbour's ${delays.length} took ${delays[delays.length >> 1]?.toFixed(0)} ms, at most ${delays.at(-1)?.toFixed(0)} ms\n`,
    );
    const most = () => limits.burst + ((performance.now() - started) * limits.perMinute) / 60_000 + 1;
    await until('its burst stored', () => stored.of('moss') >= limits.burst, 120_000);
    expect(stored.of('moss')).toBeLessThanOrEqual(most());

    const report = await bridge.health();
    const [moss] = report.over_quota ?? [];
    expect(report).toMatchObject({ ok: true, over_quota: [{ plant: 'moss' }] });
    expect(moss?.waiting).toBeLessThanOrEqual(limits.waiting);
    expect(moss?.refused).toBe(report.dead_letter_readings);
    expect(moss?.refused).toBeGreaterThan(0);
    expect(report.dead_letters).toBe((moss?.refused ?? 0) / PER_MESSAGE);
    expect(statSync(settings['SPOOL_FILE'] ?? '').size).toBeLessThan((limits.megabytes + 40) * MEGABYTE);
    expect(bridge.output().split('"quota_exceeded"')).toHaveLength(2);
    await until('told', async () => (await ingest.heartbeat())?.over_quota?.includes('"moss"'));

    await bridge.end('SIGKILL');
    const before = stored.of('moss');
    const again = await startBridge(settings);
    await untilConnected(again);
    expect((await again.health()).over_quota).toMatchObject([{ plant: 'moss', refused: moss?.refused }]);
    await until('more of it as its tokens come back', () => stored.of('moss') > before);
    await send(boards.fern, 'fern', JSON.stringify(numbered(1, 1_000_000)[0]));
    await until('its neighbour', () => stored.of('fern') === delays.length + 1);
    expect(stored.of('moss')).toBeLessThanOrEqual(most());
    const { waiting } = await again.health().then(({ over_quota }) => over_quota?.[0] ?? { waiting: 0 });
    // Each reading is in D1, in the spool, waiting or refused: none is lost, and none is stored twice.
    await until('accounted for', async () => {
      const { spool_depth, waiting_for_quota } = await again.health();
      return (
        stored.of('moss') + (spool_depth ?? 0) + (waiting_for_quota ?? 0) + (moss?.refused ?? 0) === sent
      );
    });
    expect(waiting).toBeGreaterThan(0);
    stored.close();
  });

  test('SEC-46 with 200 KB of garbage, and messages full of it: one counted dead letter each, and a bounded disk', async () => {
    const { ingest, settings, boards, bridge } = await startBoards(startBridge);
    const stored = counter(ingest);
    const messages = fewOrMany(40, 500);
    const garbage = ['x'.repeat(200_000), `[${'"",'.repeat(49_000)}""]`, '1e9,'.repeat(50_000)];
    for (let n = 0; n < messages; n++) await send(boards.moss, 'moss', garbage[n % 3] ?? '');
    await send(boards.fern, 'fern', '512');
    await until('its neighbour', () => stored.of('fern') === 1);
    // Some messages still wait for their quota, and are not decoded yet.
    await until('dead', async () => {
      const { dead_letters, spool_depth } = await bridge.health();
      return spool_depth === 0 && (dead_letters ?? 0) >= messages - 5;
    });
    expect((await bridge.health()).dead_letters).toBeLessThanOrEqual(messages);
    expect(statSync(settings['SPOOL_FILE'] ?? '').size).toBeLessThan((limits.megabytes + 20) * MEGABYTE);
    expect(bridge.output()).not.toMatch(/broker_lost|spool_(?!opened)|broken/);
    stored.close();
  });
});
