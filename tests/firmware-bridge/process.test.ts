import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { VERSION } from '#contract/release';
import { readConfig } from '../../firmware-bridge/src/config.ts';
import { shippedBridge } from '../support/shipped-bridge.ts';
import {
  bridgeEnv,
  deadLettersIn,
  startBridge,
  startBridgeProcess,
  untilConnected,
  untilError,
} from './support/bridge.ts';
import { brokers, connectBoard } from './support/brokers.ts';
import { error, json, startIngestServer, readingsIn, type IngestServer } from './support/ingest-server.ts';
import { freshFolder, start, until } from './support/processes.ts';

const MEBIBYTE = 1024 * 1024;
const TOPIC = 'lab/plants/fern/soil_moisture';

/** An ingest worker that accepts everything. */
function takingServer(): Promise<IngestServer> {
  return startIngestServer((response, request) => {
    const answer =
      request.path === '/readings'
        ? { results: readingsIn(request).map(() => ({ status: 'stored' })) }
        : { ok: true };
    json(200, answer)(response, request);
  });
}

const received = (server: IngestServer) =>
  server.requests.filter(({ path }) => path === '/readings').flatMap((request) => readingsIn(request));

async function placeParts() {
  const [server, broker] = await Promise.all([takingServer(), brokers.embedded()]);
  return { server, broker, env: bridgeEnv(broker, server.url, freshFolder()) };
}

/** A system with the bridge in its own process. */
async function startProcess(options: { ipc?: boolean } = {}) {
  const parts = await placeParts();
  return { ...parts, bridge: await startBridgeProcess(parts.env, options) };
}

async function startParts() {
  const parts = await placeParts();
  return { ...parts, bridge: await startBridge(parts.env) };
}

const good = {
  MQTT_URL: 'mqtt://127.0.0.1:1883',
  BRIDGE_ID: 'greenhouse',
  BRIDGE_KEY: 'a key for tests that nobody else uses',
  INGEST_URL: 'https://ingest.test',
  SPOOL_FILE: 'spool.sqlite',
};

describe('configuration', () => {
  test('OPS-5 defaults fill in what is absent or empty', () => {
    expect(readConfig({ ...good, MQTT_PASSWORD: '', HEALTH_PORT: '' })).toEqual({
      mqtt: {
        url: good.MQTT_URL,
        protocolVersion: 5,
        clientId: 'cps-bridge-greenhouse',
        keepalive: 30,
        availabilityTopic: 'lab/bridges/greenhouse/availability',
      },
      ingest: { url: good.INGEST_URL, bridgeId: 'greenhouse', key: good.BRIDGE_KEY, timeoutMs: 10_000 },
      spoolFile: 'spool.sqlite',
      spoolLimits: {
        burst: 50_000,
        perMinute: 60,
        waitingReadings: 200_000,
        waitingBytes: 21_000_000,
        deadLetterBytes: 4 * MEBIBYTE,
        boards: 1000,
      },
      healthPort: 8789,
      heartbeatMs: 30_000,
      homeAssistant: true,
      boards: null,
    });
  });

  test.each([
    [{ MQTT_PASSWORD: 'p' }, 'cps-bridge-greenhouse'],
    [{ MQTT_PASSWORD: 'p', MQTT_CLIENT_ID: 'east' }, 'east'],
    [{ MQTT_URL: 'mqtt://cps-bridge-greenhouse:p@127.0.0.1' }, 'cps-bridge-greenhouse'],
  ])('SEC-45 with %o the user name at the broker is the client id', (changes, user) => {
    expect(readConfig({ ...good, ...changes })).toMatchObject({ mqtt: { username: user, clientId: user } });
  });

  test.each([
    { MQTT_URL: 'mqtt://bridge:p@127.0.0.1' },
    { MQTT_URL: 'mqtt://cps-bridge-greenhouse:p@127.0.0.1', MQTT_CLIENT_ID: 'east' },
  ])('SEC-45 with %o it does not start, and says what the user name must be', (changes) => {
    expect(readConfig({ ...good, ...changes })).toEqual({
      problems: [
        expect.stringMatching(/^the user in MQTT_URL differs from the client id: use cps-bridge-<BRIDGE_ID>/),
      ],
    });
  });

  test.each([
    ['MQTT_URL', 'http://127.0.0.1'],
    ['MQTT_URL', 'nonsense'],
    ['MQTT_PROTOCOL_VERSION', '3'],
    ['MQTT_CA_FILE', '/no/such/file'],
    ['BRIDGE_ID', 'a b'],
    ['BRIDGE_KEY', 'too short'],
    ['INGEST_URL', 'ftp://ingest.test'],
    ['HEALTH_PORT', '65536'],
    ['HEALTH_PORT', '8789x'],
    ['HEARTBEAT_SECONDS', '0'],
  ])('OPS-5 %s=%s is one line that names the variable and never its value', (name, value) => {
    const config = readConfig({ ...good, [name]: value });
    expect(config).toEqual({ problems: [expect.stringMatching(new RegExp(`^${name} `))] });
    expect(JSON.stringify(config)).not.toContain(`"${value}"`);
  });

  test('OPS-5 without any variable the process names each that is required, and ends with 78', async () => {
    const [command, ...args] = shippedBridge();
    const bridge = start(command, args);
    expect(await bridge.ended).toBe(78);
    for (const name of ['MQTT_URL', 'BRIDGE_ID', 'BRIDGE_KEY', 'INGEST_URL', 'SPOOL_FILE']) {
      expect(bridge.output()).toMatch(new RegExp(`^firmware-bridge: ${name} `, 'm'));
    }
    expect(bridge.output()).not.toContain('    at ');
  });

  test('OPS-5 a health port that is taken is one line and exit code 78', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => {
      holder.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void holder.close());
    const address = holder.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const [command, ...args] = shippedBridge();
    const bridge = start(command, args, {
      ...good,
      SPOOL_FILE: `${freshFolder()}/spool.sqlite`,
      HEALTH_PORT: port,
    });
    expect(await bridge.ended).toBe(78);
    expect(bridge.output().trim().split('\n')).toEqual([
      `firmware-bridge: HEALTH_PORT ${port} cannot be used: 127.0.0.1 port ${port} could not be reached: another program uses that port. First step: see which one: ss -ltnp`,
    ]);
  });

  test.each([
    ['a file above it', 'file/spool.sqlite', 'a file is where a folder must be'],
    ['no database', 'file', 'it is not a database'],
  ])(
    'OPS-5 a spool that cannot be opened, %s, is told once, with its path and a first step',
    async (_, name, why) => {
      const folder = freshFolder();
      writeFileSync(`${folder}/file`, 'this is no database at all '.repeat(200));
      const bridge = await startBridge({ ...good, SPOOL_FILE: `${folder}/${name}`, HEALTH_PORT: '0' });
      await expect.poll(bridge.output).toContain(why);
      const line = bridge
        .output()
        .split('\n')
        .find((each) => each.includes(why));
      expect(line).toContain(`${folder}/`);
      expect(line).toContain('First step: ');
      expect(line?.split(why)).toHaveLength(2);
    },
  );
});

describe('the end', () => {
  const GOODBYE = { broker_connected: false, valid_for_ms: 1000 };
  const lastHeartbeat = (server: IngestServer): unknown =>
    JSON.parse(server.requests.findLast(({ path }) => path === '/heartbeat')?.body.toString() ?? '');

  test('SIGTERM ends it with 0 and says goodbye; a second one is harmless', async () => {
    const { bridge, server } = await startProcess();
    await untilConnected(bridge);
    bridge.child.kill('SIGTERM');
    bridge.child.kill('SIGTERM');
    expect(await bridge.ended).toBe(0);
    expect(lastHeartbeat(server)).toMatchObject(GOODBYE);
  });

  test('ING-7 it says goodbye also while the worker leaves a batch unanswered', async () => {
    const { bridge, broker, server } = await startParts();
    await untilConnected(bridge);
    server.answerWith((response, request) => {
      if (request.path === '/heartbeat') json(200, { ok: true })(response, request);
    });
    const board = await connectBoard(broker);
    await board.publishAsync(TOPIC, '512', { qos: 1 });
    await until('a batch', () => received(server).length === 1);
    await bridge.end();
    expect(lastHeartbeat(server)).toMatchObject(GOODBYE);
  });

  test('it ends while the broker and the ingest worker are unreachable', async () => {
    const bridge = await startBridgeProcess({
      ...good,
      MQTT_URL: 'mqtt://127.0.0.1:1',
      INGEST_URL: 'http://127.0.0.1:1',
      SPOOL_FILE: `${freshFolder()}/spool.sqlite`,
      HEALTH_PORT: '0',
    });
    expect((await bridge.health()).status).toBe(503);
    expect(await bridge.end('SIGINT')).toBe(0);
  });

  test('it does not outlive a parent that started it with an IPC channel', async () => {
    const { bridge } = await startProcess({ ipc: true });
    bridge.child.disconnect();
    expect(await bridge.ended).toBe(0);
  });
});

describe('a spool that fails', () => {
  test('ING-3 without a spool it alarms, stays away from the broker, and begins when there is one', async () => {
    const [server, broker] = await Promise.all([takingServer(), brokers.embedded()]);
    const env = bridgeEnv(broker, server.url, freshFolder());
    const file = env['SPOOL_FILE'] ?? '';
    mkdirSync(file);
    const bridge = await startBridge(env);
    await untilError(bridge, 'spool_failed');
    expect(await bridge.health()).toMatchObject({
      status: 503,
      broker_connected: false,
      spool_writable: false,
      spool_depth: null,
    });
    rmdirSync(file);
    await untilConnected(bridge);
    expect(await bridge.health()).toMatchObject({ status: 200, spool_writable: true });
  });

  test('ING-3 what cannot be committed is not acknowledged, and comes again when it can', async () => {
    const { bridge, broker, env, server } = await startProcess();
    await untilConnected(bridge);
    const spool = new DatabaseSync(env['SPOOL_FILE'] ?? '');
    spool.exec('BEGIN IMMEDIATE');
    const board = await connectBoard(broker);
    await board.publishAsync(TOPIC, '512', { qos: 1 });
    await until('alarm', async () => !(await bridge.health()).spool_writable);
    expect(await bridge.health()).toMatchObject({ status: 503, broker_connected: false });
    expect(received(server)).toEqual([]);

    spool.exec('ROLLBACK');
    spool.close();
    await until('stored', () => received(server).length === 1);
    expect(received(server)).toMatchObject([{ soil_moisture: 512 }]);
    await until('well again', async () => (await bridge.health()).ok);
    expect(deadLettersIn(env['SPOOL_FILE'] ?? '')).toEqual([]);
  });
});

describe('health', () => {
  test('ING-7 health and metrics tell depth, age, dead letters and the last error', async () => {
    const { bridge, broker, server } = await startParts();
    await untilConnected(bridge);
    server.answerWith(json(503, { error: { code: 'unavailable', message: '점검 중' } }));
    const board = await connectBoard(broker);
    await board.publishAsync(TOPIC, '[1,2,"x"]', { qos: 1 });
    const report = await untilError(bridge, 'ingest_unavailable');
    expect(report).toMatchObject({
      status: 503,
      ok: false,
      broker_connected: true,
      spool_depth: 2,
      dead_letters: 1,
      last_stored_at: null,
      last_error: { event: 'ingest_unavailable', reason: 'HTTP 503: 점검 중' },
    });
    expect(report.oldest_age_ms).toBeGreaterThanOrEqual(0);
    const metrics = await (await fetch(`${bridge.healthUrl}/metrics`)).text();
    expect(metrics).toMatch(/^# TYPE cps_bridge_spool_depth gauge\ncps_bridge_spool_depth 2$/m);
    expect(metrics).toMatch(/^cps_bridge_dead_letters 1$/m);
    expect(metrics).toMatch(/^cps_bridge_messages_total 1$/m);
  });

  test('OPS-8 OPS-10 its version is told on the command line, in health and metrics, and with each heartbeat, which tells of its disk too', async () => {
    const [command, ...args] = shippedBridge();
    const asked = start(command, [...args, '--version'], {});
    expect(await asked.ended).toBe(0);
    expect(asked.output()).toBe(`${VERSION}\n`);
    const { bridge, server } = await startParts();
    expect(await bridge.health()).toMatchObject({ version: VERSION });
    const metrics = await (await fetch(`${bridge.healthUrl}/metrics`)).text();
    expect(metrics).toContain(`\ncps_bridge_build_info{version="${VERSION}"} 1\n`);
    const heartbeat = await until('a heartbeat', () =>
      server.requests.find(({ path }) => path === '/heartbeat'),
    );
    expect(heartbeat.headers['x-bridge-version']).toBe(VERSION);
    expect(JSON.parse(String(heartbeat.body))).toMatchObject({
      machine: { disk: { free: expect.any(Number), size: expect.any(Number) } },
    });
  });

  test('ING-7 it answers nothing but health and metrics', async () => {
    const { bridge } = await startParts();
    expect((await fetch(`${bridge.healthUrl}/`)).status).toBe(404);
    expect((await fetch(`${bridge.healthUrl}/health`, { method: 'POST' })).status).toBe(405);
  });

  test('OPS-4 the log is JSON line by line, holds neither key nor payload, and names the requests that failed', async () => {
    const { bridge, broker, env, server } = await startProcess();
    await untilConnected(bridge);
    const board = await connectBoard(broker);
    server.answerWith(json(503, error('unavailable')));
    await board.publishAsync(TOPIC, '{"soil_moisture":"010-1234-5678"}', { qos: 1 });
    await board.publishAsync(TOPIC, '[1,"very.private@lab.test",{"name":"비밀스런솔"}]', { qos: 1 });
    await until('dead letters', () => bridge.output().split('"dead_letter"').length > 2);
    await until('failure', () => bridge.output().includes('ingest_unavailable'));
    const failed = server.requests.find(({ path }) => path === '/readings')?.headers['x-request-id'];
    expect(failed).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}$/);
    expect(bridge.output()).toContain(`"ingest_unavailable","request_id":"${String(failed)}"`);
    await bridge.end();
    for (const line of bridge.output().trim().split('\n')) {
      expect(JSON.parse(line)).toMatchObject({ time: expect.any(String), event: expect.any(String) });
    }
    expect(bridge.output()).not.toContain(env['BRIDGE_KEY']);
    expect(bridge.output()).not.toMatch(/1234-5678|private|비밀/);
  });
});

test('OPS-4 a log that nobody reads costs no memory: its lines are counted', async () => {
  const { bridge, broker } = await startProcess();
  await untilConnected(bridge);
  bridge.child.stdout?.pause();
  const board = await connectBoard(broker);
  const topic = `lab/plants/${'화'.repeat(64)}/soil_moisture`;
  const lines = 6000;
  await Promise.all(Array.from({ length: lines }, () => board.publishAsync(topic, '"wet"', { qos: 1 })));
  await until('dead letters', async () => (await bridge.health()).dead_letters === lines);
  bridge.child.stdout?.resume();
  // Lines may be dropped several times; each time, the next line says how many.
  const accountedFor = () => {
    const said = bridge.output().split('"dead_letter"').length - 1;
    const counts = bridge.output().matchAll(/"log_lines_dropped","count":([0-9]+)/g);
    return { said, dropped: Array.from(counts, ([, count]) => Number(count)).reduce((a, b) => a + b, 0) };
  };
  let sent = lines;
  let before = -1;
  await until('every line said or counted', async () => {
    const { said, dropped } = accountedFor();
    if (said + dropped === sent) return true;
    if (said + dropped === before) {
      await board.publishAsync(topic, '"wet"', { qos: 1 });
      sent += 1;
      await until('taken', async () => (await bridge.health()).dead_letters === sent);
    }
    before = said + dropped;
    return false;
  });
  expect(accountedFor().dropped).toBeGreaterThan(0);
});

test('ING-12 the boards of the local run speak the contract', async () => {
  const { bridge, broker, server } = await startParts();
  await untilConnected(bridge);
  start(process.execPath, ['local/boards/run.ts', '--every', '20'], { MQTT_URL: broker.url });
  await until('readings of both', () => new Set(received(server).map(({ plant }) => plant)).size === 2);
  expect(new Set(received(server).map(({ plant }) => plant))).toEqual(new Set(['basil', 'monstera']));
  expect((await bridge.health()).dead_letters).toBe(0);
});
