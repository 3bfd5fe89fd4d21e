import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { Delivery, DELIVERY_INTERVALS } from '../../firmware-bridge/src/deliver/delivery.ts';
import { Health } from '../../firmware-bridge/src/health.ts';
import type { IngestAnswer } from '../../firmware-bridge/src/deliver/ingest-client.ts';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { seededRandom } from '../../local/boards/seeded-random.ts';
import { fewOrMany } from '../support/counts.ts';
import { knownClock } from './support/clocks.ts';
import { freshFolder, until } from './support/processes.ts';

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

/** Short pauses between attempts, and long pauses for a reading that has failed alone. */
const QUICK = {
  ...DELIVERY_INTERVALS,
  lingerMs: 1,
  retry: { firstMs: 1, mostMs: 1 },
  putOff: { firstMs: 600_000, mostMs: 600_000 },
};

/**
 * Sends so many readings of so many boards to a worker that fails on some of them.
 * @returns the number of requests until all other readings were stored
 */
async function requestsUntilStored(boards: number, count: number, bad: ReadonlySet<number>): Promise<number> {
  const spool = openSpool(join(freshFolder(), 'spool.sqlite'));
  const stored = new Set<number>();
  let requests = 0;
  spool.commit(
    Array.from({ length: count }, (_, seq) => ({
      topic: `lab/plants/fern${seq % boards}/soil_moisture`,
      payload: Buffer.from(JSON.stringify({ soil_moisture: 1, seq })),
      retained: false,
      receivedAt: Date.now(),
    })),
  );
  const ingest = {
    askTime: () => Promise.resolve(null),
    sendHeartbeat: () => Promise.resolve({ arrived: true } as const),
    sendReadings: (readings: readonly { seq?: number | undefined }[]): Promise<IngestAnswer> => {
      requests += 1;
      const numbers = readings.map(({ seq = -1 }) => seq);
      if (numbers.some((seq) => bad.has(seq))) {
        const failure = {
          kind: 'failed',
          failure: 'ingest_failing',
          reason: 'HTTP 500',
          status: 500,
        } as const;
        return Promise.resolve({ ...failure, retryAfterMs: 0, requestId: 'test', rows: [] });
      }
      for (const seq of numbers) stored.add(seq);
      return Promise.resolve({ kind: 'accepted', results: readings.map(() => ({ status: 'stored' })) });
    },
  };
  const delivery = new Delivery(() => spool, ingest, new Health(() => spool.status()), knownClock(), QUICK);
  await until('neighbours stored', () => stored.size === count - bad.size);
  await delivery.stop();
  expect(spool.status()).toMatchObject({ depth: bad.size, deadLetters: 0 });
  spool.close();
  return requests;
}

test('FAULT-9 ING-3 whatever boards take turns, a reading on which the worker fails is found by halving, and all others pass', async () => {
  const random = seededRandom(20_261_125);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let run = 0; run < fewOrMany(6, 200); run++) {
    const boards = 1 + below(9);
    const count = 2 + below(1500);
    const bad = new Set(Array.from({ length: 1 + below(Math.min(3, count - 1)) }, () => below(count)));
    const requests = await requestsUntilStored(boards, count, bad);
    // For each bad reading, 500 readings are halved about nine times, and batches grow again by doubling.
    expect(requests, `${boards} boards, ${count} readings`).toBeLessThanOrEqual(
      10 + count / 500 + 27 * bad.size,
    );
  }
});

test('FAULT-10 ING-3 what was answered for a spool is not settled in the one that takes its place, whose readings have the same numbers', async () => {
  const message = (seq: number) => ({
    topic: 'lab/plants/fern/soil_moisture',
    payload: Buffer.from(JSON.stringify({ soil_moisture: 1, seq })),
    retained: false,
    receivedAt: Date.now(),
  });
  const [first, second] = [freshFolder(), freshFolder()].map((folder) =>
    openSpool(join(folder, 'spool.sqlite')),
  );
  if (first === undefined || second === undefined) throw new Error('no spool');
  first.commit([message(1)]);
  second.commit([message(2)]);
  let spool = first;
  const sent: number[] = [];
  const ingest = {
    askTime: () => Promise.resolve(null),
    sendHeartbeat: () => Promise.resolve({ arrived: true } as const),
    sendReadings: (readings: readonly { seq?: number | undefined }[]): Promise<IngestAnswer> => {
      spool = second;
      sent.push(...readings.map(({ seq = -1 }) => seq));
      return Promise.resolve({ kind: 'accepted', results: readings.map(() => ({ status: 'stored' })) });
    },
  };
  const delivery = new Delivery(() => spool, ingest, new Health(() => first.status()), knownClock(), QUICK);
  await until('the second is empty', () => second.status().depth === 0);
  await delivery.stop();
  expect(sent).toEqual([1, 2]);
  expect(first.status().depth).toBe(1);
  first.close();
  second.close();
});
