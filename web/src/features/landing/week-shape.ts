import type { PublicPlant } from '#contract/plants';
import { DAY_MS, HOUR_MS, SEOUL_OFFSET_MS } from '#contract/time';

/** Size of the drawing in units of its viewBox. The drawing is stretched to its container. */
export const WIDTH = 1200;
export const HEIGHT = 180;
/** Empty space above the curve's highest point and below the curve's lowest point. */
const INSET = 14;
/** A day that is narrower than this gets no label. */
const LABEL_ROOM = 70;
/** The axis spans at least this many percent, so that small changes look flat. */
const SPAN_MIN = 30;

export type WeekShape = {
  /** The curve as an SVG path, with gaps for hours without a reading. */
  line: string;
  /** Position of the newest reading; undefined if the reading is older than the week. */
  now: { x: number; y: number } | undefined;
  /** Positions of midnights in Seoul. `days`: the middle of each labelled day, and a time within the day. */
  midnights: number[];
  days: { x: number; time: number }[];
  /** Vertical position of the limit below which the plant needs water. */
  limit: number;
  /** A point for each watering. Its height is the moisture before the watering. */
  drops: { x: number; y: number }[];
};

/** Draws a week of hourly means. The curve ends with the newest reading, not with the last mean. */
export function weekShape({ from, hours, last, limit_percent: limit, watered }: PublicPlant): WeekShape {
  const start = Date.parse(from);
  const xOf = (hour: number) => Math.round((hour * WIDTH) / hours.length);
  const newest = last && { hour: (Date.parse(last.datetime) - start) / HOUR_MS, percent: last.percent };
  const isInside = newest && newest.hour >= 0;
  const points = hours.map((percent, hour) =>
    isInside && hour === Math.floor(newest.hour)
      ? { x: xOf(newest.hour), percent: newest.percent }
      : { x: xOf(hour + 0.5), percent },
  );
  const known = points.flatMap(({ percent }) => percent ?? []);
  const low = Math.min(limit, ...known);
  const span = Math.max(SPAN_MIN, Math.max(limit, ...known) - low);
  const yOf = (percent: number) =>
    Math.round(HEIGHT - INSET - ((percent - low) * (HEIGHT - 2 * INSET)) / span);
  const line = points.flatMap(({ x, percent }, at) => {
    if (percent === null) return [];
    // Without this short line, a single hour between two gaps would be invisible.
    const isFirst = (points[at - 1]?.percent ?? null) === null;
    return `${isFirst ? `M${x} ${yOf(percent)}h.1` : ''}L${x} ${yOf(percent)}`;
  });
  const midnight = Math.ceil((start + SEOUL_OFFSET_MS) / DAY_MS) * DAY_MS - SEOUL_OFFSET_MS;
  const midnights = Array.from({ length: 7 }, (_, day) => xOf((midnight + day * DAY_MS - start) / HOUR_MS));
  return {
    line: line.join(''),
    now: isInside ? { x: xOf(newest.hour), y: yOf(newest.percent) } : undefined,
    midnights,
    days: [0, ...midnights].flatMap((x, day) => {
      const end = midnights[day] ?? WIDTH;
      const time = midnight + (day - 0.5) * DAY_MS;
      return end - x < LABEL_ROOM ? [] : [{ x: Math.round((x + end) / 2), time }];
    }),
    limit: yOf(limit),
    // In the hour of a watering the mean includes wet soil, so the drop is at the mean of the hour before.
    drops: watered.map((datetime) => {
      const hour = (Date.parse(datetime) - start) / HOUR_MS;
      const before = points
        .slice(0, Math.max(1, Math.floor(hour)))
        .findLast(({ percent }) => percent !== null);
      return { x: xOf(hour), y: yOf(before?.percent ?? limit) };
    }),
  };
}

/** How many days ago (in Seoul) the plant was watered: 0 for today. */
export function wateredDaysAgo(
  watered: string,
  { from, hours }: Pick<PublicPlant, 'from' | 'hours'>,
): number {
  const dayOf = (time: number) => Math.floor((time + SEOUL_OFFSET_MS) / DAY_MS);
  return dayOf(Date.parse(from) + (hours.length - 1) * HOUR_MS) - dayOf(Date.parse(watered));
}

/** The time in Seoul: `14:05`, or `2026.03.02 14:05` if the day is not the newest of the week. */
export function momentText(datetime: string, { from, hours }: Pick<PublicPlant, 'from' | 'hours'>): string {
  const seoul = (time: number) => new Date(time + SEOUL_OFFSET_MS).toISOString();
  const text = seoul(Date.parse(datetime));
  const newest = seoul(Date.parse(from) + (hours.length - 1) * HOUR_MS);
  const clock = text.slice(11, 16);
  return text.slice(0, 10) === newest.slice(0, 10)
    ? clock
    : `${text.slice(0, 10).replaceAll('-', '.')} ${clock}`;
}

/** Whether a reading belongs to the current hour or the hour before. */
export const isRecent = (datetime: string, { from, hours }: Pick<PublicPlant, 'from' | 'hours'>): boolean =>
  Date.parse(datetime) >= Date.parse(from) + (hours.length - 2) * HOUR_MS;
