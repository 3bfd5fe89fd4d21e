import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { READINGS_BODY_MAX, READINGS_PER_BATCH, readingSchema, type Reading } from '#contract/readings';
import { plantIdSchema } from '#contract/plant-id';
import {
  BATCHES_AT_ONCE,
  BURST_OVER_MS,
  createBatchSchedule,
  countReadingsThatFit,
} from '../../firmware-bridge/src/deliver/batches.ts';
import { DELIVERY_INTERVALS } from '../../firmware-bridge/src/deliver/delivery.ts';
import { propertyRuns } from '../support/counts.ts';

const FULL = 10;

/** Simulates readings that arrive at these instants. @returns when each batch is sent, and its readings */
function batchesOf(arrivals: readonly number[], full = FULL): { at: number; readings: number[] }[] {
  const gathering = createBatchSchedule(DELIVERY_INTERVALS.lingerMs);
  const coming = arrivals.toSorted((a, b) => a - b);
  const batches: { at: number; readings: number[] }[] = [];
  const spooled: number[] = [];
  for (let now = 0; coming.length + spooled.length > 0;) {
    while (coming[0] !== undefined && coming[0] <= now) {
      gathering.arrived(now);
      spooled.push(...coming.splice(0, 1));
    }
    const next = coming[0] ?? Infinity;
    const waitMs = spooled.length === 0 ? Infinity : gathering.waitMs(now, spooled.length >= full);
    if (waitMs === 0) {
      gathering.began(now, spooled.length >= full);
      batches.push({ at: now, readings: spooled.splice(0, full) });
    } else now = Math.min(next, now + waitMs);
  }
  return batches;
}

const someArrivals = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 });

describe('gathering', () => {
  test('ING-13 the first readings after a silence go at once, each alone, and what follows them together', () => {
    expect(batchesOf([5000, 5001, 5400, 5700, 5999, 9000])).toEqual([
      { at: 5000, readings: [5000] },
      { at: 5001, readings: [5001] },
      { at: 5400, readings: [5400] },
      { at: 5000 + DELIVERY_INTERVALS.lingerMs, readings: [5700, 5999] },
      { at: 9000, readings: [9000] },
    ]);
  });

  test('ING-13 whenever readings come, none waits longer than a second, and each goes once, in order', () => {
    fc.assert(
      fc.property(someArrivals, (arrivals) => {
        const batches = batchesOf(arrivals);
        expect(batches.flatMap(({ readings }) => readings)).toEqual(arrivals.toSorted((a, b) => a - b));
        for (const { at, readings } of batches) {
          for (const arrived of readings)
            expect(at - arrived).toBeLessThanOrEqual(DELIVERY_INTERVALS.lingerMs);
        }
      }),
      propertyRuns(),
    );
  });

  test('ING-13 readings that come singly make at most one batch a second, beside those that go at once', () => {
    fc.assert(
      fc.property(someArrivals, (arrivals) => {
        const batches = batchesOf(arrivals, arrivals.length + 1);
        for (const [index, { at }] of batches.slice(BATCHES_AT_ONCE).entries()) {
          expect(at - (batches[index]?.at ?? 0)).toBeGreaterThanOrEqual(DELIVERY_INTERVALS.lingerMs);
        }
        const last = batches.at(-1)?.at ?? 0;
        const first = batches[0]?.at ?? 0;
        expect(batches.length).toBeLessThanOrEqual(
          BATCHES_AT_ONCE + (last - first) / DELIVERY_INTERVALS.lingerMs,
        );
      }),
      propertyRuns(),
    );
  });

  test('ING-13 a backlog goes batch after batch, its rest as soon as it is certain that no more of it comes', () => {
    const backlog = Array.from({ length: 3 * FULL + 2 }, () => 100);
    expect(batchesOf(backlog).map(({ at, readings }) => [at, readings.length])).toEqual([
      [100, FULL],
      [100, FULL],
      [100, FULL],
      [100 + BURST_OVER_MS, 2],
    ]);
  });

  test('ING-13 after a failure nothing waits for more', () => {
    const gathering = createBatchSchedule(DELIVERY_INTERVALS.lingerMs);
    for (let batch = 0; batch < BATCHES_AT_ONCE; batch++) gathering.began(1000, false);
    expect(gathering.waitMs(1001, false)).toBe(DELIVERY_INTERVALS.lingerMs - 1);
    gathering.hurry();
    expect(gathering.waitMs(1001, false)).toBe(0);
    gathering.began(1001, false);
    expect(gathering.waitMs(1002, false)).toBe(DELIVERY_INTERVALS.lingerMs - 1);
  });
});

describe('the body of a batch', () => {
  const plantName = fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }),
      fc.string({ unit: fc.constantFrom('"', '\\', '화', '\u2028', '🌿', 'a'), minLength: 1, maxLength: 64 }),
    )
    .filter((name) => plantIdSchema.safeParse(name).success);
  const reading = (plants: fc.Arbitrary<string>): fc.Arbitrary<Reading> =>
    fc.record({
      plant: plants,
      datetime: fc.constantFrom('2026-03-02T14:05:00.000Z', '+012026-03-02T14:05:00.000Z'),
      soil_moisture: fc.integer({ min: 0, max: 1023 }),
      seq: fc.maxSafeInteger(),
      received_at: fc.constant('2026-03-02T14:05:00.000Z'),
    });
  const bodyBytes = (readings: readonly Reading[]) => Buffer.byteLength(JSON.stringify({ readings }));

  test('ING-13 whatever the plants are called, a body has as many readings as fit, and at least one', () => {
    fc.assert(
      fc.property(
        fc.array(reading(plantName), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: READINGS_PER_BATCH }),
        (some, count) => {
          const readings = Array.from({ length: count }, (_, n) => some[n % some.length]).filter(
            (each) => each !== undefined,
          );
          const fit = countReadingsThatFit(readings);
          expect(fit).toBeGreaterThan(0);
          expect(bodyBytes(readings.slice(0, fit))).toBeLessThanOrEqual(READINGS_BODY_MAX);
          const isFull = fit === count || bodyBytes(readings.slice(0, fit + 1)) > READINGS_BODY_MAX;
          expect(isFull).toBe(true);
        },
      ),
      propertyRuns(100, 2000),
    );
  });

  test('ING-13 the longest names of all make several bodies of 500 readings', () => {
    const longest = readingSchema.parse({
      plant: '화'.repeat(64),
      datetime: '2026-03-02T14:05:00.000Z',
      soil_moisture: 1023,
      seq: -(2 ** 53) + 1,
      received_at: '2026-03-02T14:05:00.000Z',
    });
    const readings = Array.from({ length: READINGS_PER_BATCH }, () => longest);
    expect(bodyBytes(readings)).toBeGreaterThan(READINGS_BODY_MAX);
    expect(countReadingsThatFit(readings)).toBeLessThan(READINGS_PER_BATCH);
  });
});
