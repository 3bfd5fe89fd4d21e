import {
  DATABASE_FULL_IN_DAYS,
  type CloudflarePlan,
  PLAN_SHARE,
  PLAN_SHARE_RECOVERED,
  cloudflarePlans,
  ROWS_PER_READING,
} from '#contract/alert-limits';
import { DAY_MS } from '#contract/time';
import { byteSizeText } from '#contract/health';
import { badVerdict, wellVerdict, UNKNOWN_VERDICT, type Verdict } from './rules.ts';

/* How much of the plan is used, and when it will be used up. */

/** The values at the beginning of a day in UTC. */
type Day = { day: string; size: number; plantsSize: number | null; readings: number };
export type Usage = {
  /** Bytes of DB and PLANTS_DB; readings ever stored of the existing plants; null without PLANTS_DB. */
  size: number;
  plantsSize: number | null;
  readings: number | null;
  /** Newest day first. */
  days: readonly Day[];
};

/** The forecast uses at most this many of the last days, and needs at least DAYS_LEAST of them. */
const LAST_DAYS = 14;
const DAYS_LEAST = 2;
/** Before this share of the day has passed, the day's rate is not reliable. */
const PACE_AFTER = 0.25;
const WELL_AGAIN = 1.5;

export const utcDay = (now: number) => new Date(now).toISOString().slice(0, 10);

/** Selects one of the two databases by its size field. */
type Which = 'size' | 'plantsSize';

/** Days until a database is full at the recent growth; null without growth or with too little data. */
export function daysUntilFull(usage: Usage, which: Which, plan: CloudflarePlan, now: number): number | null {
  const limit = cloudflarePlans[plan].size;
  const size = usage[which];
  const first = usage.days.findLast(
    (day) => day[which] !== null && now - Date.parse(day.day) <= (LAST_DAYS + 1) * DAY_MS,
  );
  const began = first?.[which] ?? null;
  if (limit === null || first === undefined || began === null || size === null) return null;
  const passed = (now - Date.parse(first.day)) / DAY_MS;
  const perDay = (size - began) / passed;
  if (passed < DAYS_LEAST || perDay <= 0) return null;
  return Math.max(0, limit - size) / perDay;
}

export function judgeDatabase(usage: Usage, which: Which, plan: CloudflarePlan, now: number): Verdict {
  const limit = cloudflarePlans[plan].size;
  const size = usage[which];
  if (limit === null) return wellVerdict(now);
  if (size === null) return UNKNOWN_VERDICT;
  const left = daysUntilFull(usage, which, plan, now);
  const share = size / limit;
  if (share >= PLAN_SHARE || (left !== null && left <= DATABASE_FULL_IN_DAYS))
    return badVerdict(now, databaseText(size, limit, left));
  const isClear =
    share < PLAN_SHARE_RECOVERED && (left === null || left > WELL_AGAIN * DATABASE_FULL_IN_DAYS);
  return isClear ? wellVerdict(now) : { state: 'between', since: now, holdMs: 0 };
}

type RowsWritten = {
  /** Null if PLANTS_DB does not answer. */
  today: number | null;
  /** Null if unknown. */
  yesterday: number | null;
  /** When the day's rows are used up at today's rate; null if they last. */
  endsAt: number | null;
};

/** The approximate rows that readings have written; other writes are few in comparison. */
export function rowsWritten({ readings, days }: Usage, plan: CloudflarePlan, now: number): RowsWritten {
  if (readings === null) return { today: null, yesterday: null, endsAt: null };
  const startOf = (instant: number) => days.find(({ day }) => day === utcDay(instant))?.readings;
  const [began, before] = [startOf(now) ?? readings, startOf(now - DAY_MS)];
  const rows = (count: number) => Math.max(0, count) * ROWS_PER_READING;
  const today = rows(readings - began);
  const { rows: limit } = cloudflarePlans[plan];
  const start = Date.parse(utcDay(now));
  const endsAt = limit === null || today === 0 ? null : start + ((now - start) * limit) / today;
  return {
    today,
    yesterday: before === undefined ? null : rows(began - before),
    endsAt: endsAt !== null && endsAt < start + DAY_MS ? endsAt : null,
  };
}

export function judgeRows(usage: Usage, plan: CloudflarePlan, now: number): Verdict {
  const limit = cloudflarePlans[plan].rows;
  if (limit === null) return wellVerdict(now);
  const { today, yesterday, endsAt } = rowsWritten(usage, plan, now);
  if (today === null) return UNKNOWN_VERDICT;
  // With yesterday included, a laboratory over the limit every day gets one alert, not one each morning.
  const most = Math.max(today, yesterday ?? 0) / limit;
  const isPace = endsAt !== null && now - Date.parse(utcDay(now)) >= PACE_AFTER * DAY_MS;
  if (most >= PLAN_SHARE || isPace) return badVerdict(now, rowsText(today, limit, endsAt));
  return most < PLAN_SHARE_RECOVERED ? wellVerdict(now) : { state: 'between', since: now, holdMs: 0 };
}

const count = new Intl.NumberFormat('ko');
const seoulClock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Seoul', timeStyle: 'short' });

/** @param left days until it is full at the present rate; null if unknown */
function databaseText(size: number, limit: number, left: number | null): string {
  const used = `${byteSizeText(limit)} 중 ${byteSizeText(size)}`;
  if (size >= limit) return `${used}, 가득 참`;
  return left === null ? used : `${used}, 이대로면 ${count.format(Math.ceil(left))}일 뒤 가득 찹니다`;
}

/** @param endsAt when the rows are used up at the present rate; null if they last for the day */
function rowsText(today: number, limit: number, endsAt: number | null): string {
  const used = `오늘 ${count.format(limit)}행 중 약 ${count.format(today)}행`;
  if (today >= limit) return `${used}, 09:00에 다시 시작`;
  return endsAt === null ? used : `${used}, 이대로면 ${seoulClock.format(endsAt)}에 소진됩니다`;
}
