import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/time';
import { KEPT, superfluous, type Listed } from '../../scripts/backup/prune.ts';

const NOW = Date.UTC(2026, 10, 22, 19, 17);
const made = (at: number): Listed => ({ name: String(at), store: 'local', at: new Date(at) });
const daysAgo = (days: number) => made(NOW - days * DAY_MS);
const left = (archives: Listed[]) => {
  const gone = new Set(superfluous(archives));
  return archives.filter((each) => !gone.has(each));
};
const ages = (archives: Listed[]) => archives.map(({ at }) => Math.round((NOW - at.getTime()) / DAY_MS));

test('OPS-9 of nightly archives 7 days, 5 weeks and 12 months stay', () => {
  let archives: Listed[] = [];
  // As the nights go by: what went is not there the next night.
  for (let night = 800; night >= 0; night--) archives = left([daysAgo(night), ...archives]);
  const found = ages(archives);
  expect(found.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(archives.length).toBeLessThanOrEqual(KEPT.days + KEPT.weeks + KEPT.months);
  expect(found.at(-1)).toBeGreaterThan(300);
  expect(new Set(archives.map(({ at }) => at.toISOString().slice(0, 7))).size).toBe(12);
});

test('OPS-9 the newest stays, whatever the others are, and nothing goes because no backup was made for long', () => {
  const alone = made(0);
  expect(superfluous([alone])).toEqual([]);
  const years = Array.from({ length: 7 }, (_, index) => daysAgo(400 * (index + 1)));
  expect(superfluous(years)).toEqual([]);
  const oneDay = Array.from({ length: 50 }, (_, index) => made(NOW - index * 60_000));
  expect(left(oneDay)).toEqual([oneDay[0]]);
});

test('OPS-9 a day is a day in Seoul', () => {
  const [evening, night] = [made(Date.UTC(2026, 2, 1, 14, 59)), made(Date.UTC(2026, 2, 1, 15, 0))];
  expect(superfluous([evening, night])).toEqual([]);
  const noon = made(Date.UTC(2026, 2, 1, 3));
  expect(superfluous([evening, noon])).toEqual([noon]);
});
