import { dateToSerial, type CellValue } from 'hucre';
import { moneyUnit } from '../money-unit.ts';

/**
 * A cell as its value, whatever its number format makes of it: `-33000`, `89.4`, `2026-03-02`, `95%`. A format counts
 * where it alone holds the leading zeros of an id or telephone (`000-0000-0000`), or says that an amount is not in won
 * (`120 $`, `120 천원`).
 * @param is1904 of the workbook: which day its dates count from
 */
export function cellText(value: CellValue, format = 'General', is1904 = false): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string') return value;
  if (value instanceof Date)
    return isNoDate(format) && !Number.isNaN(value.getTime())
      ? withUnit(plainNumber(numberOf(value, is1904)), format)
      : dateText(value, format, is1904);
  return (
    zeroFilled(value, format) ??
    (isPercent(format) ? `${plainNumber(value * 100)}%` : withUnit(plainNumber(value), format))
  );
}

/** With the unit of money that its format names; one that only scales the value for the eye (`#,##0,"천원"`) is none. */
function withUnit(number: string, format: string): string {
  const words = format
    .slice(0, 255)
    .replace(/\[\$([^\]-]*)[^\]]*\]/g, '$1')
    .replace(/\[[^\]]*\]|[_*]./g, '')
    .replace(/["\\]/g, '');
  const unit = format === 'General' ? undefined : moneyUnit(words);
  const isScaled = unit !== undefined && unit.won > 0 && /[0#?],+(?![0#?])/.test(words);
  return unit === undefined || isScaled ? number : `${number} ${unit.name}`;
}

/** With all its digits, of which a spreadsheet keeps fifteen. */
const plainNumber = (value: number) =>
  value.toLocaleString('en', { useGrouping: false, maximumSignificantDigits: 15 });

/** A format without texts, escaped and repeated characters, and without what stands in brackets but hours, minutes, seconds. */
const bareFormat = (format: string) =>
  format.slice(0, 255).replace(/"[^"]*"?|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]?/gi, '');

const isPercent = (format: string) => bareFormat(format).includes('%');

/** Whether hucre takes a number for a date, because of a letter of its currency: `[$€-de-DE]`. */
const isNoDate = (format: string) => format !== 'General' && !/[ymdhs]/i.test(bareFormat(format));

/** The first part of a format that holds nothing but digits, with signs that ids and telephones are written with. */
const DIGITS = /^(?:[0#() -]|\\[() .-]|"[\d() .-]*"|[_*].|\[\$-\w*\])+$/;

/** `010-1234-5678` of 1012345678 and `000-0000-0000`; undefined for what is no such number. */
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
/** Longer is a day that is shown as hours. */
const LONGEST_DAYS = 10_000;

/** `2026-03-02`, `2026-03-02 12:00`; of a time alone `12:00`, of hours that may be more than a day `30:15`. */
function dateText(date: Date, format: string, is1904: boolean): string {
  // Too large a number for a date, such as a student number. A spreadsheet shows the same instead of it.
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

function numberOf(date: Date, is1904: boolean): number {
  return Math.round(dateToSerial(date, is1904) * 1e7) / 1e7;
}
