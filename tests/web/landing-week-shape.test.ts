import type { PublicPlant } from '#contract/plants';
import { expect, test } from 'vitest';
import {
  HEIGHT,
  isRecent,
  momentText,
  weekShape,
  wateredDaysAgo,
  WIDTH,
} from '../../web/src/features/landing/week-shape.ts';

/** The week whose running hour begins on 22 November 2026 at 15:00 in Seoul. */
const from = '2026-11-15T07:00:00.000Z';
const week = (known: Record<number, number>, last: PublicPlant['last'] = null): PublicPlant => ({
  plant: 'basil',
  plant_en: 'basil',
  from,
  hours: Array.from({ length: 168 }, (_, hour) => known[hour] ?? null),
  last,
  limit_percent: 20,
  watered: [],
  last_watered: null,
});

test('PUB-19 a gap is a gap: the line begins anew after hours without a reading', () => {
  const { line } = weekShape(week({ 0: 50, 1: 49, 5: 48, 9: 47, 10: 46 }));
  const pieces = line.split('M').slice(1);
  expect(pieces.map((piece) => piece.match(/L/g)?.length)).toEqual([2, 1, 2]);
});

test('PUB-19 the line ends at the newest reading, where it was taken', () => {
  const last = { percent: 60, datetime: '2026-11-22T06:30:00.000Z' };
  const { line, now } = weekShape(week({ 166: 50, 167: 55 }, last));
  expect(now?.x).toBe(Math.round((167.5 / 168) * WIDTH));
  expect(line.endsWith(`L${now?.x} ${now?.y}`)).toBe(true);
  expect(weekShape(week({}, { ...last, datetime: '2026-11-15T06:59:59.000Z' })).now).toBeUndefined();
});

test('PUB-19 stays within the drawing; what hardly changes is nearly flat, and nothing at all is no line', () => {
  const yOf = (known: Record<number, number>) =>
    [...weekShape(week(known)).line.matchAll(/ (-?\d+)/g)].map(([, y]) => Number(y));
  for (const y of yOf({ 0: 0, 1: 100, 2: 37 })) {
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(HEIGHT);
  }
  const flat = yOf({ 0: 26, 1: 27, 2: 26 });
  expect(Math.max(...flat) - Math.min(...flat)).toBeLessThan(10);
  expect(weekShape(week({})).line).toBe('');
});

test('PUB-19 seven days begin at midnight in Seoul', () => {
  const { midnights } = weekShape(week({}));
  expect(midnights).toHaveLength(7);
  // From 16:00 it is eight hours to the first.
  expect(midnights[0]).toBe(Math.round((8 / 168) * WIDTH));
  expect(midnights.at(-1)).toBeLessThan(WIDTH);
});

test('PUB-19 its limit is within the drawing, and each watering at the level that the soil had before', () => {
  const watered = ['2026-11-15T10:20:00.000Z', '2026-11-20T00:00:00.000Z'];
  const plant = { ...week({ 0: 52, 1: 40, 2: 30, 3: 55, 4: 60 }), watered };
  const { limit, drops, line } = weekShape(plant);
  const levels = [...line.matchAll(/L\d+ (\d+)/g)].map(([, y]) => Number(y));
  expect(limit).toBeGreaterThan(Math.max(...levels));
  expect(limit).toBeLessThan(HEIGHT);
  expect(drops[0]).toEqual({ x: Math.round(((3 + 1 / 3) / 168) * WIDTH), y: levels[2] });
  expect(drops[1]?.y).toBe(levels[4]);
});

test('PUB-19 the days under the line stand in their middle, where there is room', () => {
  const { days, midnights } = weekShape(week({}));
  // The first one, from 16:00 on, has none.
  expect(days).toHaveLength(7);
  expect(days[0]?.x).toBe(Math.round(((midnights[0] ?? 0) + (midnights[1] ?? 0)) / 2));
  expect(days.at(-1)?.x).toBe(Math.round(((midnights.at(-1) ?? 0) + WIDTH) / 2));
  expect(new Date(days[0]?.time ?? 0).toISOString()).toBe('2026-11-16T03:00:00.000Z');
});

test('PUB-19 a watering is so many days of Seoul ago', () => {
  const ago = (watered: string) => wateredDaysAgo(watered, week({}));
  expect(ago('2026-11-22T06:05:00.000Z')).toBe(0);
  expect(ago('2026-11-21T15:00:00.000Z')).toBe(0);
  expect(ago('2026-11-21T14:59:59.000Z')).toBe(1);
  expect(ago('2026-11-10T00:00:00.000Z')).toBe(12);
});

test('PUB-19 a reading of today is told by its time in Seoul, an older one with its day', () => {
  const plant = week({});
  expect(momentText('2026-11-22T06:05:00.000Z', plant)).toBe('15:05');
  expect(momentText('2026-11-21T15:00:00.000Z', plant)).toBe('00:00');
  expect(momentText('2026-11-21T14:59:59.000Z', plant)).toBe('2026.11.21 23:59');
  expect(isRecent('2026-11-22T05:00:00.000Z', plant)).toBe(true);
  expect(isRecent('2026-11-22T04:59:59.000Z', plant)).toBe(false);
});
