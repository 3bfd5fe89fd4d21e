import type { PageBlock, PageTable } from './web-page.ts';

/* Turns a web page's tables into sheets, as in a workbook. */

type PageSheet = PageTable & { name: string };

const TITLES_MAX = 5;
const TITLE_TABLE_ROWS = 10;
const NAME_MAX = 40;

type Joined = PageTable & {
  titles: readonly string[];
  /** Index of the first table row, below the titles. */
  start: number;
};

/**
 * Tables of the same shape form one sheet, because pages repeat a table's header or put it into a table of
 * its own. Lines, and tables with one cell per row, become titles of the next table. A table with another
 * shape, header or title is a separate sheet.
 */
export function pageSheetsOf(blocks: readonly PageBlock[]): PageSheet[] {
  const lastWide = blocks.findLastIndex((block) => typeof block !== 'string' && !isNarrow(block));
  const sheets: Joined[] = [];
  let titles: string[] = [];
  for (const [at, block] of blocks.entries()) {
    if (typeof block === 'string') titles.push(block);
    else if (isNarrow(block) && block.rows.length <= TITLE_TABLE_ROWS && at < lastWide)
      titles.push(...block.rows.map((row) => row.join('')).filter((text) => text !== ''));
    else {
      titles = titles.slice(-TITLES_MAX);
      const same = sheets.find((sheet) => isSameShape(sheet, block) && isSameTitle(sheet, titles));
      if (same) append(same, block, repeatedRows(same, block));
      else if (block.rows.some((row) => row.some((cell) => cell !== ''))) sheets.push(begin(titles, block));
      titles = [];
    }
  }
  return sheets.map((sheet, at) => Object.assign(sheet, { name: nameOf(sheet, at) }));
}

/** Whether no row has more than one cell with text. */
const isNarrow = ({ rows }: PageTable) => rows.every((row) => row.filter((cell) => cell !== '').length <= 1);

const widthOf = ({ rows }: PageTable) => rows.reduce((most, { length }) => Math.max(most, length), 0);

function isSameShape(sheet: Joined, table: PageTable): boolean {
  return widthOf(sheet) === widthOf(table) && (!table.hasHeader || repeatedRows(sheet, table) > 0);
}

const isSameTitle = (sheet: Joined, titles: readonly string[]) =>
  titles.length === 0 || titles.join('\n') === sheet.titles.join('\n');

const FIGURE = /^[\d\s.,:/%()+-]*\d[\d\s.,:/%()+-]*$/;

/** How many rows at the table's beginning repeat the sheet's header. */
function repeatedRows({ rows, start }: Joined, table: PageTable): number {
  const at = table.rows.findIndex(
    (row, index) =>
      row.some((cell) => FIGURE.test(cell)) || row.join('\t') !== rows[start + index]?.join('\t'),
  );
  return at === -1 ? table.rows.length : at;
}

function begin(titles: readonly string[], table: PageTable): Joined {
  const sheet: Joined = {
    rows: titles.map((title) => [title]),
    merges: [],
    rowDefs: new Map(),
    columns: [],
    hasHeader: table.hasHeader,
    filled: 0,
    titles,
    start: titles.length,
  };
  append(sheet, table, 0);
  return sheet;
}

/** @param from the first row of the table to append */
function append(sheet: Joined, table: PageTable, from: number): void {
  const by = sheet.rows.length - from;
  for (const row of table.rows.slice(from)) sheet.rows.push(row);
  for (const { startRow, endRow, ...columns } of table.merges)
    if (startRow >= from) sheet.merges.push({ startRow: startRow + by, endRow: endRow + by, ...columns });
  for (const [row, def] of table.rowDefs) if (row >= from) sheet.rowDefs.set(row + by, def);
  for (const [at, column] of table.columns.entries()) if (column?.hidden) sheet.columns[at] = column;
  sheet.filled += table.filled;
}

/** A sheet's name: `표 2: 날짜 내용 출금 입금` */
function nameOf({ titles, rows, start }: Joined, at: number): string {
  const words = titles.at(-1) ?? rows[start]?.filter((cell) => cell !== '').join(' ') ?? '';
  const text = words.replace(/\s+/g, ' ');
  return `표 ${at + 1}: ${text.length > NAME_MAX ? `${text.slice(0, NAME_MAX)}…` : text}`;
}
