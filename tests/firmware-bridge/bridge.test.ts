import { describe, expect, test } from 'vitest';
import {
  bridgeEnv,
  deadLettersIn,
  startBridge,
  startBridgeProcess,
  untilConnected,
  untilError,
  type Bridge,
} from './support/bridge.ts';
import { brokers, connectBoard, hasMosquitto, ownMosquitto, type Broker } from './support/brokers.ts';
import { shareOrAll } from '../support/counts.ts';
import { startIngest, type Ingest } from './support/ingest.ts';
import { freshFolder, until } from './support/processes.ts';

const TOPIC = 'lab/plants/fern/soil_moisture';

type System = { ingest: Ingest; broker: Broker; env: Record<string, string>; bridge: Bridge };

type Parts = Omit<System, 'bridge'>;

async function placeParts(startBroker: () => Promise<Broker>): Promise<Parts> {
  const [ingest, broker] = await Promise.all([startIngest(), startBroker()]);
  return { ingest, broker, env: bridgeEnv(broker, ingest.url, freshFolder()) };
}

async function startSystem(startBroker: () => Promise<Broker>): Promise<System> {
  const parts = await placeParts(startBroker);
  const bridge = await startBridge(parts.env);
  await untilConnected(bridge);
  return { ...parts, bridge };
}

async function untilStored(ingest: Ingest, count: number): Promise<void> {
  await until(`${count} readings stored`, async () => (await ingest.count()) >= count);
}

const deadLetters = ({ env }: System) => deadLettersIn(env['SPOOL_FILE'] ?? '');
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

// A short run tests one of the two brokers; without Mosquitto there is only one.
const kinds = shareOrAll(hasMosquitto ? 1 : 2, ['embedded', 'mosquitto'] as const);

describe.each(kinds)('with the %s broker', (kind) => {
  const missing = kind === 'mosquitto' && !hasMosquitto;
  const why = missing ? ' (skipped: Mosquitto is not on this machine)' : '';

  test.skipIf(missing)(
    `ING-1 a reading goes from the board through broker, bridge and ingest worker into D1 once${why}`,
    async () => {
      const system = await startSystem(brokers[kind]);
      const { ingest, bridge } = system;
      const board = await connectBoard(system.broker);
      const datetime = new Date().toISOString();

      await board.publishAsync(TOPIC, JSON.stringify({ soil_moisture: 512, datetime, seq: 7 }), { qos: 1 });
      await untilStored(ingest, 1);

      expect(await ingest.readings()).toMatchObject([
        { plant: 'fern', measured_at: Date.parse(datetime), seq: 7, soil_moisture: 512, refused_time: null },
      ]);
      await until('spool empty', async () => (await bridge.health()).spool_depth === 0);
      expect(await bridge.health()).toMatchObject({ status: 200, ok: true, dead_letters: 0 });
      await until('heartbeat', async () => (await ingest.heartbeat())?.broker_connected === 1);
      expect(deadLetters(system)).toEqual([]);
    },
  );

  test.skipIf(missing)(
    `ING-3 what boards publish while the bridge is away arrives when it is back${why}`,
    async () => {
      const { ingest, broker, env, bridge } = await startSystem(brokers[kind]);
      expect(await bridge.end()).toBe(0);
      const board = await connectBoard(broker);
      for (const seq of upTo(50)) {
        await board.publishAsync(TOPIC, `{"soil_moisture":${seq},"seq":${seq}}`, { qos: 1 });
      }
      await startBridgeProcess(env);
      await untilStored(ingest, 50);
      expect((await ingest.readings()).map(({ soil_moisture }) => soil_moisture)).toEqual(upTo(50));
    },
  );

  test.skipIf(missing)(
    `ING-3 when the broker dies and returns the bridge hears it again, and health tells both${why}`,
    async () => {
      const [ingest, broker] = await Promise.all([
        startIngest(),
        kind === 'embedded' ? brokers.embedded() : ownMosquitto(),
      ]);
      const bridge = await startBridge(bridgeEnv(broker, ingest.url, freshFolder()));
      await untilConnected(bridge);
      await broker.process.end('SIGKILL');
      await until('bridge noticed', async () => (await bridge.health()).status === 503);
      expect(await bridge.health()).toMatchObject({
        ok: false,
        broker_connected: false,
        spool_writable: true,
      });
      await until('told the ingest worker', async () => (await ingest.heartbeat())?.broker_connected === 0);

      const again = await broker.restart();
      await until('connected again', async () => (await bridge.health()).ok);
      const board = await connectBoard(again);
      await board.publishAsync(TOPIC, '512', { qos: 1 });
      await untilStored(ingest, 1);
      expect((await ingest.readings()).map(({ soil_moisture }) => soil_moisture)).toEqual([512]);
    },
  );
});

describe('with the embedded broker alone', () => {
  test('ING-3 retained values without datetime are dead letters, dated ones are stored', async () => {
    const [ingest, broker] = await Promise.all([startIngest(), brokers.embedded()]);
    const board = await connectBoard(broker);
    await board.publishAsync(TOPIC, '512', { qos: 1, retain: true });
    const dated = '{"soil_moisture":7,"datetime":"2026-03-02T00:00:00Z"}';
    await board.publishAsync('lab/plants/moss/soil_moisture', dated, { qos: 1, retain: true });
    const env = bridgeEnv(broker, ingest.url, freshFolder());
    await startBridge(env);
    await untilStored(ingest, 1);
    await until('dead letter', () => deadLettersIn(env['SPOOL_FILE'] ?? '').length === 1);
    expect(await ingest.readings()).toMatchObject([{ plant: 'moss', soil_moisture: 7 }]);
  });

  test('ING-3 with a revoked key nothing is lost or answered for, and the broker stays connected', async () => {
    const { ingest, broker, bridge } = await startSystem(brokers.embedded);
    await ingest.revokeKey();
    const board = await connectBoard(broker);
    await board.publishAsync(TOPIC, '[1,2,3]', { qos: 1 });
    expect(await untilError(bridge, 'ingest_unauthorized')).toMatchObject({
      status: 503,
      broker_connected: true,
      spool_depth: 3,
      dead_letters: 0,
      last_error: { event: 'ingest_unauthorized', reason: expect.stringContaining('401') },
    });
    expect(await ingest.count()).toBe(0);
  });
});
