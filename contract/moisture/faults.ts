import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';
import { extremesByTime, indexAt, noiseOf, pointsOf, quantile, type Interval, type Point } from './series.ts';

/**
 * Why a sensor's readings must be wrong: they lie at an end of the converter (`rail`), jump up and down as
 * soil cannot (`loose`), jumped to dry air (`out`), or have not changed for a day (`flat`).
 */
export type FaultKind = 'rail' | 'loose' | 'out' | 'flat';

/** `to` is null while the fault lasts. */
export type Fault = { kind: FaultKind; from: number; to: number | null };

const isRail = (raw: number) => raw <= 3 || raw >= 1020;
/** The fault `rail` ends after this time, and this many points, without a reading at the converter's end. */
const RAIL_OVER = { ms: HOUR_MS, points: 3 };
const LOOSE_WITHIN = { ms: 12 * HOUR_MS, points: 8 };
const OUT_AT_MOST_MS = 3 * DAY_MS;
/** Raw: the least and the greatest result of `jumpAt`, and its result for a sensor with few readings. */
const JUMP = { least: 40, most: 150, unknown: 85 };
/** The share of the jump that the values must regain before the sensor counts as back in the soil. */
const BACK = 0.6;
const FLAT = { ms: DAY_MS, readings: 24 };

/** The faults of a sensor, in the order of their beginning. Faults of different kinds may overlap. */
export function findFaults(intervals: readonly Interval[]): Fault[] {
  const points = pointsOf(intervals);
  const stuck = [...findRails(points), ...findLoose(points), ...findFlat(intervals)];
  return [...stuck, ...findOut(pointsOf(withoutFaults(intervals, stuck)))].sort((a, b) => a.from - b.from);
}

/** The intervals that overlap with no fault. */
export function withoutFaults(intervals: readonly Interval[], faults: readonly Fault[]): Interval[] {
  return intervals.filter((interval) => {
    const [first, last] = extremesByTime(interval);
    return !faults.some(({ from, to }) => last.time >= from && (to === null || first.time <= to));
  });
}

/** Groups instants into episodes: a gap longer than `patience` starts a new episode. */
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

/** Finds three readings in a row at an end of the converter. */
function findRails(points: readonly Point[]): Fault[] {
  const rails = points.flatMap(({ interval, spacing }) => {
    if (!isRail(interval.lowest.raw) || !isRail(interval.highest.raw)) return [];
    const patience = Math.max(RAIL_OVER.ms, RAIL_OVER.points * spacing);
    return extremesByTime(interval).map(({ time }, end) => ({
      time,
      patience,
      weight: end === 0 ? interval.count : 0,
    }));
  });
  return episodes('rail', rails, 3, points.at(-1)?.time ?? 0);
}

/** Three falls within half a day, each after a rise: water drains once, a loose contact jumps repeatedly. */
function findLoose(points: readonly Point[]): Fault[] {
  let last: number | undefined;
  let wasFall = false;
  const jumps = points.flatMap(({ time, mean, interval, spacing }, at) => {
    const patience = Math.max(LOOSE_WITHIN.ms, LOOSE_WITHIN.points * spacing);
    const isWild = interval.highest.raw - interval.lowest.raw >= JUMP.unknown;
    return (isWild ? extremesByTime(interval) : [{ time, raw: mean }]).flatMap((value) => {
      const change = value.raw - (last ?? value.raw);
      last = value.raw;
      if (Math.abs(change) < JUMP.least || Math.abs(change) < jumpAt(points, at)) return [];
      const isNew = change > 0 && !wasFall;
      wasFall = change > 0;
      const weight = value.raw >= 1020 ? railsIn(interval) : 1;
      return [{ time: value.time, patience, weight: isNew ? weight : 0 }];
    });
  });
  return episodes('loose', jumps, 3, points.at(-1)?.time ?? 0);
}

/** How many readings of an interval lie at the dry end, assuming that all others equal the lowest. */
function railsIn({ sum, count, lowest, highest }: Interval): number {
  return Math.max(1, Math.floor((sum - count * lowest.raw) / Math.max(1, highest.raw - lowest.raw) + 0.01));
}

/** Finds readings that have the same value for a day, at least 24 of them. */
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
    const [from, to] = [extremesByTime(begin)[0].time, extremesByTime(interval)[1].time];
    if (to - from >= FLAT.ms) found.push({ kind: 'flat', from, to: next ? to : null });
  });
  return found;
}

/**
 * Finds a sensor out of the soil: from a jump to values drier than all of the last six hours (draining water
 * does not jump) until `BACK` of the jump is regained. A jump to the newest point is not reported yet.
 */
function findOut(points: readonly Point[]): Fault[] {
  const found: (Fault & { level: number; driest: number })[] = [];
  for (const [at, { time, mean, spacing }] of points.entries()) {
    const last = found.at(-1);
    if (last?.to === null) {
      last.driest = Math.max(last.driest, mean);
      const isBack = mean <= last.driest - BACK * (last.driest - last.level);
      if (isBack) last.to = points[at - 1]?.time ?? time;
      else if (time - last.from >= OUT_AT_MOST_MS) Object.assign(last, { to: time, level: 0 });
      continue;
    }
    const since = time - Math.max(6 * HOUR_MS, 3 * spacing);
    const end = last?.to ?? Number.NEGATIVE_INFINITY;
    const lately = points.slice(indexAt(points, Math.max(since, end)) + 1, at).map((point) => point.mean);
    // After a fault, the level before the fault is the reference again.
    const level = Math.max(...lately, end > since ? (last?.level ?? 0) : 0);
    const fall = level === 0 ? 0 : mean - level;
    if (fall < JUMP.least || fall < jumpAt(points, at)) continue;
    if (at === points.length - 1) break;
    found.push({ kind: 'out', from: time, to: null, level, driest: mean });
  }
  return found.map(({ kind, from, to }) => ({ kind, from, to }));
}

/** The least change (raw) that is a jump: a quarter of the last week's span, or more if there is noise. */
function jumpAt(points: readonly Point[], at: number): number {
  const week = points.slice(indexAt(points, (points[at]?.time ?? 0) - 7 * DAY_MS) + 1, at);
  if (week.length < 24) return JUMP.unknown;
  const means = week.map(({ mean }) => mean);
  const span = quantile(means, 0.95) - quantile(means, 0.05);
  return Math.min(JUMP.most, Math.max(JUMP.least, span / 4, 5 * Math.SQRT2 * noiseOf(week)));
}

/* Texts about a faulty sensor or board, for the plant's card and for messages. */

export const faultTexts: Record<FaultKind, string> = {
  rail: '값이 한계에서 변하지 않습니다',
  loose: '값이 튑니다. 접촉이 나쁠 수 있습니다',
  out: '센서가 흙에서 빠져 있습니다',
  flat: '값이 전혀 변하지 않습니다',
};

/**
 * How far a board's clock is off, in the largest unit that is not 0: `2시간 느립니다`.
 * @param off milliseconds by which the clock is ahead, negative if the clock is behind
 */
export function clockSkewText(off: number): string {
  const units = [
    ['일', DAY_MS],
    ['시간', HOUR_MS],
    ['분', MINUTE_MS],
  ] as const;
  const [unit, length] = units.find(([, each]) => Math.abs(off) >= each) ?? ['분', MINUTE_MS];
  const much = Math.round(Math.abs(off) / length).toLocaleString('ko');
  return `${much}${unit} ${off > 0 ? '빠릅니다' : '느립니다'}`;
}
