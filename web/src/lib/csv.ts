import { guardedCell } from '#contract/spreadsheet';

type Cell = string | number | bigint;

/**
 * A file that Excel opens correctly: UTF-8 with a byte order mark, RFC 4180. Tabs are quoted, because bare ones
 * separate cells.
 */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map((cells) => cells.map((cell) => quoted(harmless(cell), /[",\t\r\n]/)).join(','));
  return `\ufeff${lines.map((line) => `${line}\r\n`).join('')}`;
}

/** Clipboard text that a spreadsheet splits into cells. */
export function toTsv(rows: readonly (readonly Cell[])[]): string {
  return rows
    .map((cells) => cells.map((cell) => quoted(harmless(cell), /["\t\r\n]/)).join('\t'))
    .join('\r\n');
}

const harmless = (cell: Cell) => (typeof cell === 'string' ? guardedCell(cell) : String(cell));

function quoted(text: string, special: RegExp): string {
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
