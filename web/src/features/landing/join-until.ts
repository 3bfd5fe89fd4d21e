const seoulDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Seoul' });

/** Whether the last day, such as `2026-12-18`, has passed in Seoul. */
export function isOver(until: string, now: number): boolean {
  return seoulDay.format(now) > until;
}
