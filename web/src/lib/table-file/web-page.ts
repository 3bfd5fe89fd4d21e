import type { MergeRange, RowDef } from 'hucre';
import { CELLS_MAX, COLUMNS_MAX, ROWS_MAX, tooLarge } from './limits.ts';

/* Tables of web pages, which portals and banks call .xls, as sheets. */

export type PageTable = {
  rows: string[][];
  merges: MergeRange[];
  rowDefs: Map<number, RowDef>;
  columns: { hidden?: true }[];
};

type OpenTable = PageTable & {
  row: string[] | undefined;
  /** Column of the cell that is open. */
  cell: number | undefined;
  /** By column, in how many rows from this one on a cell that began above stands. */
  spans: number[];
  size: number;
};

/** Tags that part cells or lines, all others, and texts. A mark in a tag quotes only what follows `=`. */
const TOKEN =
  /<(\/?)(table|tr|t[dh]|br|p|div|li)\b((?:=(?:"[^"<]*"|'[^'<]*'|(?!["']))|[^<>=])*)>|<[^<>]*>|[^<]+|</gi;
const UNSEEN = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1|$)/gi;
const HIDDEN = /display\s*:\s*none/i;
const TOKENS_MAX = 3_000_000;
const DEEPEST = 30;

/** Its table with the most cells, of those inside others too. */
export function largestTable(html: string): PageTable {
  let largest = newTable();
  const open: OpenTable[] = [];
  let tokens = 0;
  const close = () => {
    const table = open.pop();
    if (!table) return;
    endRow(table);
    if (table.size > largest.size) largest = table;
    const outer = open.at(-1);
    if (outer) addText(outer, ` ${table.rows.map((row) => row.join(' ')).join(' ')}`);
  };
  for (const [token, end, tag = '', attributes = ''] of html.replace(UNSEEN, '').matchAll(TOKEN)) {
    if ((tokens += 1) > TOKENS_MAX || open.length > DEEPEST) tooLarge();
    const name = tag.toLowerCase();
    const isEnd = end === '/';
    if (name === 'table') {
      if (isEnd) close();
      else open.push(newTable());
      continue;
    }
    const table = open.at(-1);
    if (!table) continue;
    if (!token.startsWith('<') || token === '<') addText(table, unescaped(token.replace(/\s+/g, ' ')));
    else if (name === 'tr') {
      endRow(table);
      if (!isEnd) startRow(table, attributes);
    } else if (/^t[dh]$/.test(name)) {
      table.cell = undefined;
      if (!isEnd) startCell(table, attributes);
    } else if (name !== '') addText(table, '\n');
  }
  while (open.length > 0) close();
  return largest;
}

const newTable = (): OpenTable => ({
  rows: [],
  merges: [],
  rowDefs: new Map(),
  columns: [],
  row: undefined,
  cell: undefined,
  spans: [],
  size: 0,
});

function addText({ row, cell }: OpenTable, text: string): void {
  if (row && cell !== undefined) row[cell] += text;
}

function startRow(table: OpenTable, attributes: string): string[] {
  if (HIDDEN.test(attributes)) table.rowDefs.set(table.rows.length, { hidden: true });
  return (table.row = []);
}

function endRow(table: OpenTable): void {
  table.cell = undefined;
  if (!table.row) return;
  table.rows.push(table.row);
  table.row = undefined;
  table.spans = table.spans.map((rows) => Math.max(0, rows - 1));
}

function startCell(table: OpenTable, attributes: string): void {
  const row = table.row ?? startRow(table, '');
  while ((table.spans[row.length] ?? 0) > 0) row.push('');
  const [top, startCol] = [table.rows.length, row.length];
  const [across, down] = [spanOf('col', attributes, COLUMNS_MAX), spanOf('row', attributes, ROWS_MAX)];
  table.size += across;
  if (table.size > CELLS_MAX || startCol + across > COLUMNS_MAX) tooLarge();
  if (HIDDEN.test(attributes)) table.columns[startCol] = { hidden: true };
  for (let at = 0; at < across; at++) {
    table.spans[row.length] = down;
    row.push('');
  }
  const endCol = startCol + across - 1;
  if (down > 1) table.merges.push({ startRow: top, endRow: top + down - 1, startCol, endCol });
  table.cell = startCol;
}

const spanOf = (what: 'col' | 'row', attributes: string, most: number) => {
  const [, span = '1'] =
    new RegExp(String.raw`\b${what}span\s*=\s*["']?(\d{1,6})`, 'i').exec(attributes) ?? [];
  return Math.min(Math.max(1, Number(span)), most);
};

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

export const unescaped = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (whole, code, hex, name) => {
    if (typeof name === 'string') return ENTITIES[name] ?? whole;
    const point = Number.parseInt(code ?? hex, code === undefined ? 16 : 10);
    return point > 0x10ffff ? whole : String.fromCodePoint(point);
  });
