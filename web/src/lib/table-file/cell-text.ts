import { dateToSerial, type CellValue } from 'hucre';
import { moneyUnit } from '../money-unit.ts';

/**
 * A cell's value as text, regardless of its number format: `-33000`, `89.4`, `2026-03-02`, `95%`. The format
 * is used only if it holds the leading zeros of an id or phone number (`000-0000-0000`), or says that an
 * amount is not in won (`120 $`, `120 천원`).
 * @param is1904 whether the workbook counts dates from 1904
 */
export function cellText(value: CellValue, format = 'General', is1904 = false): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string') return value;
  const number = numberOfCell(value, format, is1904);
  if (value instanceof Date)
    return number === undefined ? dateText(value, format, is1904) : withUnit(plainNumber(number), format);
  return (
    zeroFilled(value, format) ??
    (isPercent(format) ? `${plainNumber(value * 100)}%` : withUnit(plainNumber(value), format))
  );
}

/** A cell's number, also if hucre mistakes it for a date; undefined for dates and other values. */
export function numberOfCell(value: CellValue, format: string, is1904: boolean): number | undefined {
  if (typeof value === 'number') return value;
  if (!(value instanceof Date) || !isNoDate(format) || Number.isNaN(value.getTime())) return undefined;
  return Math.round(dateToSerial(value, is1904) * 1e7) / 1e7;
}

/** Matches a format that makes a positive number look like a withdrawal, by a sign before it or a word. */
const LOOKS_NEGATIVE = /^(?:(?!general)[^0#?;])*(?:[-−△▲(]|출금|지출)|출금|지출/i;

/** Matches a format that prints zeros or words after a number, so that it looks like thousands. */
const ADDS_DIGITS = /[0#?]\s*"\s*(?:[.,]?0{3,}|[십백천만억]+|k)\s*"\s*$/i;
/** Matches a comma after the digits: it divides the number by 1000, so that the words after it are true. */
const SCALES = /[0#?],+(?![0#?])/;

/**
 * Adds the unit of money that the format names. If the format shows a positive number as negative or adds
 * digits (`#,##0",000"`), nobody knows which amount is meant, so the format itself is added. A format that
 * only scales the display (`#,##0,"천원"`) adds nothing.
 */
function withUnit(number: string, format: string): string {
  const [section = ''] = format.slice(0, 255).split(';');
  const words = format
    .slice(0, 255)
    .replace(/\[\$([^\]-]*)[^\]]*\]/g, '$1')
    .replace(/\[[^\]]*\]|[_*]./g, '')
    .replace(/["\\]/g, '');
  if (Number(number) > 0 && LOOKS_NEGATIVE.test(words)) return `${number} ${words}`;
  if (ADDS_DIGITS.test(section) && !SCALES.test(words)) return `${number} ${section}`;
  const unit = format === 'General' ? undefined : moneyUnit(words);
  const isScaled = unit !== undefined && unit.won > 0 && SCALES.test(words);
  return unit === undefined || isScaled ? number : `${number} ${unit.name}`;
}

/** Writes all digits, up to 15. Made only once, because toLocaleString() would make a formatter per cell. */
const DIGITS_OF_NUMBER = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: 15 });
export const plainNumber = (value: number) => DIGITS_OF_NUMBER.format(value);

/** A format without quoted, escaped or repeated characters, and without brackets but `[h]`, `[m]`, `[s]`. */
export const bareFormat = (format: string) =>
  format.slice(0, 255).replace(/"[^"]*"?|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]?/gi, '');

const isPercent = (format: string) => bareFormat(format).includes('%');

/** Whether hucre mistakes a number for a date because of a letter in its currency: `[$€-de-DE]`. */
const isNoDate = (format: string) => format !== 'General' && !/[ymdhs]/i.test(bareFormat(format));

/** Matches a format section with only digits and the signs that are used in ids and phone numbers. */
const DIGITS = /^(?:[0#() -]|\\[() .-]|"[\d() .-]*"|[_*].|\[\$-\w*\])+$/;

/** `010-1234-5678` for 1012345678 and `000-0000-0000`; undefined if the number does not fit such a format. */
function zeroFilled(value: number, format: string): string | undefined {
  const [section = ''] = format.slice(0, 255).split(';');
  if (!DIGITS.test(section) || !Number.isSafeInteger(value) || value < 0) return undefined;
  let places = '';
  const shape = section.replace(
    /\[.*?\]|[_*].|\\(.)|"([^"]*)"|([0#])|(.)/g,
    (_, escaped = '', quoted = '', place = '', sign = '') => {
      places += place;
      return place === '' ? `${escaped}${quoted}${sign}` : '#';
    },
  );
  const [before = '', ...after] = shape.split('#');
  const isPrefixed = /^\D*0/.test(before);
  const zeros = places.includes('0') ? places.length - places.indexOf('0') : 0;
  if ((/\d/.test(before) && !isPrefixed) || /\d/.test(after.join(''))) return undefined;
  const digits = String(value).padStart(zeros, '0');
  if (!isPrefixed && (zeros < 2 || !digits.startsWith('0'))) return undefined;
  let at = digits.length - places.length;
  const more = digits.slice(0, Math.max(0, at));
  return `${before}${more}${after.map((sign) => `${digits[at++] ?? ''}${sign}`).join('')}`.trim();
}

const NO_DATE = '####';
const DAY_SECONDS = 86_400;
/** With a format of elapsed time such as `[h]`, a value of this many days or more is read as a date. */
const LONGEST_DAYS = 10_000;

/** `2026-03-02`, `2026-03-02 12:00`; a time alone: `12:00`; a duration that may exceed a day: `30:15`. */
function dateText(date: Date, format: string, is1904: boolean): string {
  // The number is too large for a date, for example a student number. A spreadsheet shows the same text.
  if (Number.isNaN(date.getTime())) return NO_DATE;
  const days = dateToSerial(date, is1904);
  const isDuration = /\[(?:h+|m+|s+)\]/i.test(format) && days < LONGEST_DAYS;
  if (days < 1 || isDuration) return timeText(Math.round(days * DAY_SECONDS));
  const seconds = Math.round(date.getTime() / 1000);
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  const time = timeText(((seconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS);
  return time === '00:00' ? day : `${day} ${time}`;
}

function timeText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return (seconds % 60 === 0 ? parts.slice(0, 2) : parts)
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
