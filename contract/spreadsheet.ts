/* Cells in files and on the clipboard. A spreadsheet neither runs nor converts a text after an apostrophe. */

/** Text that a spreadsheet would run as a formula: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /[=+\-@＝＋－＠]/;
/** Characters that a spreadsheet ignores at the start of a cell: blanks, controls, invisible marks. */
const SKIPPED = /[\p{C}\p{Z}\s]/u;
/**
 * Text that a spreadsheet would convert: a number with a leading zero, an exponent or more than fifteen
 * digits, and anything like a month (`2026-01`, `3/4`, `MAR1`), but no full date such as `2026-03-02`.
 */
const NUMBER = /0\d+(?:\.\d*)?$|\d+(?:\.\d*)?e[+-]?\d+$|\d{16,}$/;
const MONTH =
  /(?!\d{4}-\d\d-\d\d$)\d{1,4}[-/]\d{1,2}(?:[-/]\d{1,4})?$|\d{1,2}[-/]\d{4}$|(?:\d{1,2}-?)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}(?:-?\d{1,4})?$/;
/**
 * Also matches after leading apostrophes: a cell that begins with an apostrophe gets another apostrophe, so
 * that `unescapeFormula` restores the original.
 */
const changed = new RegExp(
  `^'*${SKIPPED.source}*(?:${FORMULA.source}|${NUMBER.source}|(?=.*\\d)(?:${MONTH.source}))|^'*[\\t\\r\\n]`,
  'iu',
);

/** Escapes a cell so that a spreadsheet neither runs nor converts it. */
export function escapeFormula(text: string): string {
  return changed.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that an export added. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && changed.test(cell) ? cell.slice(1) : cell;
}

/** A cell of a CSV file (RFC 4180). Tabs are quoted too, because a pasted bare tab separates cells. */
export const csvCell = (text: string) => (/[",\t\r\n]/.test(text) ? quoteCsv(text) : text);

export const quoteCsv = (text: string) => `"${text.replaceAll('"', '""')}"`;
