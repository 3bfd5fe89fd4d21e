import { moisturePercent } from '#contract/moisture/percent';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../support/counts.ts';

const options = propertyRuns(200, 10_000);

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
    expect([800, 675, 550, 300].map((raw) => moisturePercent(raw, calibration))).toEqual([0, 25, 50, 100]);
  });

  test('PLT-6 is 0 at dry, 100 at wet, never outside, and rises all the way from dry to wet', () => {
    fc.assert(
      fc.property(
        calibrationArb,
        rawArb,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (calibration, raw, part) => {
          const { dry, wet } = calibration;
          expect(moisturePercent(dry, calibration)).toBe(0);
          expect(moisturePercent(wet, calibration)).toBe(100);
          expect(moisturePercent(raw, calibration)).toBeGreaterThanOrEqual(0);
          expect(moisturePercent(raw, calibration)).toBeLessThanOrEqual(100);
          expect(moisturePercent(dry + part * (wet - dry), calibration)).toBeCloseTo(part * 100, 6);
        },
      ),
      options,
    );
  });

  test('PLT-6 is the one of the plant that is calibrated, otherwise the one of all', () => {
    expect(moisturePercent(550, { dry: 800, wet: 300 })).toBe(50);
    expect(moisturePercent(550, undefined)).toBe(moisturePercent(550));
  });
});
