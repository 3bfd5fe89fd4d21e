import { silenceStart, silenceLimitMs } from '#contract/moisture/silence';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time';
import { expect, test } from 'vitest';
import { fewOrMany } from '../../support/counts.ts';
import { randomOf } from '../../support/plants/random.ts';

const START = Date.UTC(2026, 5, 1);

/** When silence was told and when its end, by a look every minute. */
function toldOf(receipts: readonly number[], limit: number, end: number, step = MINUTE_MS) {
  const told: { from: number; to: number | null }[] = [];
  let silent: number | null = null;
  let heard = 0;
  for (let now = receipts[0] ?? 0; now < end; now += step) {
    while ((receipts[heard] ?? Number.POSITIVE_INFINITY) <= now) heard += 1;
    const next = silenceStart(receipts.slice(Math.max(0, heard - 51), heard), limit, silent, now);
    if (next !== null && silent === null) told.push({ from: now, to: null });
    const open = told.at(-1);
    if (next === null && silent !== null && open) open.to = now;
    silent = next;
  }
  return told;
}

/** Receipts of a board that sends every so often, but not in some outages. */
function receiptsOf(
  every: number,
  days: number,
  outages: readonly [from: number, hours: number][],
  random = () => 0.5,
) {
  const isOut = (time: number) =>
    outages.some(
      ([from, hours]) => time >= START + from * DAY_MS && time < START + from * DAY_MS + hours * HOUR_MS,
    );
  let lost = 0;
  return Array.from({ length: Math.floor((days * DAY_MS) / every) }, (_, at) => START + at * every)
    .map((time) => time + Math.floor((random() - 0.5) * Math.min(every / 10, MINUTE_MS)))
    .filter((time) => {
      // Of a hundred readings two are lost, at most two in a row.
      lost = random() < 0.02 && lost < 2 ? lost + 1 : 0;
      return !isOut(time) && lost === 0;
    });
}

test.each([
  ['every 10 min with a limit of 15', 10, 15],
  ['every 40 min with a limit of 60', 40, 60],
  ['every 5 min with a limit of 60', 5, 60],
])(
  'PLT-22 silence of a board that sends %s is told after its limit, ends with its second reading, and the next one is told',
  (_, every, limit) => {
    const receipts = receiptsOf(every * MINUTE_MS, 3, [
      [1, 6],
      [1.6, 6],
    ]);
    const told = toldOf(receipts, limit * MINUTE_MS, START + 3 * DAY_MS);
    expect(told).toHaveLength(2);
    for (const [at, from] of [1, 1.6].entries()) {
      const last = receipts.findLast((time) => time < START + from * DAY_MS) ?? 0;
      expect((told[at]?.from ?? 0) - last).toBeLessThanOrEqual((limit + 1) * MINUTE_MS);
      const back = receipts.filter((time) => time > last);
      expect(told[at]?.to).toBeLessThanOrEqual((back[1] ?? 0) + MINUTE_MS);
    }
  },
);

test('PLT-22 a limit that is set anew is judged at once', () => {
  const receipts = receiptsOf(10 * MINUTE_MS, 1, []);
  const now = (receipts.at(-1) ?? 0) + 20 * MINUTE_MS;
  const silent = silenceStart(receipts, 15 * MINUTE_MS, null, now);
  expect(silent).toBe(receipts.at(-1));
  expect(silenceStart(receipts, 60 * MINUTE_MS, silent, now)).toBeNull();
});

test('PLT-22 a board that sends too seldom for its limit is judged by its own gaps, of which outages are none', () => {
  const hourly = receiptsOf(HOUR_MS, 3, []);
  expect(silenceLimitMs(hourly.slice(-51), 60 * MINUTE_MS) / HOUR_MS).toBeCloseTo(3.5, 1);
  const broken = receiptsOf(HOUR_MS, 3, [[2, 20]]);
  expect(silenceLimitMs(broken.slice(-51), 60 * MINUTE_MS) / HOUR_MS).toBeCloseTo(3.5, 1);
  expect(silenceLimitMs(hourly.slice(-4), 60 * MINUTE_MS)).toBe(60 * MINUTE_MS);
  expect(silenceLimitMs([], 60 * MINUTE_MS)).toBe(60 * MINUTE_MS);
});

test.each([5, 10, 15, 30, 60, 180, 360])(
  'PLT-22 of boards that send every %i min each outage is told once and ended once, and lost readings are none',
  (minutes) => {
    const many = fewOrMany(6, 143);
    let outages = 0;
    for (let seed = 1; seed <= many; seed++) {
      const random = randomOf(1000 * minutes + seed);
      const every = minutes * MINUTE_MS;
      const limit = (seed % 3 === 0 ? 0.5 : 3.3) * every;
      const step = Math.max(MINUTE_MS, every / 5);
      const out = [17, 21, 25].map((day): [number, number] => [
        day + random() / 2,
        ((8 + 2 * random()) * every) / HOUR_MS,
      ]);
      const receipts = receiptsOf(every, 30, out, random).filter(
        (time) => time > START + (every < 30 * MINUTE_MS ? 16 : 0) * DAY_MS,
      );
      const told = toldOf(receipts, limit, START + 30 * DAY_MS, step).filter(
        ({ from }) => from > START + 17 * DAY_MS,
      );
      const expected = out.map(([day]) => START + day * DAY_MS);
      expect(
        told.map(({ from }) => expected.findIndex((begin) => from > begin && from < begin + 10 * every)),
        `seed ${seed}`,
      ).toEqual([0, 1, 2]);
      for (const { from, to } of told) {
        const back = receipts.filter((time) => time > from).slice(0, 4);
        expect(to, `seed ${seed}`).toBeLessThanOrEqual((back.at(-1) ?? 0) + step);
      }
      outages += told.length;
    }
    expect(outages).toBe(3 * many);
  },
);
