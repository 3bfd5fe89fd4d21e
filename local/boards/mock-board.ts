import { plantTopic } from '#contract/plant-id';
import { setTimeout as wait } from 'node:timers/promises';
import type { MqttClient } from 'mqtt';
import { connectBoard, type BrokerAccess } from './publisher.ts';
import type { Mood, MockReading } from './moods.ts';

/** How many readings a board stores while the broker is away. Then it drops the oldest readings. */
const MEMORY = 500;

type Options = {
  access: BrokerAccess;
  /** The sensor's raw value at an instant (milliseconds since 1970). */
  soil: (atMs: number) => number;
  everyMs: number;
  /** The board stops by itself after so many measurements. If absent, it never stops by itself. */
  measurements?: number;
  complain: (problem: string) => void;
};

export type MockBoard = {
  plant: string;
  measured: number;
  /** The `seq` of each reading that the broker acknowledged. */
  acknowledged: Set<number>;
  /** How many acknowledged messages did not contain a reading. */
  garbage: number;
  /** Resolves when all readings are acknowledged, or when the board was stopped. */
  ended: Promise<void>;
  stop: () => void;
};

/** A simulated board: it measures, changes the readings as its mood says, and sends them at QoS 1. */
export function startMockBoard(plant: string, mood: Mood, options: Options): MockBoard {
  const { access, soil, everyMs, measurements = Infinity, complain } = options;
  const topic = plantTopic(plant, 'soil_moisture');
  const availability = plantTopic(plant, 'availability');
  const stopping = new AbortController();
  const kept: MockReading[] = [];
  let client: MqttClient | undefined;
  let lastProblem = '';

  function connection(): MqttClient {
    if (client !== undefined) return client;
    client = connectBoard(access, {
      // The shipped Mosquitto configuration requires client id = user name = plant.
      clientId: plant,
      will: { topic: availability, payload: Buffer.from('offline'), qos: 1, retain: true },
    });
    client.on('error', (error) => {
      // MQTT.js tries again many times a second. Report the same problem once, not on every attempt.
      const problem = error.message || String(error);
      if (problem !== lastProblem) complain(problem);
      lastProblem = problem;
    });
    client.on('connect', () => {
      lastProblem = '';
      client?.publish(availability, 'online', { qos: 1, retain: true });
    });
    return client;
  }

  function measure(): void {
    const now = Date.now();
    const reading = { soil_moisture: soil(now), datetime: new Date(now).toISOString(), seq: board.measured };
    board.measured += 1;
    kept.push(...(mood.measured?.(reading) ?? [reading]));
    if (mood.measured === undefined && kept.length > MEMORY) kept.shift();
  }

  async function send(): Promise<void> {
    const link = connection();
    const readings = kept.splice(0);
    if (readings.length > 0) {
      const payload = JSON.stringify(readings.length === 1 ? readings[0] : readings);
      await link.publishAsync(topic, payload, { qos: 1 });
      for (const { seq } of readings) board.acknowledged.add(seq);
    }
    for (const payload of mood.garbage?.() ?? []) {
      await link.publishAsync(topic, Buffer.from(payload), { qos: 1 });
      board.garbage += 1;
    }
  }

  async function live(): Promise<void> {
    let sending: Promise<void> | undefined;
    for (let count = 0; count < measurements && !stopping.signal.aborted; count++) {
      measure();
      const link = mood.link?.() ?? 'keeps';
      if (link === 'sleeps') {
        const asleep = client;
        client = undefined;
        // Disconnects regularly, so that the broker does not publish the board's will.
        await sending;
        await asleep?.endAsync();
      } else {
        sending ??= send().finally(() => {
          sending = undefined;
        });
        if (link === 'breaks') client?.stream.destroy();
      }
      await wait(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    if (stopping.signal.aborted) return;
    await sending;
    if (kept.length > 0) await send();
    await client?.endAsync();
  }

  const board: MockBoard = {
    plant,
    measured: 0,
    acknowledged: new Set(),
    garbage: 0,
    ended: Promise.resolve(),
    // Ends as if the power were cut: the broker publishes the board's will.
    stop: () => {
      stopping.abort();
      client?.stream.destroy();
      client?.end(true);
    },
  };
  board.ended = live();
  return board;
}
