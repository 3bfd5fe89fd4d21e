import { describe, expect, test } from 'vitest';
import { bridgeEnv, deadLettersIn, startBridge, untilConnected } from './support/bridge.ts';
import { brokers, connectBoard, hasMosquitto } from './support/brokers.ts';
import { startIngest } from './support/ingest.ts';
import { freshFolder, until } from './support/processes.ts';

const TOPIC = 'lab/plants/fern/soil_moisture';

describe.each(['embedded', 'mosquitto'] as const)('with the %s broker', (kind) => {
  const missing = kind === 'mosquitto' && !hasMosquitto;
  const why = missing ? ' (skipped: Mosquitto is not on this machine)' : '';

  test.skipIf(missing)(
    `ING-1 a reading goes from the board through broker, bridge and ingest worker into D1 once${why}`,
    async () => {
      const [ingest, broker] = await Promise.all([startIngest(), brokers[kind]()]);
      const env = bridgeEnv(broker, ingest.url, freshFolder());
      const bridge = await startBridge(env);
      await untilConnected(bridge);
      const board = await connectBoard(broker);
      const datetime = new Date().toISOString();

      await board.publishAsync(TOPIC, JSON.stringify({ soil_moisture: 512, datetime, seq: 7 }), { qos: 1 });
      await until('stored', async () => (await ingest.count()) === 1);

      expect(await ingest.readings()).toMatchObject([
        { plant: 'fern', measured_at: Date.parse(datetime), seq: 7, soil_moisture: 512, refused_time: null },
      ]);
      await until('spool empty', async () => (await bridge.health()).spool_depth === 0);
      expect(await bridge.health()).toMatchObject({ status: 200, ok: true, dead_letters: 0 });
      expect(await ingest.heartbeat()).toMatchObject({ broker_connected: 1 });
      expect(deadLettersIn(env['SPOOL_FILE'] ?? '')).toEqual([]);
    },
  );
});
