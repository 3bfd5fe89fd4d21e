import { DAY_MS, HOUR_MS, MINUTE_MS, SEOUL_OFFSET_MS } from '#contract/time';
import { seoulDateTime } from '../../lib/seoul-time.ts';

const TICK_STEPS = [
  10_000,
  30_000,
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 4, 7, 10, 14].map((days) => days * DAY_MS),
];
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120];
const MONTH_MS = 30 * DAY_MS;

/** At most `most` times for an axis: round times in Seoul, or in a long range the first days of months. */
export function seoulTicks(from: number, to: number, most: number): number[] {
  const step = TICK_STEPS.find((candidate) => (to - from) / candidate <= most);
  if (step === undefined) return monthTicks(from, to, most);
  const first = Math.ceil((from + SEOUL_OFFSET_MS) / step) * step - SEOUL_OFFSET_MS;
  const ticks: number[] = [];
  for (let time = first; time <= to; time += step) ticks.push(time);
  return ticks;
}

function monthTicks(from: number, to: number, most: number): number[] {
  const step = MONTH_STEPS.find((months) => (to - from) / (months * MONTH_MS) <= most) ?? 240;
  const start = new Date(from + SEOUL_OFFSET_MS);
  const ticks: number[] = [];
  let month = Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / step) * step;
  for (let time = Number.NEGATIVE_INFINITY; time <= to; month += step) {
    time = Date.UTC(Math.floor(month / 12), month % 12) - SEOUL_OFFSET_MS;
    if (time >= from && time <= to) ticks.push(time);
  }
  return ticks;
}

/** Tick label: the time, or the date at midnight; in a long range, year and month. */
export function seoulTickText(time: number, span: number): string {
  const text = seoulDateTime(time);
  if (span > 140 * DAY_MS) return text.slice(0, 7);
  if (text.endsWith('00:00:00')) return text.slice(5, 10);
  return text.endsWith(':00') ? text.slice(11, 16) : text.slice(11);
}

/** A time range as text: `2026.03.02 14:05 – 16:30`, or for whole days `2026.03.02 – 2026.03.04`. */
export function timeSpanText(from: number, to: number): string {
  const [start, end] = [seoulDateTime(from).slice(0, 16), seoulDateTime(to).slice(0, 16)];
  if (start.endsWith(' 00:00') && end.endsWith(' 00:00')) {
    const [first, last] = [start.slice(0, 10), seoulDateTime(to - DAY_MS).slice(0, 10)];
    return first === last ? first : `${first} – ${last}`;
  }
  return `${start} – ${start.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : end}`;
}
