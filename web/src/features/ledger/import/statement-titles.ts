import { labelKey, type PastedTable } from '../../../lib/paste-table.ts';
import { readAmount } from '../read-cell.ts';

/* Reads titles: the names of the file and sheet, the lines above the table, and titles between its rows. */

/** Titles of tables that contain only payments. */
const SPENDING = /^(?!.*(?:입출|입금|수입)).*(?:지출|출금|집행|결제|구매|구입|(?:사용|승인)\s*(?:내역|금액))/;
const INCOME = /수입|입금/;
/** A year: `2024`, `2024년`, `2024-03`, `’24년`. A school year (`2024학년도`) has two calendar years. */
const YEAR = /(?<!\d)(20\d\d(?!\d)|\d\d(?=\s*(?:학년도|년)))(\s*학년)?/g;
const YEAR_LABELS = new Set(['연도', '년도', '년', 'year']);

type Titles = {
  /** Whether a title says that unsigned amounts are withdrawals, so that a minus is a refund. */
  isSpending: boolean;
  /** The years in titles and in a column of years. */
  years: ReadonlySet<string>;
};

/**
 * @param amountAt the column of amounts with or without a sign; -1 if there is none
 * @param names the names of the file and its sheet
 */
export function readTitles(
  table: PastedTable,
  headerAt: number,
  amountAt: number,
  names: readonly string[],
): Titles {
  const above = table.slice(0, Math.max(0, headerAt)).flat();
  const texts = [...names, ...above].filter((text) => text !== '');
  // If deposits have a plus sign, the signs and not the titles give the direction.
  const isSigned = table.some((row) => row[amountAt]?.startsWith('+') === true);
  let isUnderSpending = !isSigned && texts.some((text) => SPENDING.test(text));
  let isSpending = false;
  const years = new Set(texts.flatMap(yearsIn));
  const yearAt = (table[headerAt] ?? []).findIndex((label) => YEAR_LABELS.has(labelKey(label)));
  for (const row of table.slice(headerAt + 1)) {
    const line = titleOf(row);
    if (line !== undefined) {
      for (const year of yearsIn(line)) years.add(year);
      isUnderSpending = !isSigned && (SPENDING.test(line) || (isUnderSpending && !INCOME.test(line)));
      continue;
    }
    for (const year of yearsIn(row[yearAt] ?? '')) years.add(year);
    isSpending ||= isUnderSpending && (readAmount(row[amountAt] ?? '') ?? 0) > 0;
  }
  return { isSpending, years };
}

const yearsIn = (text: string) =>
  Array.from(text.matchAll(YEAR), ([, year = '', isSchoolYear]) => {
    const full = year.padStart(4, '20');
    return isSchoolYear === undefined ? [full] : [full, String(Number(full) + 1)];
  }).flat();

/** The only text of a row, such as `<지출>` or `2025년`; undefined for other rows. */
function titleOf(row: readonly string[]): string | undefined {
  const [text, ...more] = new Set(row.filter((cell) => cell !== ''));
  if (text === undefined || more.length > 0) return undefined;
  return /\p{L}/u.test(text) && readAmount(text) === undefined ? text : undefined;
}
