import { csvCell, escapeFormula, quoteCsv } from '#contract/spreadsheet';

type Cell = string | number | bigint;

/** A CSV file that Excel opens correctly: UTF-8 with a byte order mark. */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((cells) => cells.map((cell) => csvCell(harmless(cell))).join(','));
  return `\ufeff${lines.map((line) => `${line}\r\n`).join('')}`;
}

/** Text for the clipboard, which a spreadsheet splits into cells. */
export function toTsv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((cells) => cells.map((cell) => clipboardCell(harmless(cell))).join('\t')).join('\r\n');
}

const harmless = (cell: Cell) => (typeof cell === 'string' ? escapeFormula(cell) : String(cell));

const clipboardCell = (text: string) => (/["\t\r\n]/.test(text) ? quoteCsv(text) : text);
