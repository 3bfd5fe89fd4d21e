import { expect, test } from 'vitest';
import { bridgeEnv, startBridge, untilConnected } from './support/bridge.ts';
import { brokers, connectBoard, hasMosquitto } from './support/brokers.ts';
import { startIngest } from './support/ingest.ts';
import { freshFolder, until } from './support/processes.ts';

test.skipIf(!hasMosquitto)(
  'ING-6 a bridge that joins a group, changes it and leaves it again stores each reading once',
  async () => {
    const [ingest, broker] = await Promise.all([startIngest(), brokers.mosquitto()]);
    const env = bridgeEnv(broker, ingest.url, freshFolder());
    const board = await connectBoard(broker);
    let stored = 0;
    for (const group of ['', 'g'.repeat(16), 'h'.repeat(16), '']) {
      const bridge = await startBridge({ ...env, MQTT_SHARED_GROUP: group });
      await untilConnected(bridge);
      for (let n = 0; n < 5; n++) {
        await board.publishAsync('lab/plants/fern/soil_moisture', '512', { qos: 1 });
      }
      stored += 5;
      await until('stored', async () => (await ingest.count()) >= stored);
      await bridge.end();
      expect(await ingest.count()).toBe(stored);
    }
  },
);

test.skipIf(!hasMosquitto)(
  'ING-15 a broker that leaves ten messages unacknowledged, as RabbitMQ does, waits for no acknowledgement of lone readings',
  async () => {
    const [ingest, broker] = await Promise.all([startIngest(), brokers.mosquitto(10)]);
    // By MQTT 5 the bridge would say itself how many it takes.
    const env = { ...bridgeEnv(broker, ingest.url, freshFolder()), MQTT_PROTOCOL_VERSION: '4' };
    const bridge = await startBridge(env);
    await untilConnected(bridge);
    const board = await connectBoard(broker);
    for (let seq = 0; seq < 30; seq++) {
      const reading = JSON.stringify({ soil_moisture: 512, seq });
      await board.publishAsync('lab/plants/fern/soil_moisture', reading, { qos: 1 });
      const isTaken = async () => ((await bridge.health()).spool_depth ?? 0) + (await ingest.count()) > seq;
      await until(`reading ${seq} is taken, alone`, isTaken, 20_000);
    }
    await until('stored', async () => (await ingest.count()) === 30);
  },
);
