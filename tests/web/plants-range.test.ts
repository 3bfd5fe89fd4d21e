import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endsAtNow, roundedNow } from '../../web/src/features/plants/chart-plot.ts';
import {
  dayProblems,
  moveRange,
  openingRange,
  rangeStart,
  readPlantsSearch,
  searchOf,
  SHORTEST_TIME_SPAN_MS,
  timeSpanOf,
  timeSpanUpTo,
  zoomRange,
} from '../../web/src/features/plants/range.ts';
import { propertyRuns } from '../support/counts.ts';

const options = propertyRuns(200, 10_000);
const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-02T00:00:00Z');

/** Stretches of the last ten years, in whole seconds as an address has them. */
const stretchArb = fc
  .tuple(fc.integer({ min: 0, max: 3e8 }), fc.integer({ min: 60, max: 1e7 }))
  .map(([ago, length]) => ({ from: NOW - (ago + length) * 1000, to: NOW - ago * 1000 }));

describe('the range of the chart', () => {
  test('PLT-4 begins so many hours back, and everything has no beginning', () => {
    expect(rangeStart('24h', NOW)).toBe(NOW - 24 * HOUR);
    expect(rangeStart('1y', NOW)).toBe(NOW - 365 * 24 * HOUR);
    expect(rangeStart('all', NOW)).toBeUndefined();
  });

  test('PLT-4 is read from the address, with plants and stretch; what is not understood counts as not there', () => {
    expect(readPlantsSearch({ range: '7d', plants: ['고사리', '바질', '고사리', 7] }, NOW)).toEqual({
      range: '7d',
      plants: ['고사리', '바질'],
    });
    expect(readPlantsSearch({ range: '9d', plants: 'basil', from: 'yesterday', to: 'now' }, NOW)).toEqual({});
    expect(readPlantsSearch({ from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00+09:00' }, NOW)).toEqual({
      from: '2026-03-01T00:00:00Z',
      to: '2026-03-01T15:00:00Z',
    });
    expect(readPlantsSearch({ from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' }, NOW)).toEqual({});
    expect(readPlantsSearch({ from: '2026-03-02T00:00:00Z' }, NOW)).toEqual({});
    expect(readPlantsSearch({ plants: ['바질', 'a/b', 'moss #17', '', 'x'.repeat(81)] }, NOW)).toEqual({
      plants: ['바질', 'moss #17'],
    });
    expect(readPlantsSearch({ plants: ['a/b'] }, NOW)).toEqual({});
    expect(readPlantsSearch({ plants: [] }, NOW)).toEqual({ plants: [] });
  });

  test('PLT-4 no stretch begins before there was a sensor or ends after today, by address, by zoom or by move', () => {
    const day = (from: string, to: string) => readPlantsSearch({ from, to }, NOW);
    expect(day('2026-03-01T00:00:00Z', '9999-12-31T23:59:59Z')).toEqual({});
    expect(day('0001-01-01T00:00:00Z', '2026-03-01T00:00:00Z')).toEqual({});
    expect(day('-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z')).toEqual({});
    expect(day('2015-01-01T00:00:00+09:00', '2026-03-03T00:00:00+09:00')).not.toEqual({});
    let stretch = { from: NOW - 24 * HOUR, to: NOW };
    for (let times = 0; times < 30; times++) stretch = zoomRange(stretch, 2, NOW);
    expect(stretch).toEqual({ from: Date.parse('2015-01-01T00:00:00+09:00'), to: NOW });
    for (let times = 0; times < 30; times++) stretch = moveRange(stretch, -0.5, NOW);
    expect(readPlantsSearch(searchOf(stretch), NOW)).toEqual(searchOf(stretch));
  });

  test('PLT-4 comes back from the address as it went there', () => {
    fc.assert(
      fc.property(stretchArb, (stretch) => {
        expect(timeSpanOf(searchOf(stretch))).toEqual(stretch);
      }),
      options,
    );
  });

  test('PLT-4 zooms about its middle and never ends after now', () => {
    expect(zoomRange({ from: NOW - 4 * HOUR, to: NOW - 2 * HOUR }, 2, NOW)).toEqual({
      from: NOW - 5 * HOUR - 500,
      to: NOW - HOUR + 500,
    });
    fc.assert(
      fc.property(stretchArb, fc.double({ min: 0.01, max: 100, noNaN: true }), (stretch, factor) => {
        const { from, to } = zoomRange(stretch, factor, NOW);
        expect(to).toBeLessThanOrEqual(NOW);
        expect(to - from).toBeGreaterThanOrEqual(SHORTEST_TIME_SPAN_MS);
        expect(timeSpanOf(searchOf({ from, to }))).toBeDefined();
      }),
      options,
    );
  });

  test('PLT-4 moves by a part of its length and never ends after now', () => {
    expect(moveRange({ from: NOW - 4 * HOUR, to: NOW - 2 * HOUR }, -0.5, NOW)).toEqual({
      from: NOW - 5 * HOUR,
      to: NOW - 3 * HOUR,
    });
    expect(moveRange({ from: NOW - 4 * HOUR, to: NOW - 2 * HOUR }, 5, NOW)).toEqual({
      from: NOW - 2 * HOUR,
      to: NOW,
    });
  });

  test('PLT-4 everything begins at the first reading, however far its end is held beyond now', () => {
    const first = NOW - 42 * 24 * HOUR;
    const end = roundedNow(NOW + 1, NOW - first);
    expect(end).toBeGreaterThan(NOW);
    expect(timeSpanUpTo(end, 'all', first)).toEqual({ from: first, to: end });
    expect(timeSpanUpTo(end, '24h', first)).toEqual({ from: end - 24 * HOUR, to: end });
  });

  test('PLT-4 there is nothing to move on to once a stretch ends at now', () => {
    const day = { from: NOW - 24 * HOUR, to: NOW };
    expect(endsAtNow(day, NOW)).toBe(true);
    expect(endsAtNow(day, roundedNow(NOW + 1, 24 * HOUR))).toBe(true);
    expect(endsAtNow(day, NOW + HOUR)).toBe(false);
    expect(endsAtNow({ from: NOW, to: NOW + 24 * HOUR }, NOW)).toBe(true);
  });

  test.each([
    [[1, 3], undefined, '24h'],
    [[1, 30], undefined, '7d'],
    [[1, 30], ['0'], '24h'],
    [[1, 40 * 24], undefined, '90d'],
    [[1, 900 * 24], undefined, 'all'],
    [[null, 1], undefined, '24h'],
    [[], undefined, '24h'],
  ] as const)(
    'PLT-4 where plants were heard %j hours ago and %j are shown, it opens with %s',
    (heard, plants, range) => {
      const states = heard.map((hours, plant) => ({
        plant: String(plant),
        last_datetime: hours === null ? null : new Date(NOW - hours * HOUR).toISOString(),
      }));
      expect(openingRange(states, plants, NOW)).toBe(range);
    },
  );

  test.each([
    ['2026-03-01', '2026-03-02', undefined],
    ['2026-03-02', '2026-03-02', undefined],
    ['2026-03-02', '2026-03-01', 'last'],
    ['2026-03-01', '2026-03-03', 'last'],
    ['2026-03-03', '2026-03-04', 'first'],
    ['', '2026-03-02', 'first'],
    ['0001-01-01', '2026-03-02', 'first'],
    ['2014-12-31', '2026-03-02', 'first'],
    ['2015-01-01', '2026-03-02', undefined],
    ['2026-03-01', '', 'last'],
  ])('PLT-4 of the days from %j to %j on 2026-03-02 the problem is the %s', (first, last, field) => {
    expect(Object.keys(dayProblems({ first, last }, '2026-03-02'))).toEqual(
      field === undefined ? [] : [field],
    );
  });
});
