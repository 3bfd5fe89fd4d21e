import { daysUntilDry, findWaterings, type Sample } from '#contract/moisture';
import { calibratedPercent, moisturePercent, plantPercent } from '#contract/moisture/percent';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alertSince, DEFAULT_ALERT_LIMITS, isAlertAfter } from '../support/alert-rule.ts';
import { propertyRuns } from '../support/counts.ts';

const options = propertyRuns(200, 10_000);

const START = Date.parse('2026-03-02T00:00:00Z');
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** Samples given as [minute, percent]. */
const at = (...points: [minute: number, percent: number][]): Sample[] =>
  points.map(([minute, percent]) => ({ time: START + minute * MINUTE, percent }));

const rawArb = fc.integer({ min: 0, max: 1023 });
const calibrationArb = fc.record({ dry: rawArb, wet: rawArb }).filter(({ dry, wet }) => dry !== wet);

describe('percent of a raw reading', () => {
  test('PLT-1 falls from 100 to 0 as raw rises from 0 to 1023', () => {
    expect(moisturePercent(0)).toBe(100);
    expect(moisturePercent(1023)).toBe(0);
    expect(moisturePercent(512)).toBeCloseTo(49.951, 3);
    fc.assert(
      fc.property(fc.nat(1022), (raw) => {
        expect(moisturePercent(raw)).toBeGreaterThan(moisturePercent(raw + 1));
      }),
      options,
    );
  });

  test('PLT-6 with dry 800 and wet 300, raw 550 is 50 %', () => {
    const calibration = { dry: 800, wet: 300 };
    expect([800, 675, 550, 300].map((raw) => calibratedPercent(raw, calibration))).toEqual([0, 25, 50, 100]);
  });

  test('PLT-6 is 0 at dry, 100 at wet, never outside, and rises all the way from dry to wet', () => {
    fc.assert(
      fc.property(
        calibrationArb,
        rawArb,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (calibration, raw, part) => {
          const { dry, wet } = calibration;
          expect(calibratedPercent(dry, calibration)).toBe(0);
          expect(calibratedPercent(wet, calibration)).toBe(100);
          expect(calibratedPercent(raw, calibration)).toBeGreaterThanOrEqual(0);
          expect(calibratedPercent(raw, calibration)).toBeLessThanOrEqual(100);
          expect(calibratedPercent(dry + part * (wet - dry), calibration)).toBeCloseTo(part * 100, 6);
        },
      ),
      options,
    );
  });

  test('PLT-6 is the one of the plant that is calibrated, otherwise the one of all', () => {
    expect(plantPercent(550, { dry: 800, wet: 300 })).toBe(50);
    expect(plantPercent(550, undefined)).toBe(moisturePercent(550));
  });
});

describe('waterings', () => {
  test('PLT-8 are 10 points up within 30 minutes', () => {
    expect(findWaterings(at([0, 40], [30, 50]))).toEqual([{ time: START, before: 40, after: 50 }]);
    expect(findWaterings(at([0, 40], [30, 49.9]))).toEqual([]);
    expect(findWaterings(at([0, 40], [31, 50]))).toEqual([]);
  });

  test('PLT-8 are counted once, from the last low reading to the top, however long the water sinks in', () => {
    const soaking = at([0, 31], [10, 30], [15, 36], [20, 45], [30, 55], [40, 62], [50, 61], [600, 58]);
    expect(findWaterings(soaking)).toEqual([{ time: START + 10 * MINUTE, before: 30, after: 62 }]);
  });

  test('PLT-8 can follow each other', () => {
    const twice = at([0, 30], [10, 45], [50, 44], [60, 43], [70, 55]);
    expect(findWaterings(twice).map(({ before, after }) => [before, after])).toEqual([
      [30, 45],
      [43, 55],
    ]);
  });

  test('PLT-8 are not seen in a single wild reading, up or down', () => {
    expect(findWaterings(at([0, 40], [10, 40], [20, 90], [30, 40], [40, 40]))).toEqual([]);
    expect(findWaterings(at([0, 40], [10, 40], [20, 0], [30, 40], [40, 40]))).toEqual([]);
  });

  test('PLT-8 are seen when the sensor was pulled out for them', () => {
    const pulled = at([0, 40], [10, 40], [20, 0], [25, 60], [40, 59]);
    expect(findWaterings(pulled).map(({ before, after }) => [before, after])).toEqual([[40, 60]]);
  });

  const walkArb = fc
    .array(fc.record({ wait: fc.integer({ min: 1, max: 90 }), percent: fc.integer({ min: 0, max: 100 }) }), {
      maxLength: 60,
    })
    .map((steps) => {
      let minute = 0;
      return at(...steps.map(({ wait, percent }): [number, number] => [(minute += wait), percent]));
    });

  test('PLT-8 rise by 10 points at least, come in order, and start and end at readings', () => {
    fc.assert(
      fc.property(walkArb, (samples) => {
        const waterings = findWaterings(samples);
        for (const [index, { time, before, after }] of waterings.entries()) {
          expect(after - before).toBeGreaterThanOrEqual(10);
          expect(samples).toContainEqual({ time, percent: before });
          expect(samples.some((sample) => sample.time > time && sample.percent === after)).toBe(true);
          expect(time).toBeGreaterThan(waterings[index - 1]?.time ?? 0);
        }
      }),
      options,
    );
  });

  test('PLT-8 are never seen while soil only dries', () => {
    fc.assert(
      fc.property(walkArb, (samples) => {
        const levels = samples.map(({ percent }) => percent).toSorted((a, b) => b - a);
        const drying = samples.map(({ time }, index) => ({ time, percent: levels[index] ?? 0 }));
        expect(findWaterings(drying)).toEqual([]);
      }),
      options,
    );
  });

  test('PLT-8 between slow readings of days are found, each where it was', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 10, max: 60 }), { minLength: 1, maxLength: 8 }), (rises) => {
        // Each day the soil is at 30, is watered at noon within 20 minutes, and dries until the next noon.
        const samples = rises.flatMap((rise, day) =>
          at([day * 1440, 30], [day * 1440 + 10, 30 + rise / 2], [day * 1440 + 20, 30 + rise]),
        );
        expect(findWaterings(samples)).toEqual(
          rises.map((rise, day) => ({ time: START + day * DAY, before: 30, after: 30 + rise })),
        );
      }),
      options,
    );
  });
});

describe('days until dry', () => {
  const falling = (from: number, perDay: number, days: number, every = 0.25) =>
    at(
      ...Array.from({ length: Math.round(days / every) + 1 }, (_, step): [number, number] => [
        step * every * 1440,
        from - perDay * step * every,
      ]),
    );

  test('PLT-8 are 10 at 40 %, falling 2 a day, dry at 20 %', () => {
    expect(daysUntilDry(falling(50, 2, 5), 20)).toBeCloseTo(10, 9);
    expect(daysUntilDry(falling(42, 2, 1, 1), 20)).toBeCloseTo(10, 9);
  });

  test('PLT-8 are right for every straight fall', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 20, noNaN: true }),
        fc.double({ min: 1, max: 50, noNaN: true }),
        fc.double({ min: 5, max: 40, noNaN: true }),
        (perDay, above, dry) => {
          const samples = falling(dry + above + perDay * 2, perDay, 2);
          expect(daysUntilDry(samples, dry)).toBeCloseTo(above / perDay, 4);
        },
      ),
      options,
    );
  });

  test('PLT-8 are hardly moved by a few wild readings', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 38 }), { maxLength: 4 }),
        fc.nat(100),
        (wild, percent) => {
          const samples = falling(60, 2, 10).map((sample, index) =>
            wild.includes(index) ? { time: sample.time, percent } : sample,
          );
          const days = daysUntilDry(samples, 20) ?? 0;
          expect(days).toBeGreaterThan(8);
          expect(days).toBeLessThan(12);
        },
      ),
      options,
    );
  });

  test('PLT-8 go by what was since the last watering', () => {
    const before = falling(60, 10, 3);
    const watered = falling(60, 2, 10).map(({ time, percent }) => ({
      time: time + 3 * DAY + 20 * MINUTE,
      percent,
    }));
    expect(daysUntilDry([...before, ...watered], 20)).toBeCloseTo(10, 6);
    expect(daysUntilDry([...before, ...watered], 20, START + 3 * DAY)).toBeCloseTo(10, 6);
  });

  test('PLT-8 are 0 where it is dry, and nothing where it does not fall, hardly falls, or is too new to tell', () => {
    expect(daysUntilDry(falling(30, 2, 5), 20)).toBe(0);
    expect(daysUntilDry(falling(30, -2, 5), 20)).toBeNull();
    expect(daysUntilDry(falling(40, 0.01, 5), 20)).toBeNull();
    expect(daysUntilDry(at([0, 40], [60, 39]), 20)).toBeNull();
    expect(daysUntilDry([], 20)).toBeNull();
  });
});

describe('the alert', () => {
  const limits = DEFAULT_ALERT_LIMITS;

  test('PLT-9 is raised below 20 % and lifted at 25 %', () => {
    const percents = [30, 20, 19.9, 22, 24.9, 25, 22, 20];
    let stands = false;
    expect(percents.map((percent) => (stands = isAlertAfter(stands, percent, limits)))).toEqual([
      false,
      false,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('PLT-9 tells since when it stands', () => {
    expect(alertSince(at([0, 30], [10, 19], [20, 24], [30, 18]), limits)).toBe(START + 10 * MINUTE);
    expect(alertSince(at([0, 19], [10, 26], [20, 15]), limits)).toBe(START + 20 * MINUTE);
    expect(alertSince(at([0, 19], [10, 25]), limits)).toBeNull();
    expect(alertSince([], limits)).toBeNull();
  });

  test('PLT-9 changes between the limits never, outside of them always', () => {
    const limitsArb = fc
      .tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }))
      .map(([a, b]) => ({ below: Math.min(a, b), clear: Math.max(a, b) }));
    fc.assert(
      fc.property(
        limitsArb,
        fc.boolean(),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (own, stood, percent) => {
          const isBetween = percent >= own.below && percent < own.clear;
          expect(isAlertAfter(stood, percent, own)).toBe(isBetween ? stood : percent < own.below);
        },
      ),
      options,
    );
  });
});
