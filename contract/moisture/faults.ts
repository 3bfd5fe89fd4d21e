import { DAY_MS, HOUR_MS } from '../time.ts';
import {
  deviation,
  ends,
  indexAt,
  meanOf,
  pointsOf,
  spacingsOf,
  type Interval,
  type Point,
} from './series.ts';

/**
 * Why a sensor cannot be right: its readings lie at an end of the converter (`rail`), jump as soil cannot (`loose`), went
 * into the air at once (`out`), have not moved for a day (`flat`), or are without order (`noisy`).
 */
export type FaultKind = 'rail' | 'loose' | 'out' | 'flat' | 'noisy';

/** `to` is null while it goes on. */
export type Fault = { kind: FaultKind; from: number; to: number | null };

/** Raw: a twelfth of the converter is more than soil moves by itself within an hour. */
const JUMP = 85;
const isRail = (raw: number) => raw <= 3 || raw >= 1020;
/** A rail is over after this time without one, or so many points; a loose contact is more patient. */
const RAIL_OVER = { ms: HOUR_MS, points: 3 };
const LOOSE_WITHIN = { ms: 12 * HOUR_MS, points: 8 };
const OUT_AT_MOST_MS = 3 * DAY_MS;
/** Raw: the least and the most a fall must be, by what the sensor falls otherwise, and before that is known. */
const OUT = { least: 40, most: 150, unknown: 102, deviations: 6 };
/** The share of a fall that is regained when a sensor is put back. */
const BACK = 0.6;
const FLAT = { ms: DAY_MS, readings: 24 };
/** Raw: more noise than this is no measurement; and four times what the sensor had in the fortnight before. */
const NOISE = { most: 80, least: 20, times: 4 };

/** The faults of a sensor, in the order of their beginning. One kind may lie within another. */
export function findFaults(intervals: readonly Interval[]): Fault[] {
  const spacings = spacingsOf(pointsOf(intervals));
  const stuck = [
    ...findRails(intervals, spacings),
    ...findLoose(intervals, spacings),
    ...findFlat(intervals),
  ];
  const points = pointsOf(withoutFaults(intervals, stuck));
  const order = [...findOut(points), ...findNoisy(points)];
  return [...stuck, ...order].sort((a, b) => a.from - b.from);
}

/** The intervals that no fault touches. */
export function withoutFaults(intervals: readonly Interval[], faults: readonly Fault[]): Interval[] {
  return intervals.filter((interval) => {
    const [first, last] = ends(interval);
    return !faults.some(({ from, to }) => last.time >= from && (to === null || first.time <= to));
  });
}

/** Episodes of what happened at some instants, each not longer than `patience` after the one before. */
function episodes(
  kind: FaultKind,
  happened: readonly { time: number; patience: number; weight: number }[],
  fewest: number,
  end: number,
): Fault[] {
  const found: (Fault & { last: number; patience: number; weight: number })[] = [];
  for (const { time, patience, weight } of happened) {
    const open = found.at(-1);
    if (open && time - open.last <= open.patience) {
      Object.assign(open, { last: time, patience, weight: open.weight + weight });
    } else found.push({ kind, from: time, to: null, last: time, patience, weight });
  }
  return found
    .filter(({ weight }) => weight >= fewest)
    .map(({ from, last, patience }) => ({ kind, from, to: end - last > patience ? last : null }));
}

const endOf = (intervals: readonly Interval[]) => {
  const last = intervals.at(-1);
  return last ? ends(last)[1].time : 0;
};

/** Three readings in a row at an end of the converter. */
function findRails(intervals: readonly Interval[], spacings: readonly number[]): Fault[] {
  const rails = intervals.flatMap((interval, at) => {
    if (!isRail(interval.lowest.raw) || !isRail(interval.highest.raw)) return [];
    const patience = Math.max(RAIL_OVER.ms, RAIL_OVER.points * (spacings[at] ?? 0));
    return ends(interval).map(({ time }, end) => ({
      time,
      patience,
      weight: end === 0 ? interval.count : 0,
    }));
  });
  return episodes('rail', rails, 3, endOf(intervals));
}

/** Three falls within half a day, each after a rise: water drains once, a loose contact again and again. */
function findLoose(intervals: readonly Interval[], spacings: readonly number[]): Fault[] {
  const values = intervals.flatMap((interval, at) => {
    const patience = Math.max(LOOSE_WITHIN.ms, LOOSE_WITHIN.points * (spacings[at] ?? 0));
    const isWild = interval.highest.raw - interval.lowest.raw >= JUMP;
    const raws = isWild ? ends(interval) : [{ time: ends(interval)[1].time, raw: meanOf(interval) }];
    return raws.map(({ time, raw }) => ({ time, raw, patience, interval }));
  });
  let wasFall = false;
  const falls = values.flatMap(({ time, raw, patience, interval }, at) => {
    const change = raw - (values[at - 1]?.raw ?? raw);
    if (Math.abs(change) < JUMP) return [];
    const isNew = change > 0 && !wasFall;
    wasFall = change > 0;
    if (!isNew) return [];
    return [{ time, patience, weight: raw >= 1020 ? railsIn(interval) : 1 }];
  });
  return episodes('loose', falls, 3, endOf(intervals));
}

/** How many readings of an interval lie at the dry end, if all others are as low as the lowest. */
function railsIn({ sum, count, lowest, highest }: Interval): number {
  return Math.max(1, Math.floor((sum - count * lowest.raw) / Math.max(1, highest.raw - lowest.raw) + 0.01));
}

/** The same value for a day and in 24 readings. */
function findFlat(intervals: readonly Interval[]): Fault[] {
  const found: Fault[] = [];
  let first = 0;
  let readings = 0;
  intervals.forEach((interval, at) => {
    const { lowest, highest, count } = interval;
    const isSame = lowest.raw === highest.raw && lowest.raw === intervals[first]?.lowest.raw;
    if (isSame) readings += count;
    else [first, readings] = [at, count];
    const begin = intervals[first];
    const next = intervals[at + 1];
    const goesOn = next?.lowest.raw === lowest.raw && next.highest.raw === lowest.raw;
    if (goesOn || !begin || lowest.raw !== highest.raw || readings < FLAT.readings) return;
    const [from, to] = [ends(begin)[0].time, ends(interval)[1].time];
    if (to - from >= FLAT.ms) found.push({ kind: 'flat', from, to: next ? to : null });
  });
  return found;
}

/**
 * Out of the soil: a fall within two points that is none of this sensor's and does not follow a rise, as that of water that
 * drains would, until a rise regains most of it.
 */
function findOut(points: readonly Point[]): Fault[] {
  const spacings = spacingsOf(points);
  const found: Fault[] = [];
  let open: { fault: Fault; level: number; driest: number } | null = null;
  let from = 0;
  for (const [at, { time, level }] of points.entries()) {
    if (open) {
      open.driest = Math.max(open.driest, level);
      const isBack = level <= open.driest - BACK * (open.driest - open.level);
      if (!isBack && time - open.fault.from < OUT_AT_MOST_MS) continue;
      open.fault.to = points[isBack ? at - 1 : at]?.time ?? time;
      open = null;
      from = at;
      continue;
    }
    const begin = Math.max(from, at - 2);
    const before = points[begin];
    const patience = Math.max(6 * HOUR_MS, 3 * (spacings[at] ?? 0));
    if (!before || level - before.level < OUT.least || time - before.time > patience) continue;
    const fall = level - before.level;
    const lately = points.slice(Math.max(from, indexAt(points, before.time - patience)), begin + 1);
    if (Math.max(...lately.map((point) => point.level)) - before.level > fall / 3) continue;
    if (fall < usualFall(points, begin)) continue;
    const next = points[begin + 1];
    const first = next && next.level - before.level > fall / 3 ? next : points[at];
    open = {
      fault: { kind: 'out', from: first?.time ?? time, to: null },
      level: before.level,
      driest: level,
    };
    found.push(open.fault);
  }
  return found;
}

/** What a sensor must fall within two points to be out of the soil, by the week before. */
function usualFall(points: readonly Point[], at: number): number {
  const week = points.slice(indexAt(points, (points[at]?.time ?? 0) - 7 * DAY_MS) + 1, at + 1);
  const changes = week.slice(2).map(({ level }, index) => level - (week[index]?.level ?? level));
  if (changes.length < 24) return OUT.unknown;
  return Math.min(OUT.most, Math.max(OUT.least, OUT.deviations * deviation(changes)));
}

/** Days whose noise is beyond measure, or beyond the sensor's own. */
function findNoisy(points: readonly Point[]): Fault[] {
  const steps = points.map(({ mean }, at) => (mean - (points[at - 1]?.mean ?? mean)) / Math.SQRT2);
  const spacings = spacingsOf(points);
  const noiseIn = (from: number, to: number) => deviation(steps.slice(Math.max(0, from), to));
  const found: Fault[] = [];
  let at = 0;
  while (at < points.length) {
    const time = points[at]?.time ?? 0;
    const block = time - (time % (6 * HOUR_MS));
    const next = indexAt(points, block + 6 * HOUR_MS - 1) + 1;
    const day = Math.min(
      indexAt(points, block - 18 * HOUR_MS),
      next - Math.max(12, DAY_MS / (2 * (spacings[at] ?? DAY_MS))),
    );
    const fortnight = indexAt(points, block - 15 * DAY_MS);
    const noise = day >= -1 ? noiseIn(day, next) : 0;
    const isKnown = day - fortnight >= 24;
    const isNoisy =
      noise > NOISE.least &&
      (noise > NOISE.most || (isKnown && noise > NOISE.times * noiseIn(fortnight, day)));
    const open = found.at(-1);
    if (isNoisy && open?.to !== null) found.push({ kind: 'noisy', from: time, to: null });
    else if (!isNoisy && open?.to === null) open.to = points[at - 1]?.time ?? time;
    at = next;
  }
  return found;
}
