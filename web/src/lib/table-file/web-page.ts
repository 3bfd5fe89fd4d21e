import type { MergeRange, RowDef } from 'hucre';
import { HTML_ENTITIES } from './html-entities.ts';
import { TABLE_CELLS_MAX, TABLE_COLUMNS_MAX, TABLE_ROWS_MAX, throwTooLarge } from './limits.ts';

/* Reads web pages, which portals and banks name .xls, as a browser shows them: tables and lines of text. */

export type PageTable = {
  rows: string[][];
  merges: MergeRange[];
  rowDefs: Map<number, RowDef>;
  columns: { hidden?: true }[];
  /** Whether the first row contains only header cells. */
  hasHeader: boolean;
  /** Number of visible cells with text. */
  filled: number;
};

/** A table or a line of text, in the order of the page. */
export type PageBlock = string | PageTable;

type OpenTable = PageTable & {
  row: string[] | undefined;
  /** Column of the open cell. */
  cell: number | undefined;
  /** Whether the number in the open cell's attributes is negative; the text may show this only by colour. */
  isNegative: boolean;
  /** For each column, how many rows from here on are covered by a cell that began above. */
  spans: number[];
  areHeaders: boolean;
  describedColumns: number;
  /** Text outside of the cells, which a browser shows above the table. */
  above: string;
  inner: { row: number; column: number; blocks: PageBlock[] }[];
};

/** An invisible element: text in it is dropped, and the rows of a table in it count as hidden. */
type Hidden = { tag: string; depth: number; table: OpenTable | undefined; isOfText: boolean };

type Page = {
  blocks: PageBlock[];
  line: string;
  open: OpenTable[];
  hidden: Hidden | undefined;
  /** Number of cells in all tables. */
  cells: number;
};

/** Matches tags and text. In a tag, a quotation mark starts a value only after `=`. */
const TOKEN = /<(\/?)([a-z][\w:-]{0,30})((?:=(?:"[^"<]*"|'[^'<]*'|(?!["']))|[^<>=])*)>|<[^<>]*>|[^<]+|</gi;
const UNSEEN = /<!--[\s\S]*?(?:-->|$)|<(script|style|title|xml|select)\b[\s\S]*?(?:<\/\1[^>]*>?|$)/gi;
const HIDDEN = /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|\shidden(?=[\s=/]|$)/i;
/** Elements that start a new line. */
const BLOCK = /^(?:br|p|div|li|h[1-6]|hr|dt|dd|pre|center|form|caption)$/;
const SECTION = /^t(?:body|head|foot)$/;
const VOID = /^(?:br|hr|img|input|meta|link|wbr)$/;
const TOKENS_MAX = 3_000_000;
const DEEPEST = 30;

export function readPageBlocks(html: string): PageBlock[] {
  const page: Page = { blocks: [], line: '', open: [], hidden: undefined, cells: 0 };
  let tokens = 0;
  for (const [token, end, name, attributes = ''] of html.replace(UNSEEN, '').matchAll(TOKEN)) {
    if ((tokens += 1) > TOKENS_MAX || page.open.length > DEEPEST) throwTooLarge();
    const tag = name?.toLowerCase();
    if (tag === undefined) {
      if (!token.startsWith('<') || token === '<') addText(page, unescapeHtml(token.replace(/\s+/g, ' ')));
    } else if (end === '/') endTag(page, tag);
    else startTag(page, tag, attributes);
  }
  while (page.open.length > 0) endTable(page);
  endLine(page);
  return page.blocks;
}

function startTag(page: Page, tag: string, attributes: string): void {
  const table = page.open.at(-1);
  if (page.hidden?.tag === tag) page.hidden.depth += 1;
  const isHidden = HIDDEN.test(attributes);
  if (tag === 'table') {
    if (!table) endLine(page);
    const inner = newTable();
    page.open.push(inner);
    if (isHidden) page.hidden ??= { tag, depth: 1, table: inner, isOfText: false };
  } else if (table && tag === 'tr') {
    endRow(page, table);
    startRow(table, isHidden || page.hidden !== undefined);
  } else if (table && (tag === 'td' || tag === 'th')) startCell(page, table, tag, attributes);
  else if (table && tag === 'col') describeColumns(table, attributes);
  else if (table && SECTION.test(tag)) {
    endRow(page, table);
    endHidden(page, table, false);
    if (isHidden) page.hidden ??= { tag, depth: 1, table, isOfText: false };
  } else {
    if (isHidden && !VOID.test(tag)) page.hidden ??= { tag, depth: 1, table, isOfText: true };
    if (BLOCK.test(tag)) addBreak(page);
  }
}

function endTag(page: Page, tag: string): void {
  const table = page.open.at(-1);
  if (tag === 'table') endTable(page);
  else if (table && tag === 'tr') endRow(page, table);
  else if (table && (tag === 'td' || tag === 'th')) endCell(page, table);
  else if (BLOCK.test(tag)) addBreak(page);
  const { hidden } = page;
  if (hidden?.tag === tag && (hidden.depth -= 1) === 0) page.hidden = undefined;
}

/** An unclosed hidden element ends with the cell or table in which it began. */
function endHidden(page: Page, table: OpenTable, isOfText: boolean): void {
  if (page.hidden?.table === table && (page.hidden.isOfText || !isOfText)) page.hidden = undefined;
}

function addText(page: Page, text: string): void {
  const table = page.open.at(-1);
  if (page.hidden?.isOfText === true && page.hidden.table === table) return;
  if (!table) page.line += text;
  else if (table.row && table.cell !== undefined) table.row[table.cell] += text;
  else table.above += text;
}

function addBreak(page: Page): void {
  if (page.open.length > 0) addText(page, '\n');
  else endLine(page);
}

function endLine(page: Page): void {
  const line = page.line.trim();
  if (line !== '') page.blocks.push(line);
  page.line = '';
}

const newTable = (): OpenTable => ({
  rows: [],
  merges: [],
  rowDefs: new Map(),
  columns: [],
  hasHeader: false,
  filled: 0,
  row: undefined,
  cell: undefined,
  isNegative: false,
  spans: [],
  areHeaders: true,
  describedColumns: 0,
  above: '',
  inner: [],
});

function startRow(table: OpenTable, isHidden: boolean): string[] {
  if (isHidden) table.rowDefs.set(table.rows.length, { hidden: true });
  table.areHeaders = true;
  return (table.row = []);
}

function endRow(page: Page, table: OpenTable): void {
  endCell(page, table);
  if (!table.row) return;
  if (table.rows.length === 0) table.hasHeader = table.areHeaders && table.row.length > 1;
  table.rows.push(table.row.map(lines));
  table.row = undefined;
  table.spans = table.spans.map((rows) => Math.max(0, rows - 1));
}

const lines = (text: string) => text.replace(/ *\n[ \n]*/g, '\n').trim();

/** Matches a negative number in a cell's attribute, as Excel (`x:num`) or LibreOffice (`sdval`) writes it. */
const NEGATIVE = /\b(?:x:num|sdval)\s*=\s*["']?-\d/i;
const WITHOUT_SIGN = /^[^\p{L}\d\-−(△▲]*\d[\d,.]*[^\p{L}\d\-−)]*원?$/u;

function endCell(page: Page, table: OpenTable): void {
  const { row, cell, isNegative } = table;
  const text = row?.[cell ?? -1]?.trim();
  if (row && cell !== undefined && isNegative && text && WITHOUT_SIGN.test(text)) row[cell] = `-${text}`;
  table.cell = undefined;
  endHidden(page, table, true);
}

function startCell(page: Page, table: OpenTable, tag: 'td' | 'th', attributes: string): void {
  endCell(page, table);
  const row = table.row ?? startRow(table, page.hidden !== undefined);
  while ((table.spans[row.length] ?? 0) > 0) row.push('');
  const [top, startCol] = [table.rows.length, row.length];
  const [across, down] = [
    spanOf('col', attributes, TABLE_COLUMNS_MAX),
    spanOf('row', attributes, TABLE_ROWS_MAX),
  ];
  page.cells += across;
  if (page.cells > TABLE_CELLS_MAX || startCol + across > TABLE_COLUMNS_MAX) throwTooLarge();
  if (HIDDEN.test(attributes)) table.columns[startCol] = { hidden: true };
  if (tag === 'td') table.areHeaders = false;
  for (let at = 0; at < across; at++) {
    table.spans[row.length] = down;
    row.push('');
  }
  const endCol = startCol + across - 1;
  if (down > 1) table.merges.push({ startRow: top, endRow: top + down - 1, startCol, endCol });
  table.cell = startCol;
  table.isNegative = NEGATIVE.test(attributes);
}

/** Reads `<col span=2 style='display:none'>`, by which Excel marks hidden columns. */
function describeColumns(table: OpenTable, attributes: string): void {
  const first = table.describedColumns;
  table.describedColumns = Math.min(TABLE_COLUMNS_MAX, first + spanOf('', attributes, TABLE_COLUMNS_MAX));
  if (!HIDDEN.test(attributes)) return;
  for (let at = first; at < table.describedColumns; at++) table.columns[at] = { hidden: true };
}

const spanOf = (what: 'col' | 'row' | '', attributes: string, most: number) => {
  const [, span = '1'] =
    new RegExp(String.raw`\b${what}span\s*=\s*["']?(\d{1,6})`, 'i').exec(attributes) ?? [];
  return Math.min(Math.max(1, Number(span)), most);
};

function endTable(page: Page): void {
  const table = page.open.pop();
  if (!table) return;
  endRow(page, table);
  endHidden(page, table, false);
  for (const [at, row] of table.rows.entries())
    if (!table.rowDefs.has(at)) table.filled += row.filter((cell) => cell !== '').length;
  const above = lines(table.above);
  const blocks = [
    ...(above === '' ? [] : above.split('\n')),
    ...(isLayout(table) ? laidOut(table) : [whole(table)]),
  ];
  const outer = page.open.at(-1);
  if (outer) outer.inner.push({ row: outer.rows.length, column: outer.cell ?? 0, blocks });
  else for (const block of blocks) page.blocks.push(block);
}

/** Whether a table is used only for layout, because a larger table is inside. */
const isLayout = ({ inner, filled }: OpenTable) =>
  inner.some(({ blocks }) => blocks.some((block) => typeof block !== 'string' && block.filled > filled));

function laidOut({ rows, rowDefs, inner }: OpenTable): PageBlock[] {
  const blocks: PageBlock[] = [];
  let next = 0;
  for (const [at, row] of rows.entries()) {
    const line = row.filter((cell) => cell !== '').join(' ');
    if (line !== '' && !rowDefs.has(at)) blocks.push(line);
    for (; inner[next]?.row === at; next += 1) blocks.push(...(inner[next]?.blocks ?? []));
  }
  return blocks;
}

/** The table, with the text of inner tables put into its cells. */
function whole(table: OpenTable): PageTable {
  for (const { row, column, blocks } of table.inner) {
    const cells = table.rows[row];
    if (cells) cells[column] = lines(`${cells[column] ?? ''} ${blocks.map(textOfBlock).join(' ')}`);
  }
  return table;
}

const textOfBlock = (block: PageBlock) =>
  typeof block === 'string' ? block : block.rows.map((row) => row.join(' ')).join(' ');

/** Many pages omit the semicolon of the common entities. */
const ENTITY = /&(?:#(\d{1,7});?|#x([\da-f]{1,6});?|(\w{1,8});|(nbsp|amp|lt|gt|quot)(?![\w;=]))/gi;
/** Old programs write some characters by their codes in windows-1252. */
const OLD_CHARACTERS = new TextDecoder('windows-1252');

/** Decodes character references; a non-breaking space becomes a space. */
export const unescapeHtml = (text: string) =>
  text
    .replace(ENTITY, (all: string, decimal?: string, hex?: string, name?: string, bare?: string) => {
      if (name !== undefined || bare !== undefined)
        return HTML_ENTITIES.get(name ?? bare?.toLowerCase() ?? '') ?? all;
      const point = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
      if (point > 0x10ffff) return all;
      return point >= 0x80 && point < 0xa0
        ? OLD_CHARACTERS.decode(Uint8Array.of(point))
        : String.fromCodePoint(point);
    })
    .replaceAll('\u00a0', ' ');
