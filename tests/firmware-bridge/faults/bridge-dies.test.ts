import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'vitest';
import { startBridgeProcess, type BridgeProcess } from '../support/bridge.ts';
import { fewOrMany } from '../../support/counts.ts';
import { until } from '../support/processes.ts';
import { honest, startDoor, startWire, type Door, type Wire } from './proxies.ts';
import { seededRandom } from '../../../local/boards/seeded-random.ts';
import {
  printTableAtTheEnd,
  proveNothingLost,
  seeds,
  startPublisher,
  startSystemOfProcesses,
  type SystemOfProcesses,
} from './support.ts';

printTableAtTheEnd();

type Watched = SystemOfProcesses & { wire: Wire; door: Door };

/** The whole system, with a proxy before the broker and a proxy before the ingest worker. */
async function startWatched(): Promise<Watched> {
  let wire: Wire | undefined;
  let door: Door | undefined;
  const system = await startSystemOfProcesses(async ({ ingest, broker }) => {
    wire = await startWire(broker.bridgeEnv['MQTT_URL'] ?? '');
    door = await startDoor(ingest.url);
    return { MQTT_URL: wire.url, INGEST_URL: door.url };
  });
  if (wire === undefined || door === undefined) throw new Error('nothing between');
  return { ...system, wire, door };
}

const never = new Promise<never>(() => undefined);

/** Each step of a reading in the bridge: brings the bridge to this step, where it is then killed. */
const points: Record<string, (system: Watched, publish: () => void) => Promise<void>> = {
  received: async ({ env, wire }, publish) => {
    const spool = new DatabaseSync(env['SPOOL_FILE'] ?? '', { timeout: 60_000 });
    spool.exec('BEGIN IMMEDIATE');
    const before = wire.delivered();
    publish();
    // The bridge has received the message and waits for the lock of the spool.
    await until('received', () => wire.delivered() > before);
    spool.exec('ROLLBACK');
    spool.close();
  },
  'spool committed': async ({ env, door }, publish) => {
    door.meddleWith(() => never);
    publish();
    await untilSpooled(env);
  },
  'acknowledgement queued': async ({ env, wire, door }, publish) => {
    door.meddleWith(() => never);
    wire.swallow(true);
    publish();
    await untilSpooled(env);
  },
  'POST sent': async ({ door }, publish) => {
    let arrived = false;
    door.meddleWith(() => {
      arrived = true;
      return never;
    });
    publish();
    await until('POST arrived', () => arrived);
  },
  'response lost': async ({ door }, publish) => {
    let stored = false;
    door.meddleWith(async (_request, _response, forward) => {
      await forward();
      stored = true;
      await never;
    });
    publish();
    await until('stored', () => stored);
  },
  'spool row deleted': async ({ env, bridge }, publish) => {
    publish();
    await untilSpooled(env, true);
    await until('empty', async () => (await bridge.health()).spool_depth === 0);
  },
};

/** Waits until readings are in the spool's file; with `orLeft`, also if they were delivered since. */
async function untilSpooled(env: Record<string, string>, orLeft = false): Promise<void> {
  const spool = new DatabaseSync(env['SPOOL_FILE'] ?? '', { readOnly: true });
  const found = spool.prepare(
    orLeft
      ? "SELECT seq AS n FROM sqlite_sequence WHERE name = 'readings'"
      : 'SELECT count(*) AS n FROM readings',
  );
  await until('spooled', () => Number(found.get()?.['n'] ?? 0) > 0);
  spool.close();
}

/** Lets the proxies pass everything and starts the bridge again. */
async function revive({ wire, door, env }: Watched): Promise<BridgeProcess> {
  wire.swallow(false);
  door.meddleWith(honest);
  return startBridgeProcess(env);
}

describe('fault 3: kill -9 of the bridge', () => {
  test.each(seeds)(
    'FAULT-3 ING-3 at each point of the way loses nothing and doubles nothing (seed %d)',
    async (seed) => {
      const system = await startWatched();
      const publisher = await startPublisher(system.broker, seededRandom(seed));
      let { bridge } = system;
      for (const reach of Object.values(points)) {
        let publishing = Promise.resolve();
        await reach({ ...system, bridge }, () => {
          publishing = publisher.publish(10);
        });
        await bridge.end('SIGKILL');
        bridge = await revive(system);
        await publishing;
        await until('connected', async () => (await bridge.health()).broker_connected);
      }
      await proveNothingLost('3 kill -9 of the bridge at six points', seed, system, publisher);
    },
  );

  test.each(seeds)(
    'FAULT-3 ING-3 at random moments loses nothing and doubles nothing (seed %d)',
    async (seed) => {
      const system = await startSystemOfProcesses();
      const random = seededRandom(seed);
      const publisher = await startPublisher(system.broker, random);
      let { bridge } = system;
      const kills = fewOrMany(2, 50);
      for (let kill = 0; kill < kills; kill++) {
        const publishing = publisher.publish(60);
        const seen = publisher.acknowledged.size + Math.floor(random() * 60);
        await until(
          'so many acknowledged',
          () => publisher.acknowledged.size >= Math.min(seen, (kill + 1) * 60),
        );
        await bridge.end('SIGKILL');
        bridge = await startBridgeProcess(system.env);
        await publishing;
      }
      await proveNothingLost(`3 kill -9 of the bridge ${kills} times`, seed, system, publisher);
    },
  );
});
