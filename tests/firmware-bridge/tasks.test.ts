import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  bridgeTaskResultSchema,
  type BridgeTask,
  type OpenBridgeTask,
  type BridgeTaskResult,
} from '#contract/bridges';
import { boardCommand } from '../../firmware-bridge/src/commands/board-command.ts';
import { deadLetterCommand } from '../../firmware-bridge/src/commands/dead-letters-command.ts';
import { readConfig } from '../../firmware-bridge/src/config.ts';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { createBridgeTaskRunner } from '../../firmware-bridge/src/bridge-tasks.ts';
import { newBoardPassword, withPassword } from '../../web/src/features/health/bridges/board-password.ts';
import { startBridgeProcess, untilConnected } from './support/bridge.ts';
import { BRIDGE, startIngest, type Ingest } from './support/ingest.ts';
import { freshFolder, until } from './support/processes.ts';
import { bridgeSettings, connectAs, startSecureBroker } from './support/secure-broker.ts';
import { hasMosquitto, placeCertificate } from './support/shipped-mosquitto.ts';

/** Gives the bridge a task through D1, as the API does, and waits for the result. */
async function askedOf(ingest: Ingest, task: BridgeTask): Promise<BridgeTaskResult> {
  const id = ++asked;
  await ingest.run(
    `INSERT INTO bridge_tasks (id, bridge_id, task, created_at)
     VALUES (${id}, '${DESK}', '${JSON.stringify(task)}', ${Date.now()})`,
  );
  const db = ingest.openFile({ readOnly: true });
  try {
    const find = db.prepare('SELECT result FROM bridge_tasks WHERE id = ?');
    await until('a result', () => find.get(id)?.['result'] != null);
    return bridgeTaskResultSchema.parse(JSON.parse(String(find.get(id)?.['result'])));
  } finally {
    db.close();
  }
}
let asked = 0;
/** Another bridge's name: a bridge of another test that is still stopping would take the tasks. */
const DESK = 'desk';

describe.skipIf(!hasMosquitto)('beside Mosquitto as it is shipped', () => {
  test('OPS-17 a board made in the browser connects with the password of its files, and is stored; its entry alone was sent', async () => {
    const [ingest, broker] = await Promise.all([startIngest(), startSecureBroker()]);
    await ingest.run(
      `INSERT OR IGNORE INTO bridge_keys (bridge_id, key, created_at) VALUES ('${DESK}', '${BRIDGE.key}', ${Date.now()})`,
    );
    const bridge = await startBridgeProcess({
      ...bridgeSettings(broker, ingest.url, DESK),
      ...broker.env,
      BOARDS_MQTT_URL: 'mqtts://broker.lab.example:8883',
      HEARTBEAT_SECONDS: '1',
    });
    await untilConnected(bridge);
    const { password, entry } = await newBoardPassword();
    const program = 'micropython';
    const made = await askedOf(ingest, { kind: 'board_add', plant: '고사리', program, entry });
    expect(made).toMatchObject({ ok: true, text: expect.stringContaining('The broker was told to reload.') });
    const files = withPassword(made.files ?? [], password);
    expect(files.map(({ path }) => path)).toContain('main.py');
    const settings = files.find(({ path }) => path === 'settings.py')?.text ?? '';
    expect(settings).toContain(`PASSWORD = "${password}"`);
    expect(settings).toContain('BROKER = "broker.lab.example"');

    const board = await connectAs(broker, '고사리', password);
    await board.publishAsync('lab/plants/고사리/soil_moisture', '512', { qos: 1 });
    await until('stored', async () => (await ingest.count()) === 1);
    expect(await ingest.readings()).toMatchObject([{ plant: '고사리', soil_moisture: 512 }]);

    const revoked = await askedOf(ingest, { kind: 'board_revoke', plant: '고사리' });
    expect(revoked).toMatchObject({ ok: true });
    await expect(connectAs(broker, '고사리', password)).rejects.toThrow(/authori[sz]ed/i);
    expect(await askedOf(ingest, { kind: 'board_revoke', plant: '고사리' })).toEqual({
      ok: false,
      text: '고사리 has no password',
    });
  });
});

/** The tasks of a bridge with these variables, with its spool in a new folder. */
function tasksOf(env: Record<string, string>) {
  const folder = freshFolder();
  const file = join(folder, 'spool.sqlite');
  const spool = openSpool(file);
  onTestFinished(() => spool.close());
  const config = readConfig({
    MQTT_URL: 'mqtt://127.0.0.1',
    BRIDGE_ID: BRIDGE.id,
    BRIDGE_KEY: BRIDGE.key,
    INGEST_URL: 'http://127.0.0.1',
    SPOOL_FILE: file,
    ...env,
  });
  if ('problems' in config) throw new Error(config.problems.join());
  const way = {
    spool: () => spool,
    wake: () => undefined,
    status: () => spool.status(),
    filedDeadLetters: () => 0,
  };
  let number = 0;
  const tasks = createBridgeTaskRunner(config, way, () => undefined);
  const ask = async (task: OpenBridgeTask['task'], id = ++number) => {
    tasks.given([{ id, task }]);
    await vi.waitFor(() => expect(tasks.result()).toBeDefined(), { timeout: 30_000 });
    const result = tasks.result();
    tasks.told();
    return result;
  };
  const heard = (payload: string) =>
    spool.commit([
      {
        topic: 'lab/plants/fern/soil_moisture',
        payload: Buffer.from(payload),
        retained: false,
        receivedAt: Date.now(),
        stampedBy: 'server',
      },
    ]);
  return { folder, file, spool, ask, heard, kinds: tasks.kinds, tasks };
}

test('OPS-17 dead letters are listed, replayed and repaired, as by the command', async () => {
  const { ask, heard, spool, file } = tasksOf({});
  for (const payload of ['wet', '51 2', '5000', 'x'.repeat(5000)]) heard(payload);
  const listed = await ask({ kind: 'dead_letters' });
  expect(listed?.letters?.map(({ payload }) => payload)).toEqual(['wet', '51 2', '5000', null]);
  expect(listed?.more).toBe(0);
  const [first = 0, second = 0, third = 0] = listed?.letters?.map(({ id }) => id) ?? [];
  // Nothing has changed, so they are refused again and get other ids.
  expect(await ask({ kind: 'replay', ids: [third] })).toMatchObject({ ok: true });
  expect(await ask({ kind: 'replay', ids: [999] })).toMatchObject({
    ok: false,
    text: expect.stringContaining('no dead letter has the id 999'),
  });
  expect(await ask({ kind: 'repair', id: first, payload: 'dry' })).toMatchObject({ ok: false });
  expect(await ask({ kind: 'repair', id: second, payload: '512' })).toMatchObject({ ok: true });
  expect(spool.status().depth).toBe(1);
  const lines: string[] = [];
  const env = { SPOOL_FILE: file };
  const print = (line: string) => Promise.resolve(void lines.push(line));
  expect(await deadLetterCommand(['repair', String(first), '{"soil_moisture":'], env, print, print)).toBe(1);
  expect(await deadLetterCommand(['repair', String(first), '{"soil_moisture":7}'], env, print, print)).toBe(
    0,
  );
  expect(await deadLetterCommand(['repair', '998', '7'], env, print, print)).toBe(1);
  expect(lines.at(-1)).toBe('no dead letter has the id 998');
  expect(spool.status()).toMatchObject({ depth: 2 });
});

test('OPS-17 a task is done once, and one that a bridge does not know or cannot do here is refused in a sentence', async () => {
  const { ask, kinds, tasks, folder } = tasksOf({});
  expect(kinds).toEqual(['dead_letters', 'replay', 'repair']);
  for (const kind of ['reboot', 'backup', 'board_revoke'])
    expect(await ask({ kind, plant: 'fern' })).toMatchObject({
      ok: false,
      text: expect.stringContaining(`is not set up for this task: ${kind}`),
    });
  const ran = join(folder, 'ran');
  const able = tasksOf({ BACKUP_COMMAND: `echo once >> ${ran}; echo archive` });
  expect(await able.ask({ kind: 'backup' }, 7)).toEqual({ id: 7, ok: true, text: 'archive' });
  able.tasks.given([{ id: 7, task: { kind: 'backup' } }]);
  const failing = tasksOf({ BACKUP_COMMAND: 'echo no room >&2; exit 3' });
  expect(await failing.ask({ kind: 'backup' })).toMatchObject({ ok: false, text: 'no room' });
  expect(await able.ask({ kind: 'dead_letters' }, 8)).toMatchObject({ ok: true });
  expect(readFileSync(ran, 'utf8')).toBe('once\n');
  expect(tasks.result()).toBeUndefined();
});

test('OPS-17 an installed bridge leaves an order that root carries out, and nothing but boards can be ordered', async () => {
  const folder = freshFolder();
  placeCertificate(folder);
  const order = join(folder, 'order.json');
  const env = {
    BOARD_ORDER_FILE: order,
    MOSQUITTO_PASSWORD_FILE: join(folder, 'passwords'),
    MOSQUITTO_PID_FILE: join(folder, 'none.pid'),
    BOARDS_MQTT_URL: 'mqtts://broker.lab.example:8883',
    MQTT_CA_FILE: join(folder, 'server.crt'),
  };
  const root = setInterval(() => {
    if (existsSync(order)) boardCommand(['order'], env);
  }, 20);
  onTestFinished(() => clearInterval(root));
  const { ask, kinds } = tasksOf({ BOARD_ORDER_FILE: order });
  expect(kinds).toContain('board_add');
  const { entry } = await newBoardPassword();
  const add = (plant: string) => ask({ kind: 'board_add', plant, program: 'arduino', entry });
  expect(await add('fern')).toMatchObject({ ok: true, files: expect.any(Array) });
  expect(readFileSync(env.MOSQUITTO_PASSWORD_FILE, 'utf8')).toBe(`fern:${entry}\n`);
  // A name that the broker would read as another name, and the name of a bridge.
  expect(await add(' fern')).toMatchObject({ ok: false, text: expect.stringContaining('space') });
  expect(await add('cps-bridge-roof')).toMatchObject({ ok: false });
  clearInterval(root);
  expect(boardCommand(['order'], env)).toEqual({ exitCode: 0, text: 'there is no request' });
});
