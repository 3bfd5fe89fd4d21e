import { test } from 'vitest';
import { bridgeEnv, startBridge, untilConnected } from './support/bridge.ts';
import { connectBoard, hasMosquitto, ownMosquitto } from './support/brokers.ts';
import { startIngest } from './support/ingest.ts';
import { freshFolder, until } from './support/processes.ts';

test.skipIf(!hasMosquitto)(
  'ING-3 a broker that leaves ten messages unacknowledged waits for no acknowledgement of lone readings',
  async () => {
    const [ingest, broker] = await Promise.all([startIngest(), ownMosquitto(10)]);
    // With MQTT 5, the bridge itself would set the maximum.
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
