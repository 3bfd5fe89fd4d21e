import * as fc from 'fast-check';
import { DEFAULT_CALIBRATION } from '#contract/moisture/percent';
import { describe, expect, test } from 'vitest';
import {
  forecastSpan,
  roundedNow,
  limitOn,
  nearestReading,
} from '../../web/src/features/plants/chart-plot.ts';
import type { Reading } from '../../web/src/features/plants/history.ts';
import {
  arePointsEqual,
  splitLineAt,
  linePoints,
  splitAtGaps,
  downsample,
  readingTableRows,
} from '../../web/src/features/plants/line-points.ts';
import { propertyRuns } from '../support/counts.ts';

const options = propertyRuns(100, 5_000);
const START = Date.parse('2026-03-02T00:00:00Z');
const MINUTE = 60_000;

const at = (minutes: number[], raw = 300): Reading[] =>
  minutes.map((minute) => ({ time: START + minute * MINUTE, raw }));
const every = (interval: number, count: number, from = 0) =>
  Array.from({ length: count }, (_, step) => from + step * interval);
const lengths = (readings: Reading[]) => splitAtGaps(readings).map((part) => part.length);

const readingsArb = fc
  .array(fc.record({ wait: fc.integer({ min: 1, max: 7200 }), raw: fc.nat(1023) }), { maxLength: 400 })
  .map((steps) => {
    let time = START;
    return steps.map(({ wait, raw }): Reading => ({ time: (time += wait * 1000), raw }));
  });
const stretchOf = (readings: Reading[]) => ({
  from: readings[0]?.time ?? START,
  to: (readings.at(-1)?.time ?? START) + 1000,
});

describe('the line of a plant', () => {
  test('PLT-1 is percent of the raw value: (1023 − raw) / 1023 × 100', () => {
    const readings = [0, 1023, 512].map((raw, minute) => ({ time: START + minute * MINUTE, raw }));
    const line = { readings, scale: DEFAULT_CALIBRATION, faults: [] };
    const { sound, faulty } = linePoints(line, { from: START, to: START + 3 * MINUTE }, 1000);
    expect(faulty).toEqual([]);
    expect(sound.map(({ percent }) => percent)).toEqual([100, 0, ((1023 - 512) / 1023) * 100]);
  });

  test('PLT-12 is between dry and wet where the plant is calibrated, as its alert limit is', () => {
    const readings = [900, 800, 550, 300, 200].map((raw, minute) => ({ time: START + minute * MINUTE, raw }));
    const line = { readings, scale: { dry: 800, wet: 300 }, faults: [] };
    const { sound } = linePoints(line, { from: START, to: START + 5 * MINUTE }, 1000);
    expect(sound.map(({ percent }) => percent)).toEqual([0, 0, 50, 100, 100]);
  });

  test('PLT-6 PLT-9 keeps its limit at the same raw value when it is drawn without its calibration', () => {
    const calibration = { dry: 800, wet: 300 };
    expect(limitOn(calibration, 20, calibration)).toBe(20);
    expect(limitOn(DEFAULT_CALIBRATION, 20, calibration)).toBeCloseTo(((1023 - 700) / 1023) * 100);
    expect(limitOn(DEFAULT_CALIBRATION, 20)).toBe(20);
  });

  test('PLT-23 is drawn apart while the sensor cannot be right, and broken there', () => {
    const faults = [{ from: START + 2 * MINUTE, to: START + 3 * MINUTE }];
    const line = { readings: at(every(1, 6)), scale: DEFAULT_CALIBRATION, faults };
    const { sound, faulty } = linePoints(line, { from: START, to: START + 6 * MINUTE }, 1000);
    const minutes = (points: typeof sound) =>
      points.map(({ time, percent }) => (percent === null ? null : (time - START) / MINUTE));
    expect(minutes(sound)).toEqual([0, 1, null, 4, 5]);
    expect(minutes(faulty)).toEqual([2, 3]);
  });

  test('PLT-4 breaks where a plant was silent much longer than usual', () => {
    expect(lengths(at([...every(1, 20), ...every(1, 20, 60)]))).toEqual([20, 20]);
    expect(lengths(at([...every(60, 10), ...every(60, 10, 60 * 15)]))).toEqual([10, 10]);
    const line = { readings: at([0, 1, 2, 60, 61]), scale: DEFAULT_CALIBRATION, faults: [] };
    const { sound } = linePoints(line, { from: START, to: START + 62 * MINUTE }, 1000);
    expect(sound.map(({ percent }) => percent === null)).toEqual([false, false, false, true, false, false]);
  });

  test('PLT-4 stays whole where readings come seldom but evenly, or change their pace', () => {
    expect(lengths(at([0, 60, 125, 180, 240]))).toEqual([5]);
    expect(lengths(at([...every(15, 50), ...every(0.1, 500, 50 * 15)]))).toEqual([550]);
  });

  test('PLT-4 stays whole where an answer has the lowest and the highest of each stretch', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (parts) => {
        const minutes = every(30, 200).flatMap((start) => {
          const [a = 0, b = 0] = [parts.next().value, parts.next().value];
          return [Math.min(a, b), Math.max(a, b)].map((part) => start + part * 30);
        });
        // Twice the length of a stretch is the most that neighbours can be apart.
        const drying = every(30, 200).flatMap((start) => [start, start + 29]);
        expect(lengths(at(drying))).toEqual([400]);
        expect(lengths(at(minutes)).length).toBeLessThanOrEqual(2);
      }),
      options,
    );
  });

  test('PLT-4 loses no reading by being broken', () => {
    fc.assert(
      fc.property(readingsArb, (readings) => {
        expect(splitAtGaps(readings).flat()).toEqual(readings);
      }),
      options,
    );
  });

  test('PLT-3 is cut before its newest part, which goes on from the last point of the past', () => {
    const points = [0, 1, 2, 3].map((time) => ({ time, percent: 50 + time }));
    expect(splitLineAt(points, 2)).toEqual([points.slice(0, 2), points.slice(1)]);
    expect(splitLineAt(points, 9)).toEqual([points, []]);
    // A plant that is new is not cut: all of it is the chart's own.
    expect(splitLineAt(points, 0)).toEqual([points, []]);
    expect(splitLineAt(points, 1)).toEqual([points, []]);
    expect(arePointsEqual(points, points.slice())).toBe(true);
    expect(arePointsEqual(points, points.slice(1))).toBe(false);
    expect(arePointsEqual(points, points.toReversed())).toBe(false);
  });

  test('PLT-7 keeps the lowest and the highest of each column, the first and the last, and not much more', () => {
    fc.assert(
      fc.property(readingsArb, fc.integer({ min: 1, max: 50 }), (readings, columns) => {
        const stretch = stretchOf(readings);
        const kept = downsample(readings, stretch, columns);
        expect(kept.length).toBeLessThanOrEqual(2 * columns + 2);
        expect(kept[0]).toBe(readings[0]);
        expect(kept.at(-1)).toBe(readings.at(-1));
        const columnOf = ({ time }: Reading) =>
          Math.floor(((time - stretch.from) / (stretch.to - stretch.from)) * columns);
        const extremes = (of: readonly Reading[]) =>
          Object.entries(Object.groupBy(of, columnOf)).map(([column, group = []]) => [
            column,
            Math.min(...group.map(({ raw }) => raw)),
            Math.max(...group.map(({ raw }) => raw)),
          ]);
        expect(extremes(kept)).toEqual(extremes(readings));
      }),
      options,
    );
  });
});

describe('the plot', () => {
  test('PLT-4 tells the nearest reading within reach', () => {
    const readings = at([0, 10, 20]);
    const stretch = { from: START, to: START + 100 * MINUTE };
    expect(nearestReading(readings, START + 9 * MINUTE, stretch)).toBe(readings[1]);
    expect(nearestReading(readings, START + 21.9 * MINUTE, stretch)).toBe(readings[2]);
    expect(nearestReading(readings, START + 23 * MINUTE, stretch)).toBeUndefined();
    expect(nearestReading([], START, stretch)).toBeUndefined();
  });

  test('PLT-3 ends at now or a little later, and stays there for a while', () => {
    const day = 1440 * MINUTE;
    const end = roundedNow(START + 1, day);
    expect(end - START).toBeLessThan(day / 100);
    expect(roundedNow(START + 5 * MINUTE, day)).toBe(end);
  });

  test('PLT-21 goes on beyond now by what is expected, up to a fifth of what was, in whole steps', () => {
    const stretch = { from: 0, to: 200 };
    const until = (...ends: number[]) =>
      forecastSpan(
        ends.map((to) => ({ dryAt: { from: 201, to } })),
        stretch,
      );
    expect(until()).toBe(0);
    expect(forecastSpan([{ dryAt: undefined }], stretch)).toBe(0);
    expect(until(203)).toBe(10);
    expect(until(203, 213)).toBe(20);
    expect(until(900)).toBe(40);
  });

  test('PUB-10 PLT-23 has a table of 24 parts, each with the lowest and highest that can be right', () => {
    const readings = [300, 500, 400, 1023, 1023].map((raw, minute) => ({
      time: START + minute * MINUTE,
      raw,
    }));
    const faults = [{ from: START + 3 * MINUTE, to: START + 4 * MINUTE }];
    const rows = readingTableRows([{ readings, faults }], { from: START, to: START + 48 * MINUTE });
    expect(rows).toHaveLength(24);
    expect(rows[0]).toEqual({ from: START, cells: [{ lowestRaw: 300, highestRaw: 500 }] });
    expect(rows[1]?.cells).toEqual([{ lowestRaw: 400, highestRaw: 400 }]);
    expect(rows[2]?.cells).toEqual(['faulty']);
    expect(rows[3]?.cells).toEqual([undefined]);
  });
});
