/* Durations in milliseconds, and the laboratory's local time. */

const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Offset of Seoul from UTC; there is no daylight-saving time. */
export const SEOUL_OFFSET_MS = 9 * HOUR_MS;

/** The calendar day in Seoul at an instant, `2026-03-02`. */
export const seoulDay = (now: number) => new Date(now + SEOUL_OFFSET_MS).toISOString().slice(0, 10);
