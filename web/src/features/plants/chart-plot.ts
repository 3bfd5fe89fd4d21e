import { moisturePercent, type Calibration, UNCALIBRATED } from '#contract/moisture/percent';
import type { Reading } from './history.ts';
import type { Stretch } from './range.ts';

/** Margins of the plot in pixels, for the axes. */
export const PLOT = { left: 48, right: 14, top: 22, bottom: 30 } as const;
export const CHART_HEIGHT = 320;

/** How far from the pointer a reading may be to be described, as a share of the stretch. */
const REACH = 0.02;

/** One plant's line; its number determines its colour. */
export type ChartLine = {
  plant: string;
  number: number;
  readings: readonly Reading[];
  calibration: Calibration | undefined;
  /** By which it is drawn: its calibration, or the sensor's whole range. */
  scale: Calibration;
  /** Where it is drawn at its alert's limit, in percent. */
  limit: number;
  /** When its sensor could not be right, in milliseconds since 1970. */
  faults: readonly Stretch[];
  /** When it reaches its limit, at the earliest and at the latest. */
  dryAt: Stretch | undefined;
};

/** Where a plant's limit is drawn by another scale than that of its alerts. */
export function limitOn(scale: Calibration, limit: number, own: Calibration = UNCALIBRATED): number {
  return scale === own ? limit : moisturePercent(own.dry - (limit * (own.dry - own.wet)) / 100, scale);
}

/** Position of an instant in the plot, from 0 (left) to 1 (right). */
export function timeToX(time: number, { from, to }: Stretch): number {
  return (time - from) / (to - from);
}

export function xToTime(place: number, { from, to }: Stretch): number {
  return from + Math.min(1, Math.max(0, place)) * (to - from);
}

/** The reading nearest to an instant, if one is within reach. */
export function nearestReading(
  readings: readonly Reading[],
  time: number,
  { from, to }: Stretch,
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

/** How long the end of a stretch of this length is held: a few pixels' worth. */
export function redrawInterval(span: number): number {
  return Math.max(1000, span / 150);
}

/** Whether a stretch ends at now, within a few pixels, so that there is nothing to move on to. */
export function endsAtNow({ from, to }: Stretch, now: number): boolean {
  return to >= now - redrawInterval(to - from);
}

/** As many steps of the width show what is to come, at most. */
const AHEAD_STEPS = 4;

/** How far beyond its end the chart shows what is expected: a whole number of twentieths of the stretch. */
export function forecastSpan(lines: readonly Pick<ChartLine, 'dryAt'>[], { from, to }: Stretch): number {
  const step = (to - from) / 20;
  const last = Math.max(to, ...lines.map(({ dryAt }) => dryAt?.to ?? to));
  return Math.min(AHEAD_STEPS, Math.ceil((last - to) / step)) * step;
}

/** End of a live stretch: now, rounded up so that not every reading moves the whole chart. */
export function roundedNow(now: number, span: number): number {
  const step = redrawInterval(span);
  return Math.ceil(now / step) * step;
}

const COLOURS = 6;

/** A plant's colour from tokens.css, dashed beyond the last colour. */
export function plantColour(number: number): { stroke: string; dash: string | undefined } {
  return {
    stroke: `var(--plant-${(number % COLOURS) + 1})`,
    dash: number < COLOURS ? undefined : '6 4',
  };
}

/** A line as it is drawn: that of a sensor at fault is dotted, in the colour in which its card says so. */
export const lineLook = ({ number, isFaulty }: { number: number; isFaulty: boolean }) =>
  isFaulty ? { stroke: 'var(--notice)', dash: '0 7', width: 4 } : { ...plantColour(number), width: 2 };
