import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MqttClient } from 'mqtt';
import { describe, expect, test } from 'vitest';
import { bridgeEnv, startBridgeProcess, untilConnected, type BridgeProcess } from '../support/bridge.ts';
import { connectBoard } from '../support/brokers.ts';
import { fewOrMany, shareOrAll } from '../../support/counts.ts';
import { startIngest } from '../support/ingest.ts';
import { freshFolder, until } from '../support/processes.ts';
import { startDoor, type Door } from './proxies.ts';
import { seededRandom } from '../../../local/boards/seeded-random.ts';
import { anyBroker, seeds } from './support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const shim = pathToFileURL(join(import.meta.dirname, '../support/wrong-wall-clock.ts')).href;

const wrongClocks: Record<string, () => number> = {
  right: () => 0,
  'an hour slow': () => -HOUR,
  'an hour fast': () => HOUR,
  'two minutes slow': () => -2 * MINUTE,
  'a day slow': () => -DAY,
  'a day fast': () => DAY,
  'at 1970': () => -Date.now(),
  'at 2106': () => Date.UTC(2106, 1, 7) - Date.now(),
};

/** Publishes readings of boards with right, wrong and no clocks; readings with a datetime twice. */
async function speak(
  board: MqttClient,
  plant: string,
): Promise<{ began: number; times: (number | undefined)[] }> {
  const began = Date.now();
  const said: [time: number | undefined, seq?: number][] = [
    [undefined],
    [undefined, 1],
    [began, 2],
    [began - 1000],
    [began - 50 * MINUTE],
    [began - 3 * DAY, 3],
    [began + HOUR, 4],
    [began + DAY],
    [1000, 5],
    [Date.UTC(2106, 1, 7)],
  ];
  for (const [value, [time, seq]] of said.entries()) {
    const datetime = time === undefined ? undefined : new Date(time).toISOString();
    const payload = JSON.stringify({ soil_moisture: value, datetime, seq });
    for (let n = 0; n < (time === undefined ? 1 : 2); n++) {
      await board.publishAsync(`lab/plants/${plant}/soil_moisture`, payload, { qos: 1 });
    }
  }
  return { began, times: said.map(([time]) => time) };
}

type Parts = { door: Door; env: Record<string, string>; say: () => Promise<void> };

async function connected(env: Parts['env']): Promise<BridgeProcess> {
  const bridge = await startBridgeProcess(env);
  await untilConnected(bridge);
  return bridge;
}

/** Ways in which readings come to the worker. After each, the bridge runs and the worker is reachable. */
const ways: Record<string, (parts: Parts) => Promise<BridgeProcess>> = {
  'at once': async ({ env, say }) => {
    const bridge = await connected(env);
    await say();
    return bridge;
  },
  late: async ({ door, env, say }) => {
    door.shut(true);
    const bridge = await connected(env);
    await say();
    door.shut(false);
    return bridge;
  },
  'late, when the clock was set meanwhile,': async ({ door, env, say }) => {
    door.shut(true);
    const bridge = await connected(env);
    await say();
    bridge.child.kill('SIGUSR2');
    door.shut(false);
    return bridge;
  },
  'after the clock was set, without contact,': async ({ door, env, say }) => {
    const bridge = await connected(env);
    door.shut(true);
    bridge.child.kill('SIGUSR2');
    await say();
    door.shut(false);
    return bridge;
  },
  'from a bridge that was killed, by one whose clock is right,': async ({ door, env, say }) => {
    door.shut(true);
    const first = await connected(env);
    await say();
    await first.end('SIGKILL');
    door.shut(false);
    return startBridgeProcess({ ...env, WALL_CLOCK_OFF: '0' });
  },
  'twice, because an answer was lost,': async ({ door, env, say }) => {
    let answers = 0;
    door.meddleWith(async (_request, response, forward) => {
      const { status, text } = await forward();
      answers += 1;
      if (answers === 1) response.destroy();
      else response.writeHead(status).end(text);
    });
    const bridge = await connected(env);
    await say();
    return bridge;
  },
};

describe('fault 11: the bridge’s clock', () => {
  test.each(
    shareOrAll(3, Object.entries(ways)).flatMap(([name, way]) =>
      seeds.map((seed) => [name, seed, way] as const),
    ),
  )(
    'FAULT-11 ING-3 whatever the bridge’s wall clock says, what comes %s is stored once, at its own hour (seed %d)',
    async (name, seed, way) => {
      const [ingest, broker] = await Promise.all([startIngest(), anyBroker()]);
      const board = await connectBoard(broker);
      const random = seededRandom(seed + name.length);
      const clocks = Object.entries(wrongClocks)
        .map(([clock, off]) => ({ clock, off, order: random() }))
        .sort((a, b) => a.order - b.order)
        .slice(0, fewOrMany(1, 8));
      for (const { clock, off } of clocks) {
        const plant = clock.replaceAll(' ', '-');
        const door = await startDoor(ingest.url);
        const env = {
          ...bridgeEnv(broker, door.url, freshFolder()),
          NODE_OPTIONS: `--import=${shim}`,
          WALL_CLOCK_OFF: String(off()),
          WALL_CLOCK_THEN: String(off() === 0 ? HOUR : 0),
        };
        let spoken: Awaited<ReturnType<typeof speak>> | undefined;
        const say = async () => {
          spoken = await speak(board, plant);
        };
        const bridge = await way({ door, env, say });
        const { began = 0, times = [] } = spoken ?? {};
        const stored = async () => (await ingest.readings()).filter((row) => row.plant === plant);
        await until(`${clock}: all stored`, async () => {
          const values = new Set((await stored()).map(({ soil_moisture }) => soil_moisture));
          return values.size === times.length && (await bridge.health()).spool_depth === 0;
        });
        const ended = Date.now();
        await bridge.end();

        const rows = (await stored()).sort((a, b) => a.soil_moisture - b.soil_moisture);
        expect(rows.map(({ soil_moisture }) => soil_moisture)).toEqual([...times.keys()]);
        for (const [value, time] of times.entries()) {
          const row = rows[value];
          const isRight = time !== undefined && time > Date.UTC(2015, 0, 1) && time <= began;
          // The worker takes two messages of the same millisecond for one message, with one clock.
          if (rows.some((other) => other !== row && other.received_at === row?.received_at)) continue;
          expect(row?.refused_time).toBe(isRight || time === undefined ? null : time);
          expect(row?.measured_at).toBe(isRight ? time : row?.received_at);
          // The receipt time may be wrong by half of the round trip to the worker.
          expect(row?.received_at).toBeGreaterThan(began - MINUTE / 2);
          expect(row?.received_at).toBeLessThan(ended + MINUTE / 2);
        }
      }
    },
  );
});
