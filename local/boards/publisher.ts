import { plantTopic } from '#contract/plant-id';
import { setTimeout as wait } from 'node:timers/promises';
import { type MqttClient, connect, type IClientOptions } from 'mqtt';
import { readFileSync } from 'node:fs';

/** The address and credentials of a broker. */
export type BrokerAccess = Partial<
  Record<'MQTT_URL' | 'MQTT_CA_FILE' | 'MQTT_USERNAME' | 'MQTT_PASSWORD', string | undefined>
>;

/** Connects a board. The connection reconnects by itself. */
export function connectBoard(
  {
    MQTT_URL: url = '',
    MQTT_CA_FILE: caFile,
    MQTT_USERNAME: username,
    MQTT_PASSWORD: password,
  }: BrokerAccess,
  options: IClientOptions = {},
): MqttClient {
  return connect(url, {
    reconnectPeriod: 100,
    reconnectOnConnackError: true,
    connectTimeout: 2000,
    ...(caFile === undefined ? {} : { ca: readFileSync(caFile) }),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...options,
  });
}

/** Like `connectBoard`; resolves when the board is connected. */
export async function connectBoardAndWait(
  access: BrokerAccess,
  options: IClientOptions = {},
): Promise<MqttClient> {
  const board = connectBoard(access, options);
  await new Promise((resolve) => board.once('connect', resolve));
  return board;
}

/** Publishes numbered readings and records which of them the broker acknowledged. */
export type Publisher = {
  published: number;
  /** For each acknowledged reading: its plant, a space, and its number. */
  acknowledged: Set<string>;
  /**
   * Publishes `count` more readings, each of them `times` times. At most `inFlight` are unacknowledged at
   * once, and at most `aSecond` are sent per second. Resolves when all are acknowledged.
   */
  publish: (count: number, how?: { times?: number; inFlight?: number; aSecond?: number }) => Promise<void>;
};

const FIRST = Date.UTC(2026, 2, 2);

/** After each reconnect, a board with the code of firmware/ sends so many acknowledged readings again. */
export const FIRMWARE_REPEATS = 20;

/**
 * @param repeats how many of the last acknowledged readings are sent again after each reconnect
 * @param measuredAt when a reading was measured, in milliseconds since 1970
 * @param first the number of the first reading
 */
export function publishNumbered(
  board: MqttClient,
  plants: readonly string[],
  random: () => number,
  { repeats = 0, measuredAt = (seq: number) => FIRST + seq * 1000, first: firstSeq = 0 } = {},
): Publisher {
  let next = firstSeq;
  let last: { topic: string; payload: string }[] = [];
  // `last` is copied on close: when MQTT.js reports the next connection, `last` already has newer readings.
  let lastBefore: typeof last = [];
  board.on('close', () => {
    lastBefore = [...last];
  });
  board.on('connect', () => {
    for (const { topic, payload } of lastBefore) {
      publisher.published += 1;
      board.publish(topic, payload, { qos: 1 });
    }
  });
  /** Tries again, because MQTT.js drops new messages while it resends those of an earlier connection. */
  async function say(topic: string, payload: string): Promise<void> {
    for (;;) {
      try {
        await board.publishAsync(topic, payload, { qos: 1 });
        return;
      } catch (error) {
        if (board.disconnecting) throw error;
        await wait(100);
      }
    }
  }
  const publisher: Publisher = {
    published: 0,
    acknowledged: new Set(),
    publish: async (count, { times = 1, inFlight = 20, aSecond = Infinity } = {}) => {
      const first = next;
      const end = next + count;
      const began = Date.now();
      const lane = async () => {
        while (next < end) {
          const seq = next++;
          const early = began + ((seq - first) * 1000) / aSecond - Date.now();
          if (early > 0) await wait(early);
          const plant = plants[Math.floor(random() * plants.length)] ?? '';
          const datetime = new Date(measuredAt(seq)).toISOString();
          const payload = JSON.stringify({ soil_moisture: Math.floor(random() * 1024), datetime, seq });
          const topic = plantTopic(plant, 'soil_moisture');
          for (let time = 0; time < times; time++) {
            publisher.published += 1;
            await say(topic, payload);
          }
          if (repeats > 0) last = [...last.slice(1 - repeats), { topic, payload }];
          publisher.acknowledged.add(`${plant} ${seq}`);
        }
      };
      await Promise.all(Array.from({ length: inFlight }, lane));
    },
  };
  return publisher;
}
