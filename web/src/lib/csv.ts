type Cell = string | number | bigint;

/** A file that Excel opens right: UTF-8 with a byte order mark, RFC 4180. Tabs are quoted: bare ones separate cells. */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((cells) => cells.map((cell) => quoted(harmless(cell), /[",\t\r\n]/)).join(','));
  return `\ufeff${lines.map((line) => `${line}\r\n`).join('')}`;
}

/** Text for the clipboard that a spreadsheet takes as cells. */
export function toTsv(rows: readonly (readonly Cell[])[]): string {
  return rows
    .map((cells) => cells.map((cell) => quoted(harmless(cell), /["\t\r\n]/)).join('\t'))
    .join('\r\n');
}

/**
 * What a spreadsheet would run, after any apostrophes: a cell that already has the guard gets another one, so that a
 * reader who takes one off has what was written. https://owasp.org/www-community/attacks/CSV_Injection
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

function harmless(cell: Cell): string {
  return typeof cell === 'string' && formula.test(cell) ? `'${cell}` : String(cell);
}

/** A pasted cell without the apostrophe that an export has put before it. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}

function quoted(text: string, special: RegExp): string {
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
