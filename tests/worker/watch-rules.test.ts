import type { StoredAssessment } from '#contract/plants';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeBoard, judgeSensor, judgeSoil } from '../../worker/src/watch/plant-rules.ts';
import {
  nextAlert,
  judgeBackup,
  judgeOverdueReport,
  alertAfterNotification,
  WATCH_EVERY_MS,
  type AlertState,
  type Verdict,
} from '../../worker/src/watch/rules.ts';
import { propertyRuns } from '../support/counts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const runs = propertyRuns(300, 5000);

/** What somebody is told when the rule is asked at each of the moments, and takes each message unless it is refused. */
function messages(
  moments: number[],
  verdictAt: (now: number) => Verdict,
  isTaken: (at: number) => boolean = () => true,
): string[] {
  let alert: AlertState | undefined;
  return moments.flatMap((now, at) => {
    alert = nextAlert(alert, verdictAt(now), now);
    if (alert === undefined || !isTaken(at)) return [];
    const news = [...(alert.toldAt === null ? ['began'] : []), ...(alert.overAt === null ? [] : ['over'])];
    alert = alertAfterNotification(alert, now);
    return news;
  });
}

/** Every five minutes, as cron does it: now and then a little late. */
const askings = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 20_000 }), { minLength: length, maxLength: length })
    .map((delays) => delays.map((delay, at) => at * WATCH_EVERY_MS + delay));

describe('silence', () => {
  const limits = fc.integer({ min: 1, max: 240 }).map((minutes) => minutes * MINUTE);

  test('OPS-4 a board that speaks at any constant interval, at the limit or not, is told of once or never', () => {
    fc.assert(
      fc.property(
        limits,
        fc.integer({ min: 1000, max: 8 * HOUR }),
        fc.integer({ min: 0, max: HOUR }),
        askings(400),
        (limit, interval, phase, moments) => {
          const heardAt = (now: number) => Math.floor((now + phase) / interval) * interval - phase;
          const told = messages(moments, (now) => judgeOverdueReport(heardAt(now), limit, now));
          const isLong = interval > Math.max(limit, 3 * WATCH_EVERY_MS) + 2 * WATCH_EVERY_MS;
          const allowed = interval <= limit ? ['never'] : isLong ? ['began'] : ['never', 'began'];
          expect(allowed).toContain(told.join() || 'never');
        },
      ),
      runs,
    );
  });

  test('OPS-4 one that falls silent and comes back is told of twice: when it began and when it was over', () => {
    fc.assert(
      fc.property(
        limits,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 300 }),
        askings(400),
        (limit, before, silence, moments) => {
          const from = before * 10 * MINUTE;
          const until = from + Math.max(limit, 3 * WATCH_EVERY_MS) + (silence + 6) * MINUTE;
          const heardAt = (now: number) => (now < from || now >= until ? now : from);
          const news = messages(moments, (now) => judgeOverdueReport(heardAt(now), limit, now));
          expect(news).toEqual(['began', 'over']);
        },
      ),
      runs,
    );
  });

  test('OPS-4 whatever it does, beginning and end take turns, and two beginnings are further apart than the limit', () => {
    fc.assert(
      fc.property(
        limits,
        fc.array(fc.integer({ min: 0, max: 6 * HOUR }), { maxLength: 60 }),
        (limit, gaps) => {
          let at = 0;
          const heard = [0, ...gaps.map((gap) => (at += gap))];
          const moments = Array.from({ length: 500 }, (_, n) => n * WATCH_EVERY_MS);
          const began: number[] = [];
          let alert: AlertState | undefined;
          let last = 'over';
          for (const now of moments) {
            const heardAt = heard.findLast((time) => time <= now) ?? 0;
            alert = nextAlert(alert, judgeOverdueReport(heardAt, limit, now), now);
            if (alert === undefined) continue;
            const news = [
              ...(alert.toldAt === null ? ['began'] : []),
              ...(alert.overAt === null ? [] : ['over']),
            ];
            for (const item of news) {
              expect(item).not.toBe(last);
              last = item;
              if (item === 'began') began.push(now);
            }
            alert = alertAfterNotification(alert, now);
          }
          const apart = began.slice(1).map((time, index) => time - (began[index] ?? 0));
          expect(apart.filter((time) => time <= limit)).toEqual([]);
        },
      ),
      runs,
    );
  });
});

describe('a board', () => {
  const assessment: StoredAssessment = {
    level: null,
    fault: null,
    faults: [],
    waterings: [],
    dry: null,
    forecast: null,
    range: null,
    calibration: null,
    silent_after_ms: HOUR,
    clock_off_ms: null,
  };
  const judge = (heardAt: number, limit: number, now: number) =>
    judgeBoard(
      { heardAt, staleAfterMinutes: 60, assessment: { ...assessment, silent_after_ms: limit } },
      now,
    );
  const moments = Array.from({ length: 1000 }, (_, n) => n * WATCH_EVERY_MS);

  test.each([
    [15, 10],
    [60, 40],
    [60, 1],
    [15, 15],
  ])(
    'PLT-22 whose limit is %i min and who sends every %i is told of once for each outage, and its end within two readings and a look',
    (limit, interval) => {
      const outages = [20, 50].map((hours) => [hours * HOUR, hours * HOUR + 3 * HOUR] as const);
      const heardAt = (now: number) => {
        const last = Math.floor(now / (interval * MINUTE)) * interval * MINUTE;
        const outage = outages.find(([from, to]) => last > from && last < to);
        return outage ? Math.floor(outage[0] / (interval * MINUTE)) * interval * MINUTE : last;
      };
      const told = (until: number) =>
        messages(
          moments.filter((now) => now <= until),
          (now) => judge(heardAt(now), limit * MINUTE, now),
        );
      expect(told(Number.POSITIVE_INFINITY)).toEqual(['began', 'over', 'began', 'over']);
      const back = Math.ceil((outages[0]?.[1] ?? 0) / (interval * MINUTE)) * interval * MINUTE;
      expect(told(back + (interval + 15) * MINUTE)).toEqual(['began', 'over']);
    },
  );

  test('PLT-22 that is heard once and is out again has one outage', () => {
    const heardAt = (now: number) => (now < 10 * HOUR ? Math.min(now, HOUR) : Math.min(now, 10 * HOUR));
    expect(messages(moments, (now) => judge(heardAt(now), HOUR, now))).toEqual(['began']);
  });

  test('PLT-22 whose limit is changed is judged by it at once', () => {
    const limitAt = (now: number) => (now < 10 * HOUR ? 2 * HOUR : now < 15 * HOUR ? 100 * HOUR : HOUR);
    const news = (until: number) =>
      messages(
        moments.filter((now) => now <= until),
        (now) => judge(0, limitAt(now), now),
      );
    expect(news(10 * HOUR)).toEqual(['began', 'over']);
    expect(news(15 * HOUR)).toEqual(['began', 'over', 'began']);
  });

  test('PLT-23 a sensor that is at fault leaves a dry plant as it was told, and is told of once', () => {
    const dry = { since: HOUR, reading: { raw: 900, time: HOUR } };
    const assessmentAt = (now: number): StoredAssessment => ({
      ...assessment,
      dry: now < 20 * HOUR ? dry : null,
      fault: now > 5 * HOUR && now < 10 * HOUR ? { kind: 'loose', since: 5 * HOUR } : null,
    });
    const watched = (now: number) => ({ heardAt: now, staleAfterMinutes: 60, assessment: assessmentAt(now) });
    expect(messages(moments, (now) => judgeSoil(watched(now), now))).toEqual(['began', 'over']);
    expect(messages(moments, (now) => judgeSensor(watched(now), now))).toEqual(['began', 'over']);
    expect(judgeSensor(watched(6 * HOUR), 6 * HOUR)).toMatchObject({
      since: 5 * HOUR,
      detail: expect.stringContaining('접촉'),
    });
  });
});

describe('a message that is not taken', () => {
  const silent: Verdict = { state: 'bad', since: 0, holdMs: 0 };
  const well: Verdict = { state: 'well', since: 0, holdMs: 0 };
  const moments = [0, 1, 2, 3, 4, 5].map((n) => n * WATCH_EVERY_MS);
  const twoBad = (now: number) => (now < 2 * WATCH_EVERY_MS ? silent : well);

  test('OPS-4 is told the next time, once', () => {
    expect(messages(moments, twoBad, (at) => at > 0)).toEqual(['began', 'over']);
    expect(messages(moments, twoBad, (at) => at > 1)).toEqual(['began', 'over']);
    expect(messages(moments, twoBad, (at) => at > 3)).toEqual(['began', 'over']);
    expect(messages(moments, twoBad, () => false)).toEqual([]);
  });

  test('OPS-4 whose trouble began again meanwhile is one trouble', () => {
    const verdictAt = (now: number) => (now === 2 * WATCH_EVERY_MS ? well : silent);
    expect(messages(moments, verdictAt, (at) => at !== 2)).toEqual(['began']);
  });
});

test('OPS-4 a backup that failed is told at once, one that is missing after so many days, and the next one ends it', () => {
  const now = 30 * DAY;
  const judge = (lastOkAt: number | null, failedAt: number | null, keptSince: number | null) =>
    judgeBackup({ lastOkAt, failedAt, keptSince }, 7, now);
  expect(judge(now - 7 * DAY, null, 0)).toMatchObject({ state: 'well' });
  expect(judge(now - 7 * DAY - 1, null, 0)).toMatchObject({
    state: 'bad',
    since: now - 7 * DAY - 1,
    detail: '7일 넘게 만들지 않았습니다',
  });
  expect(judge(now - DAY, now - HOUR, 0)).toMatchObject({
    state: 'bad',
    since: now - HOUR,
    detail: '만들다 실패했습니다',
  });
  // Nobody ever made one: counted from when there was something to keep.
  expect(judge(null, null, now - 8 * DAY)).toMatchObject({ state: 'bad', since: now - 8 * DAY });
  expect(judge(null, null, now - DAY)).toMatchObject({ state: 'well' });
  expect(judge(null, null, null)).toMatchObject({ state: 'well' });
  const verdicts = [judge(now - DAY, now, 0), judge(now, null, 0)];
  expect(messages([0, 1], (at) => verdicts[at] ?? judge(now, null, 0))).toEqual(['began', 'over']);
});
