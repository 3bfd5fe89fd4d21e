import { MINUTE_MS } from '#contract/time';
import { moisturePercent } from '#contract/moisture/percent';
import type { ChartLine } from './chart-plot.ts';
import type { Reading } from './history.ts';
import type { TimeSpan } from './range.ts';

/** A point of a line. If `percent` is null, the line has a gap. */
export type LinePoint = { time: number; percent: number | null };

/** A plant's line or a part of the line. The readings of a faulty sensor are a separate line. */
export type DrawnLine = {
  plant: string;
  number: number;
  isMarked: boolean;
  isFaulty: boolean;
  points: readonly LinePoint[];
};

const GAP_AT_LEAST_MS = MINUTE_MS;
const GAP_INTERVALS = 4;
/** The usual interval is computed from this many intervals before and after a reading. */
const NEIGHBOURS = 12;

/**
 * Whether a line has a gap before a reading: an interval over four times the usual interval on both sides.
 * The usual interval is the third quartile, because downsampled readings come in close pairs.
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
 * Whether an interval is over four times the usual interval of the readings in [from, to); undefined if there
 * are no such readings. Counts shorter intervals, because sorting to find the quartile would be slower.
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
 * Downsamples readings: keeps the first and the last reading, and the lowest and the highest reading in each
 * column of the chart. Other readings would be invisible.
 */
export function downsample(
  readings: readonly Reading[],
  { from, to }: TimeSpan,
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

/** Whether a reading is from a period in which the sensor was faulty. */
export const isFaultyAt = ({ faults }: Pick<ChartLine, 'faults'>, time: number): boolean =>
  faults.some(({ from, to }) => from <= time && time <= to);

/**
 * The valid and the faulty points of a plant's line.
 * @param columns number of the plot's columns; see `downsample`
 */
export function linePoints(
  line: Pick<ChartLine, 'readings' | 'scale' | 'faults'>,
  stretch: TimeSpan,
  columns: number,
): { sound: LinePoint[]; faulty: LinePoint[] } {
  const points = { sound: new Array<LinePoint>(), faulty: new Array<LinePoint>() };
  for (const part of splitAtGaps(line.readings).flatMap((each) => splitAtFaults(each, line))) {
    const [first] = part;
    if (!first) continue;
    const own = isFaultyAt(line, first.time) ? points.faulty : points.sound;
    if (own.length > 0) own.push({ time: first.time, percent: null });
    for (const { time, raw } of downsample(part, stretch, columns)) {
      own.push({ time, percent: moisturePercent(raw, line.scale) });
    }
  }
  return points;
}

function splitAtFaults(readings: Reading[], line: Pick<ChartLine, 'faults'>): Reading[][] {
  if (line.faults.length === 0) return [readings];
  const parts: Reading[][] = [];
  for (const reading of readings) {
    const part = parts.at(-1);
    const isFaulty = isFaultyAt(line, reading.time);
    if (part?.[0] && isFaultyAt(line, part[0].time) === isFaulty) part.push(reading);
    else parts.push([reading]);
  }
  return parts;
}

/**
 * Splits a line at an instant. The second part starts with the last point of the first part, so that there is
 * no gap. A line with too few points before the instant stays whole, as the first part.
 */
export function splitLineAt(
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

const PARTS = 24;

/** `cells`: a value for each line: undefined without readings, `faulty` if all readings are faulty. */
type ReadingTableRow = {
  from: number;
  cells: ({ lowestRaw: number; highestRaw: number } | 'faulty' | undefined)[];
};

/** Returns a row for each 1/24 of a time range, oldest first: lowest and highest raw value of each line. */
export function readingTableRows(
  lines: readonly Pick<ChartLine, 'readings' | 'faults'>[],
  { from, to }: TimeSpan,
): ReadingTableRow[] {
  const length = (to - from) / PARTS;
  const rows = Array.from({ length: PARTS }, (_, part): ReadingTableRow => ({
    from: from + part * length,
    cells: lines.map(() => undefined),
  }));
  for (const [index, line] of lines.entries()) {
    for (const { time, raw } of line.readings) {
      const cells = rows[Math.floor((time - from) / length)]?.cells;
      if (!cells) continue;
      if (isFaultyAt(line, time)) {
        cells[index] ??= 'faulty';
        continue;
      }
      const before = cells[index];
      const { lowestRaw = raw, highestRaw = raw } = before === 'faulty' ? {} : (before ?? {});
      cells[index] = { lowestRaw: Math.min(lowestRaw, raw), highestRaw: Math.max(highestRaw, raw) };
    }
  }
  return rows;
}
