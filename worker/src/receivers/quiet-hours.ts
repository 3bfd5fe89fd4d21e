const seoulClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Seoul',
  hour: '2-digit',
  minute: '2-digit',
});

/** Whether it is between these hours in Seoul, `HH:MM`; the second may be on the next day. */
export function isQuiet(
  { quiet_from: from, quiet_to: to }: { quiet_from: string | null; quiet_to: string | null },
  now: number,
): boolean {
  if (from === null || to === null) return false;
  const time = seoulClock.format(now);
  return from < to ? from <= time && time < to : from <= time || time < to;
}
