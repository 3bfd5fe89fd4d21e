import type { Locale } from '../../lib/locale.ts';

const english = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** A day such as `2026-03-02` as it is written in a language: `2026.03.02`, `Mar 2, 2026`. */
export function dayText(day: string, locale: Locale): string {
  return locale === 'ko' ? day.replaceAll('-', '.') : english.format(Date.parse(day));
}

const seoulDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Seoul' });

/** Whether the last day, such as `2026-12-18`, has passed in Seoul. */
export function isOver(until: string, now: number): boolean {
  return seoulDay.format(now) > until;
}
