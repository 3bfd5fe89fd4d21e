import type { PublicPlant } from '#contract/plants';
import { DAY_MS, HOUR_MS, SEOUL_AHEAD_MS } from '#contract/time';

/** Size of the drawing, stretched to where it stands. */
export const WIDTH = 1200;
export const HEIGHT = 180;
/** Room above the wettest and below the driest hour. */
const INSET = 14;
/** The room that a day's name needs. */
const LABEL_ROOM = 70;
/** Percents between top and bottom, at least: what hardly changes is drawn flat. */
const SPAN_MIN = 30;

export type WeekShape = {
  /** The line, broken where hours are without a reading. */
  line: string;
  /** The newest reading; absent when it is older than the week. */
  now: { x: number; y: number } | undefined;
  /** Where days begin in Seoul, and the middle of what is seen of each, with an instant of it. */
  midnights: number[];
  days: { x: number; time: number }[];
  /** Height of the limit below which the plant needs water. */
  limit: number;
  /** Where it was watered, at the level that it had then. */
  drops: { x: number; y: number }[];
};

/** A week of hours as a drawing. The newest reading stands for its hour, so that the line ends where the soil is now. */
export function shapeOf({ from, hours, last, limit_percent: limit, watered }: PublicPlant): WeekShape {
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
    // A hair's width, so that an hour between two gaps is a dot.
    const isFirst = (points[at - 1]?.percent ?? null) === null;
    return `${isFirst ? `M${x} ${yOf(percent)}h.1` : ''}L${x} ${yOf(percent)}`;
  });
  const midnight = Math.ceil((start + SEOUL_AHEAD_MS) / DAY_MS) * DAY_MS - SEOUL_AHEAD_MS;
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
    // The mean of its own hour is of wet soil, too.
    drops: watered.map((datetime) => {
      const hour = (Date.parse(datetime) - start) / HOUR_MS;
      const before = points
        .slice(0, Math.max(1, Math.floor(hour)))
        .findLast(({ percent }) => percent !== null);
      return { x: xOf(hour), y: yOf(before?.percent ?? limit) };
    }),
  };
}

/** How many days of Seoul ago the plant was watered: 0 for today. */
export function wateredDaysAgo(
  watered: string,
  { from, hours }: Pick<PublicPlant, 'from' | 'hours'>,
): number {
  const dayOf = (time: number) => Math.floor((time + SEOUL_AHEAD_MS) / DAY_MS);
  return dayOf(Date.parse(from) + (hours.length - 1) * HOUR_MS) - dayOf(Date.parse(watered));
}

/** `14:05`, or with the day when that is not the newest of the week: `2026.03.02 14:05`. Seoul's, as every time here. */
export function momentText(datetime: string, { from, hours }: Pick<PublicPlant, 'from' | 'hours'>): string {
  const seoul = (time: number) => new Date(time + SEOUL_AHEAD_MS).toISOString();
  const text = seoul(Date.parse(datetime));
  const newest = seoul(Date.parse(from) + (hours.length - 1) * HOUR_MS);
  const clock = text.slice(11, 16);
  return text.slice(0, 10) === newest.slice(0, 10)
    ? clock
    : `${text.slice(0, 10).replaceAll('-', '.')} ${clock}`;
}

/** Whether a reading is of the running hour or the one before. */
export const isRecent = (datetime: string, { from, hours }: Pick<PublicPlant, 'from' | 'hours'>): boolean =>
  Date.parse(datetime) >= Date.parse(from) + (hours.length - 2) * HOUR_MS;
