import { amountProblem, isDate } from '#contract/ledger';
import { moneyUnit } from '../../lib/money-unit.ts';
import { halfWidth } from '../../lib/search-text.ts';
import { groupBy } from '../../lib/collections.ts';

/* Amounts and dates as Koreans write them. Anything ambiguous is undefined rather than guessed. */

/** Turns full-width forms into ASCII and dashes into hyphens, and nothing else, so that ² or ⑴ is not a digit. */
function plain(text: string): string {
  return halfWidth(text)
    .replace(/[\u00a0\u3000]/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/￦/g, '₩')
    .trim();
}

// On Korean keyboards the won sign is the backslash. Decimals of a whole number are zeros.
const WON = String.raw`(?:KRW|[₩\\])?`;
const AMOUNT = new RegExp(
  String.raw`^(?<before>[-+△▲])?${WON}(?<open>\()?(?<after>[-+△▲])?${WON}(?<digits>[1-9]\d{0,2}(?:,\d{3})+|0|[1-9]\d{0,14})(?:\.0{1,2})?(?:원|KRW)?(?<close>\))?(?<end>-)?$`,
  'i',
);
/** A blank that separates no digits. */
const BLANK = /(?<!\d) | (?!\d)/g;

/**
 * Signed whole won: `12,000`, `₩12,000`, `12000원`, `KRW 12,000.00`, `-12,000`, `12,000-`, `(12,000)`, `△12,000`. Zero is
 * allowed; other zeros in front are none, as in the `000` that an unquoted comma leaves in the next cell.
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

/** The won has no subunit: `1,234.5`. */
const FRACTION = /\.\d+(?= ?원? ?\)?$)/;

/** Why a cell cannot be an entry's amount; undefined if it can. */
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

/** `09:11`, `T09:11:33`, `[09:11:33]`, `오전 9:11`, `9시 11분`; some banks add hundredths of a second. */
const TIME =
  /(?:[ T]| ?(?<=\)))\[?(?<half>오[전후])? ?(?<hour>[01]?\d|2[0-4])(?::(?<minute>\d{2})(?::(?<second>\d{2})(?:\.?\d{1,3})?)?|시(?: ?(?<minutes>\d{1,2})분(?: ?(?<seconds>\d{1,2})초)?)?)\]?$/;
/** `20260302091133`, `20260302 091133` */
const DIGITS = /^(\d{8}) ?(\d{6})$/;
const WEEKDAY = / ?\(([일월화수목금토])\)$/;
const DAYS = [
  // 2026-03-02, 2026.3.2., 2026/3/2
  /^(?<year>\d{4})(?<by>[-./]) ?(?<month>\d{1,2})\k<by> ?(?<day>\d{1,2})\.?$/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  /^(?:(?<year>\d{4}|\d{2})년 ?)?(?<month>\d{1,2})월 ?(?<day>\d{1,2})일$/,
  // 3.2 may be a 3.20 shortened by a spreadsheet.
  /^(?<month>\d{1,2})\.(?<day>\d{2})$/,
  /^(?<month>\d{1,2})\. ?(?<day>\d{1,2})\.$/,
];

/** `26.3.2.`, `02/03/26`, `3/2/2026` */
const OPEN_DATE = /^(\d{1,2})([-./]) ?(\d{1,2})\2 ?(\d{1,2}|\d{4})\.?$/;

/** `3/2`, whose order is that of the dates with a year at the end. */
const YEARLESS = /^(\d{1,2})([-/]) ?(\d{1,2})$/;

/** In which order a date with a short year, or with its year at the end, is written. */
export type DateOrder = 'ymd' | 'dmy' | 'mdy';
const ORDERS: readonly DateOrder[] = ['ymd', 'dmy', 'mdy'];
const YEARS_BACK = 5;

/** The order of each way of writing; none while nobody has decided it. */
export type OrderOf = (writing: string) => DateOrder | undefined;

/** Dates of one table that are written alike: of `26.03.06` and `03/12/2026`, neither says how the other is meant. */
export type Writing = {
  /** What stands between the numbers, and the length of the last one. */
  writing: string;
  example: string;
  /** The orders in which every such date can be read; two or more are for a person to decide. */
  orders: DateOrder[];
};

/**
 * How a table writes dates that need an order. Years come first, as Koreans write them, where that alone puts all such
 * dates within the last years.
 */
export function dateOrders(cells: readonly string[], today: string): Writing[] {
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
  // A fraction in a memo looks like such a date and says nothing.
  const all = fitting(dated, isRead);
  const possible = all.length > 0 ? all : dated;
  // Koreans write the month first where no date with a year says otherwise.
  if (dates.every((text) => YEARLESS.test(text))) return possible.slice(0, 1);
  const likely = fitting(possible, (text, order) => {
    const date = inOrder(text, order) ?? '';
    return YEARLESS.test(text) || (date >= first && date <= last);
  });
  const isUsual = likely.length === 1 && likely[0] === 'ymd';
  return isUsual || likely.length > 1 ? likely : possible;
}

/** How a date is written whose order has to be known; undefined for any other one. */
export const openWriting = (cell: string): string | undefined => writingOf(dayOf(cell));

/** Whether a date that is not written year first could be another day in another order. */
export function isOtherwiseRead(cell: string, order: DateOrder): boolean {
  const text = dayOf(cell);
  const others = ORDERS.filter((each) => each !== 'ymd' && inOrder(text, each) !== inOrder(text, order));
  return order !== 'ymd' && others.some((each) => inOrder(text, each) !== undefined);
}

/** Of a date without a year, in the leap year 2000. */
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
const withoutTime = (cell: string) => plain(cell).replace(DIGITS, '$1').replace(TIME, '').trim();

/** The time of a date as `09:11:33`, or nothing. */
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

/** The year that a date says in full; undefined where it says none. */
export function yearOf(cell: string): string | undefined {
  const text = dayOf(cell);
  const year = OPEN_DATE.test(text) ? text.match(/\d{4}/)?.[0] : firstMatch(text)?.['year'];
  return year?.padStart(4, '20');
}

/** Whether it is a date that says no year. */
export function lacksYear(cell: string): boolean {
  const text = dayOf(cell);
  const groups = OPEN_DATE.test(text) ? undefined : firstMatch(text);
  return YEARLESS.test(text) || (groups !== undefined && groups['year'] === undefined);
}

/**
 * A date as `YYYY-MM-DD`: `2026-03-02`, `2026.3.2.`, `26/03/02`. A date without a year (`3월 2일`, `3/2`, `3.02`) belongs
 * to the given year, or else is the most recent one. A time after it is ignored; a weekday after it has to match.
 * @param orderOf the order of dates that need one
 */
export function readDate(
  cell: string,
  today: string,
  year: number | undefined,
  orderOf: OrderOf,
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

/** The most recent such day that is not in the future; for 29 February it may be eight years back. */
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
