import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, type MqttClient } from 'mqtt';
import { z } from 'zod';
import { shareOrAll } from '../support/counts.ts';
import { bridgeEnv, deadLettersIn, startBridge, untilConnected } from './support/bridge.ts';
import { brokers, connectBoard, hasMosquitto } from './support/brokers.ts';
import { startIngest } from './support/ingest.ts';
import { freshFolder, until } from './support/processes.ts';

const reading = (plant: string) => `lab/plants/${plant}/soil_moisture`;
const availability = (plant: string) => `lab/plants/${plant}/availability`;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const stateSchema = z.object({ topic: z.string(), online: z.int().nullable(), readings: z.int() });

/** A board, a bridge that can be started again, and what D1 knows about the boards. */
async function startSystem(kind: keyof typeof brokers) {
  const [ingest, broker] = await Promise.all([startIngest(), brokers[kind]()]);
  const env = bridgeEnv(broker, ingest.url, freshFolder());
  // With MQTT 3.1.1 each connection gets the retained messages, as in the local run.
  const start = async () => {
    const bridge = await startBridge({ ...env, MQTT_PROTOCOL_VERSION: '4' });
    await untilConnected(bridge);
    return bridge;
  };
  const db = ingest.openFile({ readOnly: true });
  onTestFinished(() => db.close());
  const find = db.prepare(
    'SELECT topic, board_online AS online, readings FROM plant_states JOIN plants ON plants.id = plant_id ORDER BY topic',
  );
  const states = () => find.all().map((row) => stateSchema.parse(row));
  const board = await connectBoard(broker);
  const publish = (topic: string, payload: string, retain = false) =>
    board.publishAsync(topic, payload, { qos: 1, retain });
  return {
    ingest,
    broker,
    start,
    states,
    publish,
    online: (plant: string) => states().find(({ topic }) => topic === plant)?.online,
    letters: () => deadLettersIn(env['SPOOL_FILE'] ?? ''),
    /** Waits until everything that was published before has arrived in D1. */
    settled: async () => {
      const topic = `marker ${Math.random()}`;
      await publish(availability(topic), 'online');
      await publish(reading(topic), '1');
      await until('settled', () =>
        states().some((row) => row.topic === topic && row.readings + (row.online ?? 0) === 2),
      );
    },
  };
}

const kinds = shareOrAll(hasMosquitto ? 1 : 2, ['embedded', 'mosquitto'] as const);

describe.each(kinds)('what is known of a board at the %s broker', (kind) => {
  const missing = kind === 'mosquitto' && !hasMosquitto;

  test.skipIf(missing)('PLT-24 it is there when a reading comes after its retained `offline`', async () => {
    const { start, publish, online } = await startSystem(kind);
    const before = await start();
    await publish(availability('fern'), 'offline', true);
    await until('lost', () => online('fern') === 0);
    await publish(reading('fern'), '500');
    await until('heard', () => online('fern') === 1);
    await publish(availability('fern'), 'offline');
    await until('lost again', () => online('fern') === 0);
    await before.end();
    await start();
    await publish(reading('fern'), '501');
    await until('heard again', () => online('fern') === 1);
  });

  test.skipIf(missing)(
    'PLT-24 what its board left retained brings no removed plant back, a new reading does',
    async () => {
      const { start, publish, states, letters, ingest, settled } = await startSystem(kind);
      const before = await start();
      await publish(reading('fern'), JSON.stringify({ soil_moisture: 500, datetime: minutesAgo(30) }), true);
      await publish(availability('fern'), 'offline', true);
      await until('stored', () => states().some(({ readings, online }) => readings === 1 && online === 0));
      // Removes the plant as the API worker does.
      await ingest.run(`INSERT INTO removed_topics VALUES ('fern', ${Date.now()})`);
      await ingest.run('DELETE FROM plant_states');
      await ingest.run("UPDATE plants SET topic = '/' || id, name = '/' || id");
      await before.end();
      await start();
      await settled();
      expect(states().map(({ topic }) => topic)).toEqual([expect.stringContaining('marker')]);
      expect(letters()).toEqual([]);
      await publish(reading('fern'), '501');
      await until('back', () => states().some(({ topic, readings }) => topic === 'fern' && readings === 1));
    },
  );

  test.skipIf(missing)(
    'PLT-24 two boards of one name that take the connection from each other are told of',
    async () => {
      const { start, broker, ingest, states } = await startSystem(kind);
      const bridge = await start();
      const twin = (): MqttClient => {
        const client = connect(broker.url, {
          clientId: 'fern',
          reconnectPeriod: 50,
          will: { topic: availability('fern'), payload: Buffer.from('offline'), qos: 1, retain: true },
        });
        client.on('connect', () => {
          client.publish(availability('fern'), 'online', { qos: 1, retain: true });
          client.publish(reading('fern'), '512', { qos: 1 });
        });
        client.on('error', () => undefined);
        onTestFinished(() => void client.end(true));
        return client;
      };
      const first = twin();
      await until('the first is heard', () => states().some(({ readings }) => readings > 0));
      twin();
      await until('told', async () => (await bridge.health()).boards_reconnecting.includes('fern'));
      await first.endAsync(true);
      const db = ingest.openFile({ readOnly: true });
      onTestFinished(() => db.close());
      const said = db.prepare('SELECT boards_reconnecting AS said FROM bridge_heartbeats');
      await until('told the ingest worker', () => said.get()?.['said'] === '["fern"]');
    },
  );
});
