import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import type { MqttClient } from 'mqtt';
import { z } from 'zod';
import { bridgeEnv, deadLettersIn, startBridge, untilConnected, type Bridge } from '../support/bridge.ts';
import { brokers, connectBoard, hasMosquitto, type Broker } from '../support/brokers.ts';
import { fewOrMany } from '../../support/counts.ts';
import { startIngest, type Ingest } from '../support/ingest.ts';
import { freshFolder, until } from '../support/processes.ts';

/** One seed every day, three in a full run. */
export const seeds = [20_261_121, 7, 4_040_404].slice(0, fewOrMany(1, 3));

/** Numbers from 0 to 1 that only the seed decides (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Real Mosquitto where it is on the machine, otherwise the embedded broker. */
export const anyBroker = () => (hasMosquitto ? brokers.mosquitto() : brokers.embedded());

export type System = { ingest: Ingest; broker: Broker; env: Record<string, string>; bridge: Bridge };

/** The whole way, connected. `env` may put something between its parts. */
export async function startSystem(
  between: (parts: { ingest: Ingest; broker: Broker }) => Promise<Record<string, string>> = () =>
    Promise.resolve({}),
): Promise<System> {
  const [ingest, broker] = await Promise.all([startIngest(), anyBroker()]);
  const env = { ...bridgeEnv(broker, ingest.url, freshFolder()), ...(await between({ ingest, broker })) };
  const bridge = await startBridge(env);
  await untilConnected(bridge);
  return { ingest, broker, env, bridge };
}

/** Publishes numbered readings and knows which of them the broker acknowledged. */
export type Publisher = {
  published: number;
  acknowledged: Set<string>;
  /**
   * Publishes as many more, a few in flight and, when asked, no more than so many a second; resolves when all are
   * acknowledged.
   */
  publish: (count: number, how?: { times?: number; inFlight?: number; aSecond?: number }) => Promise<void>;
};

const PLANTS = ['fern', '고사리', 'moss'];
const EPOCH = Date.UTC(2026, 2, 2);

/** @param repeatsLast whether after each reconnect it says once more what was acknowledged last, as boards should */
export async function startPublisher(
  broker: Broker,
  random: () => number,
  { repeatsLast = false } = {},
): Promise<Publisher> {
  const board = await connectBoard(broker);
  return publisherOn(board, random, repeatsLast);
}

function publisherOn(board: MqttClient, random: () => number, repeatsLast: boolean): Publisher {
  let next = 0;
  let last: { topic: string; payload: string } | undefined;
  // MQTT.js says that it is connected when what was under way has been acknowledged: too late to know the last before.
  let lastBefore: typeof last;
  board.on('close', () => {
    lastBefore = last;
  });
  board.on('connect', () => {
    if (!repeatsLast || lastBefore === undefined) return;
    publisher.published += 1;
    board.publish(lastBefore.topic, lastBefore.payload, { qos: 1 });
  });
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
          const plant = PLANTS[Math.floor(random() * PLANTS.length)] ?? 'fern';
          const datetime = new Date(EPOCH + seq * 1000).toISOString();
          const payload = JSON.stringify({ soil_moisture: Math.floor(random() * 1024), datetime, seq });
          const topic = `lab/plants/${plant}/soil_moisture`;
          for (let time = 0; time < times; time++) {
            publisher.published += 1;
            await board.publishAsync(topic, payload, { qos: 1 });
          }
          last = { topic, payload };
          publisher.acknowledged.add(`${plant} ${seq}`);
        }
      };
      await Promise.all(Array.from({ length: inFlight }, lane));
    },
  };
  return publisher;
}

const keyedSchema = z.object({ plant: z.string().optional(), seq: z.int() });

/** Distinct dead letters, by the number in them where there is one. */
function deadKeys(file: string): Set<string> {
  return new Set(
    deadLettersIn(file).map(({ topic, payload }) => {
      const text = Buffer.from(payload).toString();
      try {
        const { seq } = keyedSchema.parse(JSON.parse(text));
        return `${topic.split('/')[2]} ${seq}`;
      } catch {
        return text;
      }
    }),
  );
}

const table: (readonly (string | number)[])[] = [];

/** Waits until all that was acknowledged is stored or a dead letter, and proves that it is so once each. */
export async function proveNothingLost(
  fault: string,
  seed: number,
  { ingest, env }: Pick<System, 'ingest' | 'env'>,
  { acknowledged, published }: Pick<Publisher, 'acknowledged' | 'published'>,
  expectedDead = 0,
): Promise<void> {
  const file = env['SPOOL_FILE'] ?? '';
  await until(
    `${fault}: all of ${acknowledged.size} stored or dead`,
    async () => (await ingest.count()) + deadKeys(file).size >= acknowledged.size,
    90_000,
  );
  const rows = await ingest.readings();
  const stored = new Set(rows.map(({ plant, seq }) => `${plant} ${seq}`));
  const dead = deadKeys(file);
  table.push([fault, seed, published, acknowledged.size, stored.size, dead.size, rows.length - stored.size]);
  expect(rows.length - stored.size).toBe(0);
  expect([...stored].filter((key) => dead.has(key))).toEqual([]);
  expect(new Set([...stored, ...dead])).toEqual(acknowledged);
  expect(dead.size).toBe(expectedDead);
}

/** Prints what was proven, when the file is through. */
export function printTableAtTheEnd(): void {
  afterAll(() => {
    if (table.length === 0) return;
    const head = ['fault', 'seed', 'published', 'acknowledged', 'stored', 'dead', 'duplicate'];
    const lines = [head, ...table].map((row) =>
      row
        .map((cell, column) => (column === 0 ? String(cell).padEnd(44) : String(cell).padStart(13)))
        .join(''),
    );
    process.stdout.write(`\n${lines.join('\n')}\n`);
  });
}
