import { afterAll, expect } from 'vitest';
import { z } from 'zod';
import { publishNumbered, type Publisher } from '../../../local/boards/publisher.ts';
import {
  bridgeEnv,
  deadLettersIn,
  startBridge,
  startBridgeProcess,
  untilConnected,
  type Bridge,
  type Change,
  type BridgeProcess,
} from '../support/bridge.ts';
import { brokers, connectBoard, hasMosquitto, ownMosquitto, type Broker } from '../support/brokers.ts';
import { fewOrMany } from '../../support/counts.ts';
import { startIngest, type Ingest } from '../support/ingest.ts';
import { freshFolder, until } from '../support/processes.ts';

/** One seed in a short run, three in a full run. */
export const seeds = [20_261_121, 7, 4_040_404].slice(0, fewOrMany(1, 3));

/** The real Mosquitto if it is installed, otherwise the embedded broker. */
export const anyBroker = () => (hasMosquitto ? brokers.mosquitto() : brokers.embedded());
/** The same for a test that ends the broker. */
export const ownBroker = () => (hasMosquitto ? ownMosquitto() : brokers.embedded());

type Env = Record<string, string>;
type Parts = { ingest: Ingest; broker: Broker; env: Env };
export type System = Parts & { bridge: Bridge };
export type SystemOfProcesses = Parts & { bridge: BridgeProcess };
type Between = (parts: Omit<Parts, 'env'>) => Promise<Env>;
const nothingBetween: Between = () => Promise.resolve({});

async function startParts(between: Between, startBroker: () => Promise<Broker>): Promise<Parts> {
  const [ingest, broker] = await Promise.all([startIngest(), startBroker()]);
  const env = { ...bridgeEnv(broker, ingest.url, freshFolder()), ...(await between({ ingest, broker })) };
  return { ingest, broker, env };
}

/** The whole system, connected. `between` may put proxies between its parts, and returns variables. */
export async function startSystem(
  between = nothingBetween,
  change?: Change,
  startBroker = anyBroker,
): Promise<System> {
  const parts = await startParts(between, startBroker);
  const bridge = await startBridge(parts.env, { change });
  await untilConnected(bridge);
  return { ...parts, bridge };
}

/** The whole system, with a broker that the test ends. */
export const startSystemOfOwnBroker = (between = nothingBetween) =>
  startSystem(between, undefined, ownBroker);

/** The same with the bridge in its own process, which can be killed and measured. */
export async function startSystemOfProcesses(between = nothingBetween): Promise<SystemOfProcesses> {
  const parts = await startParts(between, anyBroker);
  const bridge = await startBridgeProcess(parts.env);
  await untilConnected(bridge);
  return { ...parts, bridge };
}

const PLANTS = ['fern', '고사리', 'moss'];

export async function startPublisher(
  broker: Pick<Broker, 'url'>,
  random: () => number,
  options: { repeats?: number } = {},
): Promise<Publisher> {
  return publishNumbered(await connectBoard(broker), PLANTS, random, options);
}

const keyedSchema = z.object({ plant: z.string().optional(), seq: z.int() });

/** The different dead letters: plant and number of each, or its payload. */
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

/** Waits until every acknowledged reading is stored or a dead letter, and checks that this is so only once. */
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

/** Prints the results at the end of the file. */
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
