import { seoulDateTime } from '../../lib/seoul-time.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Seoul knows no summer time. */
const SEOUL_AHEAD_MS = 9 * HOUR_MS;

const TICK_STEPS = [
  10_000,
  30_000,
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 4, 7, 14, 30, 60, 120, 365].map((days) => days * DAY_MS),
];

/** Round instants in Seoul between two, at most `most` of them, for an axis. */
export function seoulTicks(from: number, to: number, most: number): number[] {
  const step = TICK_STEPS.find((candidate) => (to - from) / candidate <= most) ?? (to - from) / most;
  const first = Math.ceil((from + SEOUL_AHEAD_MS) / step) * step - SEOUL_AHEAD_MS;
  const ticks: number[] = [];
  for (let time = first; time <= to; time += step) ticks.push(time);
  return ticks;
}

/** What an axis says at an instant: the time of day, at midnight the date, in a long span the year too. */
export function seoulTickText(time: number, span: number): string {
  const text = seoulDateTime(time);
  if (span > 300 * DAY_MS) return text.slice(0, 10);
  if (text.endsWith('00:00:00')) return text.slice(5, 10);
  return text.endsWith(':00') ? text.slice(11, 16) : text.slice(11);
}

/** How long ago, in words. */
export function ageText(time: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - time) / 1000));
  if (seconds < 60) return `${seconds}초 전`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}분 전`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}시간 전`;
  return `${Math.floor(seconds / 86_400)}일 전`;
}
