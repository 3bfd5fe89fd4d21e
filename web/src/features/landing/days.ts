import { DAY_MS, seoulDay } from '#contract/time';
import type { Locale } from '../../lib/locale.ts';
import { m } from '../../paraglide/messages.js';

const english = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** A date such as `2026-03-02` in a language's format: `2026.03.02`, `Mar 2, 2026`. */
export function dayText(day: string, locale: Locale): string {
  return locale === 'ko' ? day.replaceAll('-', '.') : english.format(Date.parse(day));
}

/** How many days ago (in Seoul) a date such as `2023-10-26` was: `1,127일`. */
export function daysAgoText(since: string, locale: Locale, now: number): string {
  const days = (Date.parse(seoulDay(now)) - Date.parse(since)) / DAY_MS;
  return m.glance_days({ days: days.toLocaleString(locale) }, { locale });
}

/** Whether the deadline `until`, a day such as `2026-12-18`, has passed in Seoul. */
export function isDayOver(until: string, now: number): boolean {
  return seoulDay(now) > until;
}
