import type { Reading } from './history.ts';
import type { Stretch } from './range.ts';

/** Room around the plot in pixels; the axes stand in it. */
export const PLOT = { left: 48, right: 14, top: 22, bottom: 30 } as const;
export const CHART_HEIGHT = 400;

/** How far beside the pointer a reading may lie to be told of, in parts of the stretch. */
const REACH = 0.02;

/** What the chart draws of one plant: its number gives it its colour. */
export type ChartLine = { plant: string; number: number; readings: readonly Reading[] };

/** Where an instant is in the plot, from 0 at its left to 1 at its right. */
export function placeOf(time: number, { from, to }: Stretch): number {
  return (time - from) / (to - from);
}

export function timeAt(place: number, { from, to }: Stretch): number {
  return from + Math.min(1, Math.max(0, place)) * (to - from);
}

/** The reading nearest to an instant, if there is one within reach. */
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

/** How long the end of a stretch of such a length is held: a few pixels. */
export function heldStep(span: number): number {
  return Math.max(1000, span / 150);
}

/** Whether a stretch has reached now, but for a few pixels: there is nothing to move on to. */
export function endsAtNow({ from, to }: Stretch, now: number): boolean {
  return to >= now - heldStep(to - from);
}

/** The end of a stretch that goes on: now, but held for a while, so that not every reading moves the whole chart. */
export function heldNow(now: number, span: number): number {
  const step = heldStep(span);
  return Math.ceil(now / step) * step;
}
