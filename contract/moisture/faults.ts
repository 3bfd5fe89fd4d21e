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
const OUT_AT_MOST_MS = 7 * DAY_MS;
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
  return Math.floor((sum - count * lowest.raw) / Math.max(1, highest.raw - lowest.raw) + 0.01);
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
 * Out of the soil: a fall of a tenth of the converter within two points that does not follow a rise, as water that drains
 * would, until a rise regains most of it.
 */
function findOut(points: readonly Point[]): Fault[] {
  const spacings = spacingsOf(points);
  const found: Fault[] = [];
  let open: { from: number; level: number; driest: number } | null = null;
  let from = 0;
  points.forEach(({ time, level }, at) => {
    const spacing = spacings[at] ?? 0;
    if (open) {
      open.driest = Math.max(open.driest, level);
      const isBack = level <= open.driest - 0.6 * (open.driest - open.level);
      if (!isBack && time - open.from < OUT_AT_MOST_MS) return;
      found.push({ kind: 'out', from: open.from, to: points[isBack ? at - 1 : at]?.time ?? time });
      open = null;
      from = at;
      return;
    }
    const before = points[Math.max(from, at - 2)];
    if (
      !before ||
      level - before.level < 1.2 * JUMP ||
      time - before.time > Math.max(6 * HOUR_MS, 3 * spacing)
    )
      return;
    const earliest = Math.max(from, indexAt(points, before.time - Math.max(6 * HOUR_MS, 3 * spacing)));
    const driest = Math.max(...points.slice(earliest, at - 1).map((point) => point.level), before.level);
    if (driest - before.level > (level - before.level) / 3) return;
    const start = points[at - 1] ?? before;
    const isStart = start.level - before.level > (level - before.level) / 3;
    open = { from: isStart ? start.time : time, level: before.level, driest: level };
  });
  const going: { from: number } | null = open;
  return going === null
    ? found
    : [...found, { kind: 'out', from: (going as { from: number }).from, to: null }];
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
    const noise = noiseIn(day, next);
    const own = noiseIn(fortnight, day);
    const isKnown = day - fortnight >= 24;
    const isNoisy =
      day >= -1 && noise > NOISE.least && (noise > NOISE.most || (isKnown && noise > NOISE.times * own));
    const open = found.at(-1);
    if (isNoisy && open?.to !== null) found.push({ kind: 'noisy', from: time, to: null });
    else if (!isNoisy && open?.to === null) open.to = points[at - 1]?.time ?? time;
    at = next;
  }
  return found;
}
