/* What a spreadsheet makes of a text in a file or on the clipboard, and the apostrophe that keeps it from doing so. */

/** What a spreadsheet would run. https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /[=+\-@\t\r\n＝＋－＠]/;
/**
 * What it would keep as another value: a number that begins with 0, has an exponent or more than fifteen digits, and
 * what could be a month (`2026-01`, `3/4`, `MAR1`). A whole date, `2026-03-02`, stays the same day.
 */
const NUMBER = /0\d+(?:\.\d*)?$|\d+(?:\.\d*)?e[+-]?\d+$|\d{16,}$/;
const MONTH =
  /(?!\d{4}-\d\d-\d\d$)\d{1,4}[-/]\d{1,2}(?:[-/]\d{1,4})?$|\d{1,2}[-/]\d{4}$|(?:\d{1,2}-?)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}(?:-?\d{1,4})?$/;
/**
 * After any apostrophes: a cell that already has the guard gets another one, so that a reader who takes one off has what
 * was written.
 */
const changed = new RegExp(`^'*(?:${FORMULA.source}|${NUMBER.source}|(?=.*\\d)(?:${MONTH.source}))`, 'i');

/** A text as a cell that a spreadsheet neither runs nor changes. */
export function guardedCell(text: string): string {
  return changed.test(text) ? `'${text}` : text;
}

/** A cell without the apostrophe that an export has put before it. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && changed.test(cell) ? cell.slice(1) : cell;
}
