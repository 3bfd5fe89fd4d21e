import { amountProblem, isDate } from '#contract/ledger';
import { moneyUnit } from '../../lib/money-unit.ts';
import { toHalfWidth } from '../../lib/search-text.ts';
import { groupBy } from '../../lib/collections.ts';

/* Reads amounts and dates in Korean formats. An ambiguous cell is undefined. */

/** Replaces full-width forms and dashes. Not Unicode's NFKC, because ² or ⑴ would become a digit. */
function plain(text: string): string {
  return toHalfWidth(text)
    .replace(/[\u00a0\u3000]/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/￦/g, '₩')
    .trim();
}

// A Korean keyboard types the won sign as a backslash. Decimals must be zeros.
const WON = String.raw`(?:KRW|[₩\\])?`;
const AMOUNT = new RegExp(
  String.raw`^(?<before>[-+△▲])?${WON}(?<open>\()?(?<after>[-+△▲])?${WON}(?<digits>[1-9]\d{0,2}(?:,\d{3})+|0|[1-9]\d{0,14})(?:\.0{1,2})?(?:원|KRW)?(?<close>\))?(?<end>-)?$`,
  'i',
);
/** A space that does not separate digits. */
const BLANK = /(?<!\d) | (?!\d)/g;

/**
 * Signed whole won: `12,000`, `₩12,000`, `12000원`, `KRW 12,000.00`, `-12,000`, `12,000-`, `(12,000)`,
 * `△12,000`. Leading zeros are not allowed, because an unquoted `12,000` leaves `000` in the next cell.
 */
export function readAmount(cell: string): number | undefined {
  const groups = AMOUNT.exec(plain(cell).replace(BLANK, ''))?.groups;
  if (!groups) return undefined;
  const { open, close, before, after, end, digits = '' } = groups;
  const signs = [open, before, after, end].filter((sign) => sign !== undefined);
  if ((open === undefined) !== (close === undefined) || signs.length > 1) return undefined;
  const amount = Number(digits.replaceAll(',', ''));
  const isNegative = signs.length === 1 && signs[0] !== '+';
  return isNegative ? 0 - amount : amount;
}

/** The won has no subunit, so a fraction is an error: `1,234.5`. */
const FRACTION = /\.\d+(?= ?원? ?\)?$)/;

/** Why a cell is not a valid amount; undefined if it is valid. */
export function amountCellProblem(cell: string): string | undefined {
  const amount = readAmount(cell);
  if (amount === undefined) {
    const bare = plain(cell).replace(/^[입출]금 /, '');
    const isFraction = FRACTION.test(bare) && readAmount(bare.replace(FRACTION, '')) !== undefined;
    if (isFraction) return '원 단위 정수로 입력하세요';
    const unit = moneyUnit(cell);
    return unit ? `원이 아닌 금액입니다(${unit.name}). 원으로 바꾸어 쓰세요` : '금액을 숫자로 입력하세요';
  }
  return amountProblem(amount);
}

/** Times: `09:11`, `T09:11:33`, `[09:11:33]`, `오전 9:11`, `9시 11분`; some banks add hundredths of a second. */
const TIME =
  /(?:[ T]| ?(?<=\)))\[?(?<half>오[전후])? ?(?<hour>[01]?\d|2[0-4])(?::(?<minute>\d{2})(?::(?<second>\d{2})(?:\.?\d{1,3})?)?|시(?: ?(?<minutes>\d{1,2})분(?: ?(?<seconds>\d{1,2})초)?)?)\]?$/;
/** Date and time as digits: `20260302091133`, `20260302 091133` */
const DIGITS = /^(\d{8}) ?(\d{6})$/;
const WEEKDAY = / ?\(([일월화수목금토])\)$/;
const DAYS = [
  // Accepts 2026-03-02, 2026.3.2. and 2026/3/2.
  /^(?<year>\d{4})(?<by>[-./]) ?(?<month>\d{1,2})\k<by> ?(?<day>\d{1,2})\.?$/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  /^(?:(?<year>\d{4}|\d{2})년 ?)?(?<month>\d{1,2})월 ?(?<day>\d{1,2})일$/,
  // `3.2` may be `3.20` shortened by a spreadsheet, so the day needs two digits.
  /^(?<month>\d{1,2})\.(?<day>\d{2})$/,
  /^(?<month>\d{1,2})\. ?(?<day>\d{1,2})\.$/,
];

/** Dates whose order is ambiguous: `26.3.2.`, `02/03/26`, `3/2/2026` */
const OPEN_DATE = /^(\d{1,2})([-./]) ?(\d{1,2})\2 ?(\d{1,2}|\d{4})\.?$/;

/** `3/2`: month and day have the same order as in dates with the year at the end. */
const YEARLESS = /^(\d{1,2})([-/]) ?(\d{1,2})$/;

/** The order of a date with a two-digit year, or with the year at the end. */
export type DateOrder = 'ymd' | 'dmy' | 'mdy';
const ORDERS: readonly DateOrder[] = ['ymd', 'dmy', 'mdy'];
const YEARS_BACK = 5;

/** The order for a date format; undefined while it is undecided. */
export type DateOrderOf = (writing: string) => DateOrder | undefined;

/** Dates of one table in the same format. Each format (`26.03.06`, `03/12/2026`) has its own order. */
export type DateFormat = {
  /** The separator, and the length of the last number. */
  writing: string;
  example: string;
  /** The orders in which every such date is valid; if there are several, the user decides. */
  orders: DateOrder[];
};

/**
 * The orders of a table's ambiguous date formats. The Korean order (year first) is assumed if only this order
 * puts all dates into the last years.
 */
export function dateOrders(cells: readonly string[], today: string): DateFormat[] {
  const dates = cells.map(dayOf).filter((text) => writingOf(text) !== undefined);
  return [...groupBy(dates, (text) => writingOf(text) ?? '')].map(([writing, alike]) => ({
    writing,
    example: alike.find((text) => OPEN_DATE.test(text)) ?? alike[0] ?? '',
    orders: ordersOf(alike, today),
  }));
}

function writingOf(text: string): string | undefined {
  const [, , by = '', , last = ''] = OPEN_DATE.exec(text) ?? [];
  if (by !== '') return `${by}${last.length > 2 ? 'yyyy' : 'yy'}`;
  const short = YEARLESS.exec(text)?.[2];
  return short === undefined ? undefined : `${short}yyyy`;
}

function ordersOf(dates: readonly string[], today: string): DateOrder[] {
  const first = `${Number(today.slice(0, 4)) - YEARS_BACK}${today.slice(4)}`;
  const last = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`;
  const fitting = (among: readonly DateOrder[], isFit: (text: string, order: DateOrder) => boolean) =>
    among.filter((order) => dates.every((text) => isFit(text, order)));
  const isRead = (text: string, order: DateOrder) => inOrder(text, order) !== undefined;
  const dated = fitting(ORDERS, (text, order) => YEARLESS.test(text) || isRead(text, order));
  // A fraction such as `15/40` in a memo may look like a date without a year, so it excludes no order.
  const all = fitting(dated, isRead);
  const possible = all.length > 0 ? all : dated;
  // Dates without a year have the month first, as in Korea, unless dates with a year show another order.
  if (dates.every((text) => YEARLESS.test(text))) return possible.slice(0, 1);
  const isLikely = (text: string, order: DateOrder) => {
    const date = inOrder(text, order) ?? '';
    return YEARLESS.test(text) || (date >= first && date <= last);
  };
  const likely = fitting(possible, isLikely);
  const isUsual = likely.length === 1 && likely[0] === 'ymd';
  if (isUsual || likely.length > 1) return likely;
  // A mistyped date such as `25.2.29` must not decide the order of all others.
  const mostly = ORDERS.filter((order) => {
    const fit = dates.filter((text) => isLikely(text, order)).length;
    return fit < dates.length && fit * 4 >= dates.length * 3;
  });
  return likely.length === 0 && mostly.length > 0 ? mostly : possible;
}

/** The format of a date whose order must be known; undefined for any other date. */
export const ambiguousDateFormat = (cell: string): string | undefined => writingOf(dayOf(cell));

/** Whether another order of day, month and year would read the cell as another day. */
export function dependsOnOrder(cell: string, order: DateOrder): boolean {
  const text = dayOf(cell);
  const others = ORDERS.filter((each) => each !== 'ymd' && inOrder(text, each) !== inOrder(text, order));
  return order !== 'ymd' && others.some((each) => inOrder(text, each) !== undefined);
}

/** Whether the text is a date value from a workbook, not a date that somebody typed as text. */
export const isRealDate = (cell: string): boolean => /^\d{4}-\d\d-\d\d(?: |$)/.test(cell);

/**
 * Whether a spreadsheet probably swapped day and month in a column. If somebody types the day first and the
 * spreadsheet expects the month first, it swaps `05/11/2026` and leaves `13/11/2026` as text; or the reverse.
 */
export function haveSwappedDates(column: readonly string[]): boolean {
  const real = column.filter(isRealDate);
  const texts = column.map(dayOf).filter((text) => OPEN_DATE.test(text));
  const isTooHigh = (text: string) =>
    (inOrder(text, 'dmy') === undefined) !== (inOrder(text, 'mdy') === undefined);
  return (
    real.length > 0 &&
    texts.length > 0 &&
    texts.every(isTooHigh) &&
    real.every((cell) => Number(cell.slice(8, 10)) <= 12)
  );
}

/** For a date without a year, the result is in the leap year 2000. */
function inOrder(text: string, order: DateOrder): string | undefined {
  const [, one = '', , other = ''] = YEARLESS.exec(text) ?? [];
  if (one !== '') {
    const date = order === 'dmy' ? `2000-${two(other)}-${two(one)}` : `2000-${two(one)}-${two(other)}`;
    return isDate(date) ? date : undefined;
  }
  const [, first = '', , second = '', third = ''] = OPEN_DATE.exec(text) ?? [];
  const [year, month, day] = {
    ymd: [first, second, third],
    dmy: [third, second, first],
    mdy: [third, first, second],
  }[order];
  if (year === undefined || month === undefined || day === undefined || year.length === 1 || day.length === 4)
    return undefined;
  const date = `${year.padStart(4, '20')}-${two(month)}-${two(day)}`;
  return isDate(date) ? date : undefined;
}

const two = (digits = '') => digits.padStart(2, '0');

/** A date without its time and weekday. */
const dayOf = (cell: string) => withoutTime(cell).replace(WEEKDAY, '');
/** Whether a weekday follows the date: `2026-03-02(월)`. */
export const hasWeekday = (cell: string) => WEEKDAY.test(withoutTime(cell));
const withoutTime = (cell: string) => plain(cell).replace(DIGITS, '$1').replace(TIME, '').trim();

/** The time in a cell as `09:11:33`; empty if the cell has no time. */
export function readTime(cell: string): string {
  const [, , digits] = DIGITS.exec(plain(cell)) ?? [];
  if (digits !== undefined) return digits.replace(/(..)(..)(..)/, '$1:$2:$3');
  const { half, hour, ...rest } = TIME.exec(plain(cell))?.groups ?? {};
  if (hour === undefined) return '';
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === '오후' ? 12 : 0);
  const minute = rest['minute'] ?? rest['minutes'];
  const second = rest['second'] ?? rest['seconds'];
  return [String(hours), minute, second].map((part = '0') => two(part)).join(':');
}

/** The four-digit year in a date; undefined for a date without a year. */
export function yearOf(cell: string): string | undefined {
  const text = dayOf(cell);
  const year = OPEN_DATE.test(text) ? text.match(/\d{4}/)?.[0] : firstMatch(text)?.['year'];
  return year?.padStart(4, '20');
}

export function isDateWithoutYear(cell: string): boolean {
  const text = dayOf(cell);
  const groups = OPEN_DATE.test(text) ? undefined : firstMatch(text);
  return YEARLESS.test(text) || (groups !== undefined && groups['year'] === undefined);
}

/**
 * Returns `YYYY-MM-DD` for `2026-03-02`, `2026.3.2.`, `26/03/02`. A date without a year (`3월 2일`, `3/2`,
 * `3.02`) gets `year`, or else is read as the most recent such date. A time is ignored; a weekday must match.
 * @param orderOf gives the order of ambiguous dates
 */
export function readDate(
  cell: string,
  today: string,
  year: number | undefined,
  orderOf: DateOrderOf,
): string | undefined {
  const weekday = WEEKDAY.exec(withoutTime(cell))?.[1];
  const text = dayOf(cell);
  const writing = writingOf(text);
  const order = writing === undefined ? undefined : orderOf(writing);
  const inTheOrder = order && inOrder(text, order);
  const isShort = writing !== undefined && !OPEN_DATE.test(text);
  const date = isShort
    ? inTheOrder && inYear(inTheOrder.slice(5), today, year)
    : writing === undefined
      ? ofGroups(text, today, year)
      : inTheOrder;
  if (date === undefined || !isDate(date)) return undefined;
  return weekday === undefined || weekday === weekdayOf(date) ? date : undefined;
}

function ofGroups(text: string, today: string, year: number | undefined): string | undefined {
  const groups = firstMatch(text);
  if (!groups) return undefined;
  const day = `${two(groups['month'])}-${two(groups['day'])}`;
  const written = groups['year']?.padStart(4, '20');
  return written === undefined ? inYear(day, today, year) : `${written}-${day}`;
}

const inYear = (day: string, today: string, year: number | undefined) =>
  year === undefined ? lastOf(day, today) : `${year}-${day}`;

/** The most recent date with this month and day, not in the future; 29 February may be eight years ago. */
function lastOf(day: string, today: string): string | undefined {
  const thisYear = Number(today.slice(0, 4));
  const years = Array.from({ length: 9 }, (_, ago) => thisYear - ago);
  return years.map((year) => `${year}-${day}`).find((date) => isDate(date) && date <= today);
}

function firstMatch(text: string): Record<string, string | undefined> | undefined {
  for (const form of DAYS) {
    const groups = form.exec(text)?.groups;
    if (groups) return groups;
  }
  return undefined;
}

const weekdayOf = (date: string) => '일월화수목금토'[new Date(date).getUTCDay()];
