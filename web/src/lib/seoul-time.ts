import { DAY_MS } from '#contract/time';

const parts = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Seoul',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** `2026.03.02 14:05:09` in Seoul. */
export function seoulDateTime(time: number): string {
  const part = Object.fromEntries(parts.formatToParts(time).map(({ type, value }) => [type, value]));
  return `${part['year']}.${part['month']}.${part['day']} ${part['hour']}:${part['minute']}:${part['second']}`;
}

/** The start of a calendar day (`2026-03-02`, as in a date input) in Seoul. */
export function seoulDayStart(day: string, daysLater = 0): string {
  return new Date(Date.parse(`${day}T00:00:00+09:00`) + daysLater * DAY_MS).toISOString();
}

/** A board reports every few seconds, so a value up to this age counts as current. */
const JUST_NOW_SECONDS = 10;

/** Age in words: `방금` or `3분 전`. */
export function ageText(time: number, now: number): string {
  const seconds = Math.round((now - time) / 1000);
  if (seconds < JUST_NOW_SECONDS) return '방금';
  if (seconds < 60) return `${seconds}초 전`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}분 전`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}시간 전`;
  return `${Math.floor(seconds / 86_400)}일 전`;
}

/** Duration in words: `방금부터` or `3분 전부터`. */
export function sinceText(time: number, now: number): string {
  return `${ageText(time, now)}부터`;
}
