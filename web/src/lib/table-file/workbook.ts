import { strFromU8, unzipSync } from 'fflate';
import { dateToSerial, readXlsx, type Cell, type Sheet } from 'hucre';
import { TEXT_TABLE, UNCOMPUTED_CELL } from '../paste-table.ts';
import { cellText } from './cell-text.ts';
import { MACROS_REFUSED_TEXT, notATableText, TableRefusal } from './file-kind.ts';
import {
  CELL_TEXT_MAX,
  TABLE_CELLS_MAX,
  TABLE_COLUMNS_MAX,
  DECODED_BYTES_MAX,
  TABLE_ROWS_MAX,
  TABLE_TEXT_MAX,
  throwTooLarge,
} from './limits.ts';
import type { TableRemarkCounts } from './read-table.ts';
import { columnNumber, measureZipParts, type ZipPartCost } from './unzipped-size.ts';
import { pageSheetsOf } from './page-sheets.ts';
import { readPageBlocks, unescapeHtml } from './web-page.ts';

type WorkbookTable = { rows: string[][]; sheets: string[]; sheet: number; remarks: TableRemarkCounts };
type Chosen = { sheet?: number | undefined; withHidden?: boolean | undefined };

/** Reads a sheet of an .xlsx: of the visible sheets with cells, the chosen sheet or the one last active. */
export async function readWorkbook(bytes: Uint8Array, chosen: Chosen): Promise<WorkbookTable> {
  const parts = measureZipParts(bytes);
  refuseOthers([...parts.keys()]);
  const book = readBook(bytes);
  const sheets = book.sheets.filter(({ isShown }) => isShown);
  const open = sheets.findIndex(({ at }) => at === book.active);
  const sheet = sheets[chosen.sheet ?? -1] ? (chosen.sheet ?? 0) : Math.max(0, open);
  const { at, part } = sheets[sheet] ?? {};
  if (at === undefined || part === undefined) throw new TableRefusal('시트가 없는 엑셀 파일입니다.');
  refuseCostly(parts, part);
  const read = await readXlsx(bytes, { sheets: (_info, index) => index === at, readStyles: true });
  const how = { ...chosen, mustCompute: book.mustCompute, is1904: read.dateSystem === '1904' };
  return { ...tableOfSheet(read.sheets[0], how), sheets: sheets.map(({ name }) => name), sheet };
}

const STRUCK_TEXT = /<(?:s|strike|del)[\s>]|line-through/i;

/** Reads a table of a web page, which portals and banks name .xls: the chosen table or the largest. */
export function readHtml(html: string, chosen: Chosen): WorkbookTable {
  const blocks = readPageBlocks(html);
  const sheets = pageSheetsOf(blocks);
  const lastTable = blocks.findLastIndex((block) => typeof block !== 'string');
  const below = blocks
    .flatMap((block, at) => (typeof block === 'string' && at > lastTable ? block : []))
    .join(' ');
  const largest = sheets.reduce((most, { filled }) => Math.max(most, filled), 0);
  const usual = Math.max(
    0,
    sheets.findIndex(({ filled }) => filled === largest),
  );
  const sheet = sheets[chosen.sheet ?? -1] ? (chosen.sheet ?? 0) : usual;
  const names = sheets.length > 1 ? sheets.map(({ name }) => name) : [];
  const { rows, remarks } = tableOfSheet(sheets[sheet], chosen);
  const seen = {
    ...(below !== '' && { below }),
    ...(STRUCK_TEXT.test(html) && { hasStruckText: true as const }),
  };
  return { rows, remarks: { ...remarks, ...seen }, sheets: names, sheet };
}

const SHEET_TAGS_MAX = 2_000_000;
const COLUMN_TAGS_MAX = 1000;
const OTHER_TAGS_MAX = 50_000;
/** Maximum number of tags in all parts that hucre loads completely, such as texts and styles. */
const TREE_TAGS_MAX = 250_000;

/** Rejects a workbook that is too large, before hucre (the spreadsheet parser) spends memory and time. */
function refuseCostly(parts: ReadonlyMap<string, ZipPartCost>, sheet: string): void {
  const isSheet = (name: string) => name === sheet || name.endsWith(`/${sheet}`);
  const isUnread = (name: string) => /(?:^|\/)worksheets\/[^/]*\.xml$|pivotCacheRecords/i.test(name);
  let [size, treeTags, isThere] = [0, 0, false];
  for (const [name, cost] of parts) {
    if (!isSheet(name) && isUnread(name)) continue;
    if (cost.hasLongFormat) throwTooLarge();
    size += cost.size;
    isThere ||= isSheet(name);
    if (!isSheet(name)) treeTags += cost.tags;
    else if (
      cost.lastRow > TABLE_ROWS_MAX ||
      cost.lastColumn > TABLE_COLUMNS_MAX ||
      cost.lastRow * cost.lastColumn > TABLE_CELLS_MAX ||
      cost.tags > SHEET_TAGS_MAX ||
      cost.columnTags > COLUMN_TAGS_MAX ||
      cost.otherTags > OTHER_TAGS_MAX
    )
      throwTooLarge();
  }
  if (!isThere) throw new Error(`there is no ${sheet}`);
  if (size > DECODED_BYTES_MAX || treeTags > TREE_TAGS_MAX) throwTooLarge();
}

/** Rejects zip files that are no workbook, and workbooks with macros. */
function refuseOthers(names: readonly string[]): void {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (has(/vbaProject\.bin$/i)) throw new TableRefusal(MACROS_REFUSED_TEXT);
  if (has(/^Contents\/section\d+\.xml$/i)) throw new TableRefusal(notATableText('한글 문서'));
  if (has(/^word\//i)) throw new TableRefusal(notATableText('워드 문서'));
  if (has(/^ppt\//i)) throw new TableRefusal(notATableText('발표 자료'));
  if (has(/^content\.xml$/i)) throw new TableRefusal(notATableText('ODS'));
  if (!has(/^\[Content_Types\]\.xml$/i) || has(/workbook\.bin$/i))
    throw new TableRefusal(notATableText('압축'));
}

type Book = {
  sheets: { name: string; at: number; part: string | undefined; isShown: boolean }[];
  active: number;
  /** Whether the program that wrote the file put 0 for all formulas, to be computed on opening. */
  mustCompute: boolean;
};

const BOOK_PARTS = /(?:^|\/)(?:workbook\.xml|_rels\/workbook\.xml\.rels|docProps\/app\.xml)$/i;
const BOOK_MAX = 4_000_000;
const SHEETS_MAX = 1000;

/** Facts that hucre does not give: which sheets are charts, and whether formulas were computed. */
function readBook(bytes: Uint8Array): Book {
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) =>
      BOOK_PARTS.test(name) && (originalSize <= BOOK_MAX || throwTooLarge()),
  });
  const textOf = (end: string) => {
    const [, part] = Object.entries(parts).find(([name]) => name.toLowerCase().endsWith(end)) ?? [];
    return part ? strFromU8(part) : '';
  };
  const workbook = textOf('workbook.xml');
  const worksheets = new Map(
    elements(textOf('workbook.xml.rels'), 'Relationship').flatMap(({ Type = '', Id = '', Target = '' }) =>
      Type.endsWith('/worksheet') ? [[Id, Target] as const] : [],
    ),
  );
  const named = elements(workbook, 'sheet');
  if (named.length > SHEETS_MAX) throwTooLarge();
  return {
    sheets: named.map(({ name = '', id = '', state = '' }, at) => ({
      name,
      at,
      part: partAt(worksheets.get(id)),
      isShown: worksheets.has(id) && !/hidden/i.test(state),
    })),
    active: Number(elements(workbook, 'workbookView')[0]?.['activeTab'] ?? 0),
    // Many portals use Apache POI, which computes no formulas. Only the name POI in the file shows this.
    mustCompute:
      /^(?:1|true)$/.test(elements(workbook, 'calcPr')[0]?.['fullCalcOnLoad'] ?? '') ||
      /<Application>Apache POI</.test(textOf('app.xml')),
  };
}

/** A part's path without leading dots and slashes: the end of the part's name in the zip. */
const partAt = (target: string | undefined) => target?.replace(/^(?:\.{0,2}\/)+/, '');

/** The attributes of every element with this name, without namespace prefixes. */
function elements(xml: string, name: string): Partial<Record<string, string>>[] {
  const tags = xml.matchAll(new RegExp(String.raw`<(?:\w{1,9}:)?${name}\s([^<>]{0,2000})>`, 'g'));
  return Array.from(tags, ([, attributes = '']) =>
    Object.fromEntries(
      Array.from(
        attributes.matchAll(/(?:\w+:)?(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g),
        ([, key = '', double, single = '']) => [key, unescapeHtml(double ?? single)],
      ),
    ),
  );
}

/** A sheet's content, from hucre for an .xlsx, or from a web page. */
type ReadSheet = Pick<Sheet, 'rows' | 'cells' | 'merges' | 'rowDefs' | 'columns'>;
type How = { withHidden?: boolean | undefined; mustCompute?: boolean; is1904?: boolean };

/** Matches a number, perhaps with a currency: a number in merged rows may be only one payment. */
const NUMBER = /^[^\p{L}\d]*\d[\d,.]*[^\p{L}\d]*원?$/u;

/** The texts of all cells, where each row of a merged cell repeats the text, and remarks about the sheet. */
function tableOfSheet(sheet: ReadSheet | undefined, how: How = {}): Pick<WorkbookTable, 'rows' | 'remarks'> {
  const remarks: TableRemarkCounts = { ...TEXT_TABLE.remarks };
  if (!sheet) return { rows: [], remarks };
  const values = sheet.rows;
  const width = values.reduce((most, { length }) => Math.max(most, length), 0);
  if (values.length > TABLE_ROWS_MAX || width > TABLE_COLUMNS_MAX || values.length * width > TABLE_CELLS_MAX)
    throwTooLarge();
  let size = 0;
  const spend = (text: string) => {
    size += text.length;
    if (text.length > CELL_TEXT_MAX || size > TABLE_TEXT_MAX) throwTooLarge();
    return text;
  };
  const uncomputed = uncomputedPlaces(sheet, how);
  remarks.uncomputed = uncomputed.size;
  const struck = new Set<number>();
  const comments: string[] = [];
  const rows = values.map((row, at) =>
    Array.from({ length: width }, (_, column) => {
      const place = `${at},${column}`;
      if (uncomputed.has(place)) return UNCOMPUTED_CELL;
      const { value = row[column] ?? null, style, comment } = sheet.cells?.get(place) ?? {};
      if (comment) comments.push(`${at + 1}행 ‘${spend(comment.text.trim())}’`);
      if (style?.font?.strikethrough === true && value !== null && value !== '') struck.add(at + 1);
      return spend(cellText(value, style?.numFmt, how.is1904));
    }),
  );
  if (struck.size > 0) remarks.struckRows = [...struck];
  if (comments.length > 0) remarks.comments = comments;
  for (const { startRow, endRow, startCol } of sheet.merges ?? []) {
    const text = rows[startRow]?.[startCol] ?? '';
    if (endRow === startRow || text === '') continue;
    remarks.merged += 1;
    if (NUMBER.test(text)) remarks.mergedNumbers = [...(remarks.mergedNumbers ?? []), text];
    for (const row of rows.slice(startRow + 1, endRow + 1)) row[startCol] = spend(text);
  }
  const isHiddenRow = (at: number) => isHidden(sheet.rowDefs?.get(at), 'height');
  const isHiddenColumn = (at: number) => isHidden(sheet.columns?.[at], 'width');
  const hasText = (at: number) => rows[at]?.some((text) => text !== '') === true;
  const hiddenRows = new Set(rows.flatMap((_, at) => (isHiddenRow(at) && hasText(at) ? at : [])));
  const hiddenColumns = new Set(
    Array.from({ length: width }, (_, at) => at).filter(
      (at) => isHiddenColumn(at) && rows.some((row) => row[at] !== ''),
    ),
  );
  remarks.hiddenRows = hiddenRows.size;
  remarks.hiddenColumns = hiddenColumns.size;
  if (how.withHidden === true) return { rows, remarks };
  return {
    rows: rows
      // A hidden row becomes an empty row, so that copied grades can be pasted beside the sheet.
      .map((row, at) => (hiddenRows.has(at) ? row.map(() => '') : row))
      .map((row) => row.filter((_, at) => !hiddenColumns.has(at))),
    remarks,
  };
}

function isHidden(
  def: { hidden?: boolean; height?: number; width?: number } | undefined,
  size: 'height' | 'width',
): boolean {
  return def?.hidden === true || def?.[size] === 0;
}

/**
 * Positions of formulas that no program has computed: their value is missing, or is the 0 that a program
 * without computing wrote. If such a formula fills a range, the range's other empty cells are included.
 */
function uncomputedPlaces({ rows, cells = new Map<string, Cell>() }: ReadSheet, how: How): Set<string> {
  const isOpen = (value: Cell['value']) => value === null || (how.mustCompute === true && isZero(value, how));
  const places = new Set<string>();
  let steps = 0;
  for (const [place, { value, formula, formulaType, formulaRef = '' }] of cells) {
    if (formula === undefined || !isOpen(value)) continue;
    places.add(place);
    if (formulaType !== 'array') continue;
    const [top = 0, left = 0] = place.split(',').map(Number);
    const [bottom = top, right = left] = lastOf(formulaRef);
    for (let at = top; at <= Math.min(bottom, rows.length - 1); at++)
      for (let column = left; column <= Math.min(right, (rows[at]?.length ?? 0) - 1); column++) {
        if ((steps += 1) > TABLE_CELLS_MAX) throwTooLarge();
        const other = rows[at]?.[column] ?? null;
        if (other === null || isZero(other, how)) places.add(`${at},${column}`);
      }
  }
  return places;
}

const isZero = (value: Cell['value'], { is1904 }: How) =>
  value instanceof Date ? dateToSerial(value, is1904) === 0 : value === 0;

/** Zero-based row and column of the end of a range such as `E2:F6`. */
function lastOf(range: string): number[] {
  const [, letters = '', row = ''] = /:\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(range) ?? [];
  if (row === '') return [];
  return [Number(row) - 1, columnNumber(letters) - 1];
}
