import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bridgeEnv, startBridge, untilConnected } from '../support/bridge.ts';
import { brokers, connectBoard, hasMosquitto } from '../support/brokers.ts';
import { fewOrMany } from '../../support/counts.ts';
import { startIngest } from '../support/ingest.ts';
import { freshFolder, until } from '../support/processes.ts';
import { startDoor, honest } from './proxies.ts';
import { seededRandom } from '../../../local/boards/seeded-random.ts';
import {
  printTableAtTheEnd,
  proveNothingLost,
  seeds,
  startPublisher,
  startSystem,
  startSystemOfOwnBroker,
  startSystemOfProcesses,
} from './support.ts';

printTableAtTheEnd();

/** Messages queued between two kills. Mosquitto writes its whole file for each, so more would be slow. */
const EACH_KILL = 40;

describe('faults 1 and 4: the broker dies', () => {
  test.each(seeds)(
    'FAULT-1 ING-3 a broker that forgot the session is subscribed to again (seed %d)',
    async (seed) => {
      const [ingest, broker] = await Promise.all([startIngest(), brokers.embedded()]);
      const env = bridgeEnv(broker, ingest.url, freshFolder());
      const bridge = await startBridge(env);
      await untilConnected(bridge);
      const publisher = await startPublisher(broker, seededRandom(seed));
      await publisher.publish(20);
      await until('stored', async () => (await ingest.count()) === 20);
      await broker.process.end('SIGKILL');
      await until('noticed', async () => !(await bridge.health()).broker_connected);
      await broker.restart();
      await until('connected', async () => (await bridge.health()).broker_connected);
      await publisher.publish(20);
      await proveNothingLost('1 broker gone, session forgotten', seed, { ingest, env }, publisher);
    },
  );

  test.each(seeds)(
    'FAULT-1 ING-3 a broker that was gone for minutes is found again within 30 s, and nothing is missing (seed %d)',
    async (seed) => {
      const system = await startSystemOfOwnBroker();
      const publisher = await startPublisher(system.broker, seededRandom(seed));
      await publisher.publish(20);
      await system.broker.process.end();
      await until('noticed', async () => !(await system.bridge.health()).broker_connected);
      const publishing = publisher.publish(200);
      // The pauses between attempts grow, so this takes seconds, or minutes in a full run.
      const tries = () => system.bridge.output().split('"broker_error"').length - 1;
      await until('tried in vain', () => tries() >= fewOrMany(4, 30), 300_000);
      expect(await system.bridge.health()).toMatchObject({ status: 503, spool_depth: 0 });
      await system.broker.restart();
      await until('connected', async () => (await system.bridge.health()).broker_connected, 30_000);
      await publishing;
      await proveNothingLost('1 broker gone for minutes', seed, system, publisher);
    },
  );

  test.skipIf(!hasMosquitto).each(seeds)(
    'FAULT-4 ING-3 kill -9 of Mosquitto with readings queued, again and again, loses none (seed %d)',
    async (seed) => {
      const system = await startSystemOfOwnBroker();
      const publisher = await startPublisher(system.broker, seededRandom(seed));
      let { broker } = system;
      for (let life = 0; life < fewOrMany(2, 10); life++) {
        await system.bridge.end();
        await publisher.publish(100);
        // Mosquitto acknowledges some milliseconds before its file is written.
        const last = `"seq":${publisher.acknowledged.size - 1}}`;
        await until('on disk', () => readFileSync(broker.dataFile ?? '').includes(last));
        await broker.process.end('SIGKILL');
        broker = await broker.restart();
      }
      expect(publisher.acknowledged.size).toBeGreaterThanOrEqual(200);
      await startBridge(system.env);
      await proveNothingLost('4 kill -9 of Mosquitto, 100 queued', seed, system, publisher);
    },
  );

  test.skipIf(!hasMosquitto).each(seeds)(
    'FAULT-4 ING-3 kill -9 of Mosquitto at a random moment of the queueing loses none of a board that repeats its last (seed %d)',
    async (seed) => {
      const system = await startSystemOfOwnBroker();
      const random = seededRandom(seed);
      // Mosquitto acknowledges a message before it saves it, so a kill can lose one message, but not more.
      const publisher = await startPublisher(system.broker, random, { repeats: 1 });
      await system.bridge.end();
      let { broker } = system;
      const kills = fewOrMany(3, 20);
      for (let kill = 0; kill < kills; kill++) {
        const seen = publisher.acknowledged.size + Math.floor(random() * EACH_KILL);
        const publishing = publisher.publish(EACH_KILL);
        await until('so many acknowledged', () => publisher.acknowledged.size >= seen);
        await broker.process.end('SIGKILL');
        broker = await broker.restart();
        await publishing;
      }
      await startBridge(system.env);
      await proveNothingLost(
        `4 kill -9 of Mosquitto ${kills} times while it queues`,
        seed,
        system,
        publisher,
      );
    },
  );
});

/** Listens on the broker's port and refuses every connection with “server unavailable”. */
async function refuseOn(port: number): Promise<{ refused: () => number; close: () => Promise<void> }> {
  let refused = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      refused += 1;
      // CONNACK of MQTT 5 with "server unavailable" and no properties; a client of 3.1.1 is refused, too.
      socket.end(Buffer.from([0x20, 3, 0, 0x88, 0]));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  onTestFinished(close);
  return { refused: () => refused, close };
}

test.each(seeds)(
  'FAULT-2 ING-3 a broker that refuses connections is tried until it takes them (seed %d)',
  async (seed) => {
    // Without TLS, because the server that replaces the broker can only refuse.
    const system = await startSystemOfOwnBroker(({ broker }) => Promise.resolve({ MQTT_URL: broker.url }));
    const publisher = await startPublisher(system.broker, seededRandom(seed));
    await publisher.publish(20);
    await until('stored', async () => (await system.ingest.count()) === 20);
    await system.broker.process.end();
    const gate = await refuseOn(Number(new URL(system.broker.url).port));
    await until('refused twice', () => gate.refused() >= 2);
    expect((await system.bridge.health()).broker_connected).toBe(false);
    await gate.close();
    await system.broker.restart();
    await until('connected', async () => (await system.bridge.health()).broker_connected);
    await publisher.publish(20);
    await proveNothingLost('2 broker refuses the connection', seed, system, publisher);
  },
);

test.each(seeds)(
  'FAULT-15 ING-3 an ingest worker slower than the keep-alive breaks no connection (seed %d)',
  async (seed) => {
    const system = await startSystem(
      async ({ ingest }) => {
        const door = await startDoor(ingest.url, async (request, response, forward) => {
          await new Promise((resolve) => setTimeout(resolve, 3000));
          await honest(request, response, forward);
        });
        return { INGEST_URL: door.url };
      },
      (config) => ({ ...config, mqtt: { ...config.mqtt, keepalive: 2 } }),
    );
    const publisher = await startPublisher(system.broker, seededRandom(seed));
    await publisher.publish(20);
    await until('first batch', async () => (await system.ingest.count()) > 0);
    await publisher.publish(20);
    await proveNothingLost('15 handler slower than the keep-alive', seed, system, publisher);
    expect(system.bridge.output()).not.toContain('broker_lost');
    expect(system.bridge.output().split('broker_connected').length - 1).toBe(1);
  },
);

test.skipIf(!hasMosquitto)(
  'ING-3 the broker says offline for a bridge that died, and online for one that lives',
  async () => {
    const system = await startSystemOfProcesses();
    const board = await connectBoard(system.broker);
    const words: string[] = [];
    board.on('message', (_topic, payload) => void words.push(payload.toString()));
    await board.subscribeAsync('lab/bridges/+/availability', { qos: 1 });
    await until('online', () => words.at(-1) === 'online');
    await system.bridge.end('SIGKILL');
    await until('offline', () => words.at(-1) === 'offline');
    const again = await startBridge(system.env);
    await until('online again', () => words.at(-1) === 'online');
    await again.end();
    await until('said goodbye', () => words.at(-1) === 'offline');
  },
);
