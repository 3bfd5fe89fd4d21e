import { strFromU8, unzipSync } from 'fflate';
import { readXlsx } from 'hucre';
import { MACROS_REFUSED_TEXT, notATableText, refusalText, TableRefusal } from './file-kind.ts';
import {
  DECODED_BYTES_MAX,
  TABLE_CELLS_MAX,
  TABLE_COLUMNS_MAX,
  TABLE_ROWS_MAX,
  throwTooLarge,
} from './limits.ts';
import type { ReadRefusal, TableRemarkCounts } from './read-table.ts';
import { measureZipParts, type ZipPartCost } from './unzipped-size.ts';
import { pageSheetsOf } from './page-sheets.ts';
import { tableOfSheet } from './sheet-table.ts';
import { readPageBlocks, unescapeHtml } from './web-page.ts';

type WorkbookTable = { rows: string[][]; sheets: string[]; sheet: number; remarks: TableRemarkCounts };
type Chosen = { sheet?: number | undefined; withHidden?: boolean | undefined };

/** Reads a sheet of an .xlsx: of the visible sheets with cells, the chosen sheet or the one last active. */
export async function readWorkbook(bytes: Uint8Array, chosen: Chosen): Promise<WorkbookTable | ReadRefusal> {
  const parts = measureZipParts(bytes);
  refuseOthers([...parts.keys()]);
  const book = readBook(bytes);
  const sheets = book.sheets.filter(({ isShown }) => isShown);
  const open = sheets.findIndex(({ at }) => at === book.active);
  const sheet = sheets[chosen.sheet ?? -1] ? (chosen.sheet ?? 0) : Math.max(0, open);
  const { at, part } = sheets[sheet] ?? {};
  if (at === undefined || part === undefined) throw new TableRefusal('시트가 없는 엑셀 파일입니다.');
  const names = sheets.map(({ name }) => name);
  try {
    refuseCostly(parts, part);
    const read = await readXlsx(bytes, { sheets: (_info, index) => index === at, readStyles: true });
    const how = { ...chosen, mustCompute: book.mustCompute, is1904: read.dateSystem === '1904' };
    const { rows, remarks } = tableOfSheet(read.sheets[0], how);
    const hiddenSheets = book.sheets.flatMap(({ name, part, isHidden }) =>
      isHidden && hasCells(parts, part) ? name : [],
    );
    return {
      rows,
      remarks: { ...remarks, ...(hiddenSheets.length > 0 && { hiddenSheets }) },
      sheets: names,
      sheet,
    };
  } catch (error) {
    // Another sheet may be readable.
    return { refusal: refusalText(error), sheets: names, sheet };
  }
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
  const isSheet = isPart(sheet);
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

const isPart = (part: string) => (name: string) => name === part || name.endsWith(`/${part}`);

const hasCells = (parts: ReadonlyMap<string, ZipPartCost>, part = '') =>
  [...parts].some(([name, { lastColumn }]) => isPart(part)(name) && lastColumn > 0);

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
  sheets: { name: string; at: number; part: string | undefined; isShown: boolean; isHidden: boolean }[];
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
      isHidden: worksheets.has(id) && /hidden/i.test(state),
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
