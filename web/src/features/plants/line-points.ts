import { MINUTE_MS } from '#contract/time';
import { plantPercent } from '#contract/moisture/percent';
import type { ChartLine } from './chart-plot.ts';
import type { Reading } from './history.ts';
import type { Stretch } from './range.ts';

/** A point of a line; without a percentage the line has a gap. */
export type LinePoint = { time: number; percent: number | null };

/** A plant's line, or the part that one layer of the chart draws. */
export type DrawnLine = { plant: string; number: number; isMarked: boolean; points: readonly LinePoint[] };

const GAP_AT_LEAST_MS = MINUTE_MS;
const GAP_INTERVALS = 4;
/** Number of intervals on either side that determine what is usual. */
const NEIGHBOURS = 12;

/**
 * Whether there is a gap before a reading: an interval more than four times longer than usual on either side. Usual is
 * the third quartile, because in a thinned response every interval has two readings close together.
 */
function isAfterGap(readings: readonly Reading[], index: number): boolean {
  const interval = intervalBefore(readings, index);
  if (interval <= GAP_AT_LEAST_MS) return false;
  const earlier = isLongBeside(interval, readings, Math.max(1, index - NEIGHBOURS), index);
  const later = isLongBeside(
    interval,
    readings,
    index + 1,
    Math.min(index + 1 + NEIGHBOURS, readings.length),
  );
  return earlier !== false && later !== false && (earlier ?? later ?? false);
}

/**
 * Compared with the intervals of readings in [from, to); undefined without any. Uses counting, because sorting would be
 * slower.
 */
function isLongBeside(
  interval: number,
  readings: readonly Reading[],
  from: number,
  to: number,
): boolean | undefined {
  if (to <= from) return undefined;
  let shorter = 0;
  for (let index = from; index < to; index++) {
    if (intervalBefore(readings, index) * GAP_INTERVALS < interval) shorter += 1;
  }
  return shorter > Math.floor((to - from) * 0.75);
}

function intervalBefore(readings: readonly Reading[], index: number): number {
  const reading = readings[index];
  const previous = readings[index - 1];
  return reading && previous ? reading.time - previous.time : 0;
}

/** Parts of a plant's readings without gaps. */
export function splitAtGaps(readings: readonly Reading[]): Reading[][] {
  const parts: Reading[][] = [];
  for (const [index, reading] of readings.entries()) {
    const part = parts.at(-1);
    if (part && !isAfterGap(readings, index)) part.push(reading);
    else parts.push([reading]);
  }
  return parts;
}

/**
 * Drops readings that would be invisible: for each column of the stretch only the lowest and the highest remain, and
 * the first and the last overall.
 */
export function thinned(
  readings: readonly Reading[],
  { from, to }: Stretch,
  columns: number,
): readonly Reading[] {
  if (readings.length <= 2 * columns) return readings;
  const kept = new Set<Reading | undefined>([readings[0], readings.at(-1)]);
  let column: number | undefined;
  let lowest: Reading | undefined;
  let highest: Reading | undefined;
  for (const reading of readings) {
    const own = Math.floor(((reading.time - from) / (to - from)) * columns);
    if (own !== column) {
      kept.add(lowest).add(highest);
      column = own;
      lowest = reading;
      highest = reading;
    }
    if (reading.raw < (lowest?.raw ?? 0)) lowest = reading;
    if (reading.raw > (highest?.raw ?? 0)) highest = reading;
  }
  kept.add(lowest).add(highest);
  return readings.filter((reading) => kept.has(reading));
}

/** The points of a plant's line. @param columns width of the plot in distinguishable units */
export function linePoints(
  { readings, calibration }: Pick<ChartLine, 'readings' | 'calibration'>,
  stretch: Stretch,
  columns: number,
): LinePoint[] {
  const points: LinePoint[] = [];
  for (const part of splitAtGaps(readings)) {
    const [first] = part;
    if (points.length > 0 && first) points.push({ time: first.time, percent: null });
    for (const { time, raw } of thinned(part, stretch, columns)) {
      points.push({ time, percent: plantPercent(raw, calibration) });
    }
  }
  return points;
}

/**
 * Splits a line at an instant. The later part starts with the last point of the earlier one, so that they connect. A
 * line with too few points before the cut stays whole, in the first part.
 */
export function cutLine(
  points: readonly LinePoint[],
  at: number,
): [readonly LinePoint[], readonly LinePoint[]] {
  const first = points.findIndex(({ time }) => time >= at);
  if (first < 2) return [points, []];
  return [points.slice(0, first), points.slice(first - 1)];
}

export function arePointsEqual(a: readonly LinePoint[], b: readonly LinePoint[]): boolean {
  return (
    a === b ||
    (a.length === b.length &&
      a.every(({ time, percent }, index) => time === b[index]?.time && percent === b[index].percent))
  );
}
