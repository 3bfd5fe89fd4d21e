import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/time';
import {
  daysUntilFull,
  judgeDatabase,
  judgeRows,
  rowsWritten,
  type Usage,
} from '../../worker/src/watch/usage-rules.ts';

const START = Date.UTC(2026, 2, 20);
const NOON = START + DAY_MS / 2;

/** So many days, newest first, each with so much more than the one before. */
const grown = (size: number, perDay: number, count: number): Usage => ({
  size: size + perDay / 2,
  plantsSize: null,
  readings: 0,
  days: Array.from({ length: count }, (_, ago) => ({
    day: new Date(START - ago * DAY_MS).toISOString().slice(0, 10),
    size: size - ago * perDay,
    plantsSize: null,
    readings: 0,
  })),
});

test.each([
  ['grows by 10 MB a day', grown(200e6, 10e6, 15), 29.5],
  ['grew faster long ago', { ...grown(200e6, 10e6, 15), days: grown(200e6, 10e6, 30).days }, 29.5],
  ['does not grow', grown(200e6, 0, 15), null],
  ['shrinks', grown(200e6, -1e6, 15), null],
  ['is known for a day and a half', grown(200e6, 10e6, 2), null],
  ['is known for two days and a half', grown(200e6, 10e6, 3), 29.5],
  ['has never been seen', grown(200e6, 10e6, 0), null],
  ['is full', grown(500e6, 10e6, 15), 0],
])('OPS-10 it is foreseen when a database is full that %s', (_, usage, days) => {
  expect(daysUntilFull(usage, 'size', 'free', NOON)).toBe(days);
});

test.each([
  ['free', grown(100e6, 1e6, 15), 'well', undefined],
  ['free', grown(380e6, 0, 15), 'between', undefined],
  ['free', grown(420e6, 0, 15), 'bad', '500.0 MB 중 420.0 MB'],
  ['free', grown(200e6, 10e6, 15), 'bad', '500.0 MB 중 205.0 MB, 이대로면 30일 뒤 가득 찹니다'],
  ['free', grown(200e6, 7e6, 15), 'between', undefined],
  ['free', grown(600e6, 7e6, 15), 'bad', '500.0 MB 중 603.5 MB, 가득 참'],
  ['paid', grown(600e6, 7e6, 15), 'well', undefined],
  ['paid', grown(8.1e9, 0, 15), 'bad', '10.0 GB 중 8.1 GB'],
  ['none', grown(90e9, 1e9, 15), 'well', undefined],
] as const)(
  'OPS-10 with the plan %s a database is judged by its size and its growth (%#)',
  (plan, usage, state, detail) => {
    expect(judgeDatabase(usage, 'size', plan, NOON)).toMatchObject({ state, ...(detail && { detail }) });
  },
);

/** Readings of yesterday, and of today until now. */
const read = (yesterday: number, today: number): Usage => ({
  size: 0,
  plantsSize: 0,
  readings: 50_000 + today,
  days: [
    { day: '2026-03-20', size: 0, plantsSize: 0, readings: 50_000 },
    { day: '2026-03-19', size: 0, plantsSize: 0, readings: 50_000 - yesterday },
  ],
});

test.each([
  ['little', read(4400, 4400), NOON, 'well', undefined],
  ['nearly all', read(4400, 32_120), START + DAY_MS - 1, 'bad', '오늘 100,000행 중 약 80,300행'],
  ['all', read(0, 40_040), NOON, 'bad', '오늘 100,000행 중 약 100,100행, 09:00에 다시 시작'],
  ['too fast', read(0, 22_000), NOON, 'bad', '오늘 100,000행 중 약 55,000행, 이대로면 06:49에 소진됩니다'],
  ['much in the first hour', read(0, 4400), START + DAY_MS / 24, 'well', undefined],
  ['little after a day of too much', read(39_600, 440), NOON, 'bad', '오늘 100,000행 중 약 1,100행'],
  ['little after a day of nearly too much', read(30_800, 440), NOON, 'between', undefined],
] as const)(
  'OPS-10 with %s the rows of the day are judged by today, its pace and yesterday',
  (_, usage, now, state, detail) => {
    expect(judgeRows(usage, 'free', now)).toMatchObject({ state, ...(detail && { detail }) });
    expect(judgeRows(usage, 'paid', now)).toMatchObject({ state: 'well' });
  },
);

test('OPS-10 of a day whose beginning nobody saw nothing is made up, nor of plants that were removed', () => {
  expect(rowsWritten({ size: 0, plantsSize: 0, readings: 900, days: [] }, 'free', NOON)).toEqual({
    today: 0,
    yesterday: null,
    endsAt: null,
  });
  expect(rowsWritten({ ...read(0, 0), readings: 10 }, 'free', NOON)).toMatchObject({ today: 0 });
});
