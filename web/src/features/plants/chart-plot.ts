import { moisturePercent, type Calibration, DEFAULT_CALIBRATION } from '#contract/moisture/percent';
import type { Reading } from './history.ts';
import type { TimeSpan } from './range.ts';

/** Margins of the plot in pixels, for the axes. */
export const PLOT = { left: 48, right: 14, top: 22, bottom: 30 } as const;
export const CHART_HEIGHT = 320;

/** Maximum distance between the pointer and the reading in the tooltip, as a share of the time range. */
const REACH = 0.02;

/** The line of a plant. The plant's number determines the line's colour. */
export type ChartLine = {
  plant: string;
  number: number;
  readings: readonly Reading[];
  calibration: Calibration | undefined;
  /** Converts raw values to the drawn percent: the plant's calibration, or the sensor's whole range. */
  scale: Calibration;
  /** The alert limit, in percent of `scale`. */
  limit: number;
  /** Periods in which the sensor was faulty, in milliseconds since 1970. */
  faults: readonly TimeSpan[];
  /** The forecast: the earliest and the latest time at which the plant reaches its limit. */
  dryAt: TimeSpan | undefined;
};

/** Converts a limit in percent of the plant's own scale `own` to percent of another scale. */
export function limitOn(scale: Calibration, limit: number, own: Calibration = DEFAULT_CALIBRATION): number {
  return scale === own ? limit : moisturePercent(own.dry - (limit * (own.dry - own.wet)) / 100, scale);
}

/** Position of an instant in the plot, from 0 (left) to 1 (right). */
export function timeToX(time: number, { from, to }: TimeSpan): number {
  return (time - from) / (to - from);
}

export function xToTime(place: number, { from, to }: TimeSpan): number {
  return from + Math.min(1, Math.max(0, place)) * (to - from);
}

/** The nearest reading within REACH of an instant. */
export function nearestReading(
  readings: readonly Reading[],
  time: number,
  { from, to }: TimeSpan,
): Reading | undefined {
  let low = 0;
  let high = readings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((readings[middle]?.time ?? time) < time) low = middle + 1;
    else high = middle;
  }
  const after = readings[low];
  const before = readings[low - 1];
  const distance = (reading: Reading | undefined) =>
    reading ? Math.abs(reading.time - time) : Number.POSITIVE_INFINITY;
  const nearest = distance(before) < distance(after) ? before : after;
  return nearest && distance(nearest) <= (to - from) * REACH ? nearest : undefined;
}

/** Milliseconds after which the end of a live chart moves, by a few pixels each time. */
export function redrawInterval(span: number): number {
  return Math.max(1000, span / 150);
}

/** Whether a time range ends less than a few pixels before now, so that no later range can be shown. */
export function endsAtNow({ from, to }: TimeSpan, now: number): boolean {
  return to >= now - redrawInterval(to - from);
}

/** Maximum number of steps by which the chart is extended into the future. */
const AHEAD_STEPS = 4;

/** How far (in ms) the chart extends into the future to show forecasts, in steps of 1/20 of the range. */
export function forecastSpan(lines: readonly Pick<ChartLine, 'dryAt'>[], { from, to }: TimeSpan): number {
  const step = (to - from) / 20;
  const last = Math.max(to, ...lines.map(({ dryAt }) => dryAt?.to ?? to));
  return Math.min(AHEAD_STEPS, Math.ceil((last - to) / step)) * step;
}

/** The end of a live time range: `now`, rounded up. Otherwise every reading would move the whole chart. */
export function roundedNow(now: number, span: number): number {
  const step = redrawInterval(span);
  return Math.ceil(now / step) * step;
}

const COLOURS = 6;

/** A plant's colour from tokens.css. When all colours are used, further plants get dashed lines. */
export function plantColour(number: number): { stroke: string; dash: string | undefined } {
  return {
    stroke: `var(--plant-${(number % COLOURS) + 1})`,
    dash: number < COLOURS ? undefined : '9 3 2 3',
  };
}

/** The line's style. A faulty sensor's line is dotted, in the colour of the fault on the plant's card. */
export const lineStyle = ({ number, isFaulty }: { number: number; isFaulty: boolean }) =>
  isFaulty ? { stroke: 'var(--notice)', dash: '0 7', width: 4 } : { ...plantColour(number), width: 2 };
