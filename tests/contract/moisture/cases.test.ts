import { moisturePercent } from '#contract/moisture/percent';
import type { Reading } from '#contract/moisture/series';
import {
  assessmentOf,
  type Assessment,
  type AssessmentBefore,
  type AssessmentSettings,
} from '#contract/moisture/assessment';
import { findWaterings } from '#contract/moisture/waterings';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time';
import { describe, expect, test } from 'vitest';
import { intervalsAt, intervalsOf } from '../../support/plants/history.ts';
import { gaussianOf, randomOf } from '../../support/plants/random.ts';

/* What boards sent when the portal was tried, and what people expected to be told. */

const NOW = Date.UTC(2026, 5, 20, 3, 7);
const SETTINGS: AssessmentSettings = { dry: null, wet: null, alert_below: 20, alert_clear: 25 };

/** Readings up to NOW of soil with so many percent at so many days from now, which are negative. */
function sent(days: number, every: number, percentAt: (day: number) => number, noise = 0.2): Reading[] {
  const random = randomOf(7);
  return Array.from({ length: Math.floor((days * DAY_MS) / every) }, (_, at) => {
    const time = NOW - days * DAY_MS + at * every;
    const percent = percentAt((time - NOW) / DAY_MS) + noise * (2 * random() - 1);
    return { time, raw: Math.max(0, Math.min(1023, Math.round(1023 - 10.23 * percent))) };
  });
}

const toldAt = (
  readings: readonly Reading[],
  now = NOW,
  settings = SETTINGS,
  before: AssessmentBefore | null = null,
) => assessmentOf(intervalsAt(readings)(now), settings, before);

/** Everything that is told one after another, as of every so many milliseconds in the last days. */
function toldIn(days: number, readings: readonly Reading[], step: number, settings = SETTINGS): Assessment[] {
  const intervals = intervalsAt(readings);
  const assessments: Assessment[] = [];
  for (let now = NOW - days * DAY_MS; now <= NOW + MINUTE_MS; now += step) {
    assessments.push(assessmentOf(intervals(now), settings, assessments.at(-1) ?? null));
  }
  return assessments;
}

/** How often it was told that the plant is dry. */
const timesDry = (assessments: readonly Assessment[]) =>
  assessments.filter(({ dry }, at) => dry !== null && (assessments[at - 1]?.dry ?? null) === null).length;

const daysAgo = (time: number) => (NOW - time) / DAY_MS;

describe('waterings', () => {
  test('PLT-8 PLT-20 a board that sends once an hour has its three waterings, and about four days left', () => {
    const waterings = [-9.4, -5.1, -1.6];
    const readings = sent(
      12,
      HOUR_MS,
      (day) => {
        const last = waterings.findLast((each) => each <= day);
        return last === undefined ? 45 - 3 * (day + 12) : Math.max(8, 75 - 10 * (day - last));
      },
      0,
    );
    const { waterings: found, forecast } = toldAt(readings);
    expect(found.map(({ before }) => Math.round(10 * daysAgo(before.time)) / 10)).toEqual([9.4, 5.1, 1.6]);
    expect(forecast?.days).toBeGreaterThan(3);
    expect(forecast?.days).toBeLessThan(5);
    expect(forecast?.low).toBeLessThan(3.9);
    expect(forecast?.high).toBeGreaterThan(3.9);
  });

  test('PLT-20 water that runs past the sensor is one watering, of the level at which it settles', () => {
    const readings = sent(2, 5 * MINUTE_MS, (day) => {
      const since = day + 9 / 24;
      if (since < 0) return 20.5 - since;
      return since < 1 / 72 ? Math.max(50, 95 - 45 * since * 72) : 50 - 3 * since;
    });
    const { waterings, dry } = toldAt(readings);
    expect(waterings).toHaveLength(1);
    expect(daysAgo(waterings[0]?.before.time ?? 0)).toBeCloseTo(9 / 24, 1);
    expect(moisturePercent(waterings[0]?.after.raw ?? 0)).toBeCloseTo(50, -1);
    expect(dry).toBeNull();
  });

  test('PLT-20 five doses, a saucer that takes three hours, and two waterings of a day are told as they were', () => {
    const doses = sent(2, 5 * MINUTE_MS, (day) => {
      const minutes = (day + 8 / 24) * 1440;
      return 25 + 5 * Math.max(0, Math.min(5, Math.floor(minutes / 40) + 1));
    });
    const saucer = sent(2, 5 * MINUTE_MS, (day) => {
      const hours = (day + 10 / 24) * 24;
      return hours < 0 ? 25 : Math.min(60, 25 + (35 * hours) / 3);
    });
    const twice = sent(
      4,
      5 * MINUTE_MS,
      (day) => 30 - 4 * (day + 1) + (day > -1 ? 20 : 0) + (day > -0.6 ? 20 : 0),
    );
    const found = [doses, saucer, twice].map((readings) =>
      toldAt(readings).waterings.map(({ before }) => before.time),
    );
    expect(found.map((times) => times.length)).toEqual([1, 1, 2]);
    expect(daysAgo(found[0]?.[0] ?? 0) * 24).toBeCloseTo(8, 0);
    expect(daysAgo(found[1]?.[0] ?? 0) * 24).toBeGreaterThan(9);
    expect(found[2]?.map((time) => Math.round(10 * daysAgo(time)) / 10)).toEqual([1, 0.6]);
  });

  test('PLT-20 the mark is the last dry reading, and it is there twenty minutes after the water', () => {
    const water = NOW - 20 * MINUTE_MS;
    const readings = sent(3, MINUTE_MS, (day) => (NOW + day * DAY_MS <= water ? 30 : 55));
    const [found] = toldAt(readings).waterings;
    expect(found?.before.time).toBeGreaterThan(water - 2 * MINUTE_MS);
    expect(found?.before.time).toBeLessThanOrEqual(water);
    expect(found?.settled).toBe(false);
    expect(toldAt(readings, water - MINUTE_MS).waterings).toEqual([]);
  });

  test('PLT-20 a spike, a wet hand of an hour, and a swing of eight points a day are none', () => {
    const spike = sent(4, 5 * MINUTE_MS, (day) => (Math.abs(day + 1) < 0.002 ? 90 : 40 + day));
    const hand = sent(4, 5 * MINUTE_MS, (day) => (Math.abs(day + 1) < 0.02 ? 80 : 40 + day));
    const swing = sent(12, 5 * MINUTE_MS, (day) => 40 - day + 4 * Math.cos(2 * Math.PI * day), 0.5);
    for (const readings of [spike, hand, swing]) expect(toldAt(readings).waterings).toEqual([]);
  });

  test('PLT-20 a board that sends every second and one that sends every six hours tell the same', () => {
    const water = [-13.1, -7.6, -2.3];
    const percentAt = (day: number) => {
      const last = water.findLast((each) => each <= day) ?? -17;
      return 18 + 42 * Math.exp(-(day - last) / 6) + 1.5 * Math.cos(2 * Math.PI * day);
    };
    const often = toldAt(
      [...sent(20, 5 * MINUTE_MS, percentAt), ...sent(0.2, 1000, percentAt)].sort((a, b) => a.time - b.time),
    );
    const seldom = toldAt(sent(20, 6 * HOUR_MS, percentAt));
    for (const { waterings, dry, fault } of [often, seldom]) {
      expect(waterings.map(({ before }) => Math.round(daysAgo(before.time) * 2) / 2)).toHaveLength(3);
      expect(dry).toBeNull();
      expect(fault).toBeNull();
    }
    const [one, other] = [often.forecast, seldom.forecast];
    expect(one?.low).toBeLessThanOrEqual(other?.high ?? Number.POSITIVE_INFINITY);
    expect(other?.low).toBeLessThanOrEqual(one?.high ?? Number.POSITIVE_INFINITY);
  });
});

describe('sensors that cannot be right', () => {
  test('PLT-23 a sensor that is pulled out for three hours is out, not dry, and no watering when it is back', () => {
    const readings = sent(
      2,
      10 * MINUTE_MS,
      (day) => (day > -10 / 24 && day < -7 / 24 ? 1.5 : 50 - 3 * (day + 2)),
      0.3,
    );
    const assessments = toldIn(1, readings, 10 * MINUTE_MS);
    expect(timesDry(assessments)).toBe(0);
    expect(new Set(assessments.map(({ fault }) => fault?.kind))).toEqual(new Set([undefined, 'out']));
    const last = assessments.at(-1);
    expect(last?.waterings).toEqual([]);
    expect(last?.fault).toBeNull();
    expect(last?.faults.map(({ kind }) => kind)).toEqual(['out']);
  });

  test.each([0, 1023])('PLT-23 a sensor at %i is at fault: no watering, not dry, no forecast', (rail) => {
    const readings = sent(2, 10 * MINUTE_MS, () => 55, 0).map((reading) => ({
      time: reading.time,
      raw: reading.time < NOW - DAY_MS ? reading.raw + (Math.floor(reading.time / 600_000) % 3) : rail,
    }));
    const assessments = toldIn(0.9, readings, HOUR_MS);
    for (const assessment of assessments) {
      expect(assessment.fault?.kind).toBe('rail');
      expect(assessment).toMatchObject({ waterings: [], dry: null, forecast: null, level: null });
    }
  });

  test('PLT-23 four readings of ten at 1023 are one fault and no alert', () => {
    const random = randomOf(11);
    const before = sent(2, 10 * MINUTE_MS, () => 51);
    const burst = Array.from({ length: 100 }, (_, at) => ({
      time: NOW - 600_000 + at * 1000,
      raw: random() < 0.4 ? 1023 : 498 + Math.floor(5 * random()),
    }));
    for (const readings of [burst, [...before, ...burst]]) {
      const assessments = toldIn(0.02, readings, MINUTE_MS * 5);
      expect(timesDry(assessments)).toBe(0);
      expect(assessments.at(-1)?.fault?.kind).toBe('loose');
    }
  });

  test('PLT-23 a value that never moves and readings without order are faults; two pours that run past are none', () => {
    const stuck = sent(4, 15 * MINUTE_MS, (day) => (day < -2 ? 50 + day : 48), 0);
    expect(toldAt(stuck).fault?.kind).toBe('flat');
    const random = gaussianOf(randomOf(3));
    const wild = sent(4, 15 * MINUTE_MS, (day) => (day < -1 ? 50 : 50 + 15 * random()));
    expect(toldAt(wild).fault?.kind).toBe('loose');
    const pours = sent(3, 5 * MINUTE_MS, (day) => {
      const over = [-0.9, -0.6].map((each) => (day >= each ? 40 * Math.exp(-(day - each) * 60) : 0));
      return 25 + (day >= -0.9 ? 15 : 0) + (day >= -0.6 ? 15 : 0) + (over[0] ?? 0) + (over[1] ?? 0);
    });
    expect(toldAt(pours).faults).toEqual([]);
    expect(toldAt(pours).waterings).toHaveLength(2);
  });
});

describe('forecasts', () => {
  test("PLT-21 nine hours after a watering a day's swing is no drying", () => {
    const readings = sent(4, 10 * MINUTE_MS, (day) => {
      const since = day + 9 / 24;
      return (since < 0 ? 30 : 60) - since + 4 * Math.cos(2 * Math.PI * since);
    });
    const { forecast, waterings } = toldAt(readings);
    expect(waterings).toHaveLength(1);
    expect(forecast?.low ?? 14).toBeGreaterThanOrEqual(14);
  });

  test('PLT-21 a forecast stays within a quarter from minute to minute', () => {
    const readings = sent(6, MINUTE_MS, (day) => 42 - 2 * (day + 6) + 2 * Math.cos(2 * Math.PI * day), 0.5);
    const days = toldIn(0.1, readings, 3 * MINUTE_MS).map(({ forecast }) => forecast?.days ?? Number.NaN);
    expect(days.length).toBeGreaterThan(40);
    days.forEach((each, at) => {
      const last = days[at - 1] ?? each;
      expect(each / last).toBeGreaterThan(0.75);
      expect(each / last).toBeLessThan(1.25);
    });
  });

  test('PLT-8 PLT-21 from 40 %, falling 2 a day, it is 10 days until 20 %, within its range', () => {
    const boards = [
      [2, 10 * MINUTE_MS],
      [3, HOUR_MS],
      [5, 3 * HOUR_MS],
      [8, 15 * MINUTE_MS],
      [8, 6 * HOUR_MS],
    ] as const;
    for (const [days, every] of boards) {
      const { forecast } = toldAt(sent(days, every, (day) => 40 - 2 * day, 0.2));
      // Two days do not tell whether soil dries evenly.
      expect(Math.abs((forecast?.days ?? 0) - 10), `${days} days`).toBeLessThan(days > 2 ? 1 : 4);
      expect(forecast?.low).toBeLessThan(10.5);
      expect(forecast?.high ?? Number.POSITIVE_INFINITY).toBeGreaterThan(10);
    }
  });

  test('PLT-21 uneven drying promises fewer days than even drying, and nothing more than two weeks', () => {
    const [even, uneven, cactus] = [
      (day: number) => 40 - 1.5 * day,
      (day: number) => 40 - 1.5 * day + 2.5 * Math.sin((Math.PI * day) / 2),
      (day: number) => 37 - 0.1 * day,
    ].map((percentAt) => toldAt(sent(12, HOUR_MS, percentAt)).forecast);
    expect(uneven?.low).toBeLessThan(0.8 * (even?.low ?? 0));
    expect(cactus).toMatchObject({ low: 14, high: null });
  });

  test('PLT-21 above the limit it is never now, and what has been seen for a few hours is not known yet', () => {
    expect(toldAt(sent(0.3, MINUTE_MS, (day) => 40 + 20 * day)).forecast).toBeNull();
    const near = sent(6, 15 * MINUTE_MS, (day) => 22 - 2 * day, 0.2);
    const { forecast, dry } = toldAt(near);
    expect(dry).toBeNull();
    expect(forecast?.days).toBeGreaterThan(0);
  });
});

describe('dry', () => {
  test('PLT-22 noise of five raw at the limit is told once in a day, also where the band is narrower than it', () => {
    const random = randomOf(5);
    const calibrated = { dry: 560, wet: 420, alert_below: 20, alert_clear: 22 };
    for (const [settings, limit] of [
      [SETTINGS, 1023 - 204.6],
      [calibrated, 560 - 28],
    ] as const) {
      const readings = Array.from({ length: 2880 }, (_, at) => ({
        time: NOW - DAY_MS + at * 30_000,
        raw: Math.round(limit + 10 * random() - 5 + (at < 200 ? -8 : 0)),
      }));
      expect(timesDry(toldIn(1, readings, 5 * MINUTE_MS, settings))).toBeLessThanOrEqual(1);
    }
  });

  test.each([
    ['a second', 10_000, 0.8],
    ['ten minutes', 10 * MINUTE_MS, 0.8],
    ['an hour', HOUR_MS, 2.2],
    ['six hours', 6 * HOUR_MS, 12.2],
  ])(
    'PLT-9 PLT-22 a plant of a board of %s is dry after half an hour or three readings, and well again after water',
    (_, every, hours) => {
      const dries = -2;
      const readings = sent(5, every, (day) => 20 - 12 * (day - dries) + (day < -1 ? 0 : 35), 0.3);
      const intervals = intervalsAt(readings);
      let before: Assessment | null = null;
      const changes: number[] = [];
      for (let now = NOW - 2.1 * DAY_MS; now <= NOW; now += 10 * MINUTE_MS) {
        const assessment = assessmentOf(intervals(now), SETTINGS, before);
        if ((assessment.dry === null) !== ((before?.dry ?? null) === null))
          changes.push((now - NOW) / DAY_MS);
        before = assessment;
      }
      expect(changes).toHaveLength(2);
      expect((changes[0] ?? 0) - dries).toBeLessThanOrEqual((hours + 1.5) / 24 + every / DAY_MS);
      expect((changes[1] ?? 0) + 1).toBeLessThanOrEqual((hours + 1.5) / 24 + every / DAY_MS);
    },
  );

  test('PLT-22 0 %, exactly 20 % and a full scale are on the wet side of their limits, and the level says the same', () => {
    const constant = (raw: number) =>
      Array.from({ length: 30 }, (_, at) => ({ time: NOW - (30 - at) * 10 * MINUTE_MS, raw }));
    const edges = [
      [{ dry: 900, wet: 300, alert_below: 0, alert_clear: 5 }, 900, false],
      [{ dry: 900, wet: 300, alert_below: 0, alert_clear: 5 }, 1000, false],
      [{ dry: 800, wet: 300, alert_below: 20, alert_clear: 25 }, 700, false],
      [{ dry: 800, wet: 300, alert_below: 20, alert_clear: 25 }, 701, true],
      [{ dry: 800, wet: 300, alert_below: 99, alert_clear: 100 }, 300, false],
      [{ dry: 800, wet: 300, alert_below: 99, alert_clear: 100 }, 310, true],
    ] as const;
    for (const [settings, raw, isDry] of edges) {
      const { dry, level } = toldAt(constant(raw), NOW, settings);
      expect(dry !== null, String(raw)).toBe(isDry);
      expect(moisturePercent(level?.raw ?? 0, settings) < settings.alert_below).toBe(isDry);
      expect(dry?.reading.raw ?? raw).toBe(raw);
    }
  });

  test('PLT-22 a limit that is set anew is judged at once', () => {
    const readings = sent(3, 10 * MINUTE_MS, () => 30);
    const dry = toldAt(readings, NOW, { ...SETTINGS, alert_below: 40, alert_clear: 45 });
    expect(dry.dry).not.toBeNull();
    expect(toldAt(readings, NOW, SETTINGS, dry).dry).toBeNull();
    const other = toldAt(readings, NOW, { ...SETTINGS, alert_below: 50, alert_clear: 55 }, dry);
    expect(other.dry).toEqual(dry.dry);
  });
});

test('PLT-23 a sensor that moves between 398 and 548 is told so, its waterings are seen, and both its ends are offered', () => {
  const random = gaussianOf(randomOf(19));
  const waterings = [-26.5, -14.1, -9.2, -4.3, -2.1];
  const readings = Array.from({ length: 29 * 72 }, (_, at): Reading => {
    const time = NOW - 29 * DAY_MS + at * 20 * MINUTE_MS;
    const day = (time - NOW) / DAY_MS;
    const last = waterings.findLast((each) => each <= day) ?? -34;
    return { time, raw: Math.round(Math.min(548, 405 + 24 * (day - last)) + random()) };
  });
  const { range, calibration } = toldAt(readings);
  const found = findWaterings(intervalsOf(readings));
  expect(found.map(({ before }) => -Math.round(10 * daysAgo(before.time)) / 10)).toEqual(waterings);
  expect(range?.lowest).toBeGreaterThan(395);
  expect(range?.highest).toBeLessThan(555);
  expect(calibration).toEqual({ dry: range?.highest, wet: range?.lowest });
  expect(toldAt(readings, NOW, { ...SETTINGS, dry: 548, wet: 400 }).calibration).toBeNull();
});

test.each([
  [420, 840, null, null, true],
  [60, 980, null, null, false],
  [330, 600, 800, 300, false],
  [398, 500, 1000, 100, true],
  [398, 500, 100, 1000, true],
])(
  'PLT-23 a sensor that moves from %i to %i, calibrated to %s and %s, is offered its own ends: %s',
  (wettest, driest, dry, wet, isOffered) => {
    const readings = sent(20, HOUR_MS, (day) => {
      const share = (((day % 6) + 6) % 6) / 6;
      return 100 - (wettest + (driest - wettest) * share) / 10.23;
    });
    const { calibration } = toldAt(readings, NOW, { ...SETTINGS, dry, wet });
    expect(calibration !== null).toBe(isOffered);
    expect(calibration?.dry ?? driest).toBeGreaterThan(driest - 30);
    expect(calibration?.wet ?? wettest).toBeLessThan(wettest + 30);
  },
);
