import { expect, test } from 'vitest';
import { bridgeEnv, startBridge, untilConnected } from './support/bridge.ts';
import { brokers, connectBoard, hasMosquitto } from './support/brokers.ts';
import { startIngest } from './support/ingest.ts';
import { freshFolder, until } from './support/processes.ts';

const TOPIC = 'lab/plants/fern/soil_moisture';
const reading = (value: number) =>
  JSON.stringify({ soil_moisture: value, datetime: new Date().toISOString() });

/** A bridge with the ingest worker and the broker that the tests of this process share. */
async function startSystem() {
  const [ingest, broker] = await Promise.all([startIngest(), brokers.mosquitto()]);
  const bridge = await startBridge(bridgeEnv(broker, ingest.url, freshFolder()));
  await untilConnected(bridge);
  return { ingest, broker, bridge, board: await connectBoard(broker) };
}

test.skipIf(!hasMosquitto)(
  'the ingest worker and the broker that tests share are as new for each of them',
  async () => {
    const { ingest, bridge, board } = await startSystem();
    await board.publishAsync(TOPIC, reading(1), { qos: 1, retain: true });
    await until('stored', async () => (await ingest.count()) === 1);
    await bridge.end();
    // This reading waits in the bridge's session.
    await board.publishAsync(TOPIC, reading(2), { qos: 1 });
    await ingest.revokeKey();

    const next = await startSystem();
    await next.board.publishAsync(TOPIC, reading(3), { qos: 1 });
    await until('stored', async () => (await next.ingest.count()) > 0);
    expect((await next.ingest.readings()).map(({ soil_moisture }) => soil_moisture)).toEqual([3]);
  },
);
