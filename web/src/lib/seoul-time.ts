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
