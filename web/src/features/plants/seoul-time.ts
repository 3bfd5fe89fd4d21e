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

const DAY_MS = 24 * 3_600_000;

/** `2026.03.02 14:05:09` in Seoul. */
export function seoulDateTime(time: number): string {
  const part = Object.fromEntries(parts.formatToParts(time).map(({ type, value }) => [type, value]));
  return `${part['year']}.${part['month']}.${part['day']} ${part['hour']}:${part['minute']}:${part['second']}`;
}

/** The shortest text that tells instants apart on an axis that spans so long. */
export function seoulTick(time: number, span: number): string {
  const text = seoulDateTime(time);
  if (span <= 2 * 60_000) return text.slice(11);
  if (span <= 1.5 * DAY_MS) return text.slice(11, 16);
  return span <= 300 * DAY_MS ? text.slice(5, 16) : text.slice(0, 10);
}

/** How long ago, in words. */
export function ageText(time: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - time) / 1000));
  if (seconds < 60) return `${seconds}초 전`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}분 전`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}시간 전`;
  return `${Math.floor(seconds / 86_400)}일 전`;
}
