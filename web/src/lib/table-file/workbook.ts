import { unzipSync, strFromU8 } from 'fflate';
import { fromHtml, readXlsx, type CellValue, type Sheet } from 'hucre';
import { AS_TEXT, UNCOMPUTED } from '../paste-table.ts';
import { MACROS, notATable, TableRefusal } from './file-kind.ts';
import type { Remarks } from './read-table.ts';
import { listParts } from './unzipped-size.ts';

const ROWS_MAX = 100_000;
const COLUMNS_MAX = 500;
const CELLS_MAX = 2_000_000;
/** Of one cell, as in Excel, and of all: many cells may refer to one text. */
const CELL_TEXT_MAX = 32_767;
const TEXT_MAX = 20_000_000;

export type WorkbookTable = { rows: string[][]; sheets: string[]; sheet: number; remarks: Remarks };
type Chosen = { sheet?: number | undefined; withHidden?: boolean | undefined };

/** A sheet of an .xlsx: the chosen one of those that can be seen and hold cells, or the one that was open last. */
export async function readWorkbook(bytes: Uint8Array, chosen: Chosen): Promise<WorkbookTable> {
  refuseOthers(listParts(bytes));
  const book = readBook(bytes);
  const sheets = book.sheets.filter(({ isShown }) => isShown);
  const open = sheets.findIndex(({ at }) => at === book.active);
  const sheet = sheets[chosen.sheet ?? -1] ? (chosen.sheet ?? 0) : Math.max(0, open);
  const at = sheets[sheet]?.at;
  if (at === undefined) throw new TableRefusal('시트가 없는 엑셀 파일입니다.');
  const read = await readXlsx(bytes, { sheets: (_info, index) => index === at, readStyles: true });
  return {
    ...tableOfSheet(read.sheets[0], chosen.withHidden, book.mustCompute),
    sheets: sheets.map(({ name }) => name),
    sheet,
  };
}

/** The largest table of a web page, which portals and banks call .xls. */
export function readHtml(html: string): WorkbookTable {
  const tables = html.match(/<table[\s>][\s\S]*?<\/table>/gi) ?? [];
  const [largest] = tables
    .map((table) => fromHtml(table, { typeInference: false, classes: false }))
    .sort((one, other) => cellsOf(other) - cellsOf(one));
  return { ...tableOfSheet(largest, true, false), sheets: [], sheet: 0 };
}

const cellsOf = ({ rows }: Sheet) => rows.reduce((sum, row) => sum + row.length, 0);

/** A zip may hold anything. */
function refuseOthers(names: readonly string[]): void {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (has(/vbaProject\.bin$/i)) throw new TableRefusal(MACROS);
  if (has(/^Contents\/section\d+\.xml$/i)) throw new TableRefusal(notATable('한글 문서'));
  if (has(/^word\//i)) throw new TableRefusal(notATable('워드 문서'));
  if (has(/^ppt\//i)) throw new TableRefusal(notATable('발표 자료'));
  if (has(/^content\.xml$/i)) throw new TableRefusal(notATable('ODS'));
  if (!has(/^\[Content_Types\]\.xml$/i) || has(/workbook\.bin$/i)) throw new TableRefusal(notATable('압축'));
}

type Book = {
  sheets: { name: string; at: number; isShown: boolean }[];
  active: number;
  /** The program that wrote it left all formulas to the one that opens it, with 0 in their place. */
  mustCompute: boolean;
};

/** What a workbook says about its sheets and hucre does not tell: which are charts, and whether formulas were computed. */
function readBook(bytes: Uint8Array): Book {
  const parts = unzipSync(bytes, {
    filter: ({ name }) => /(?:^|\/)(?:_rels\/)?workbook\.xml(?:\.rels)?$/i.test(name),
  });
  const textOf = (end: string) => {
    const [, part] = Object.entries(parts).find(([name]) => name.toLowerCase().endsWith(end)) ?? [];
    return part ? strFromU8(part) : '';
  };
  const workbook = textOf('workbook.xml');
  const worksheets = new Set(
    elements(textOf('workbook.xml.rels'), 'Relationship').flatMap(({ Type = '', Id = '' }) =>
      Type.endsWith('/worksheet') ? Id : [],
    ),
  );
  return {
    sheets: elements(workbook, 'sheet').map(({ name = '', id = '', state = '' }, at) => ({
      name,
      at,
      isShown: worksheets.has(id) && !/hidden/i.test(state),
    })),
    active: Number(elements(workbook, 'workbookView')[0]?.['activeTab'] ?? 0),
    mustCompute: /^(?:1|true)$/.test(elements(workbook, 'calcPr')[0]?.['fullCalcOnLoad'] ?? ''),
  };
}

/** The attributes of each element with a name, without their prefixes. */
function elements(xml: string, name: string): Partial<Record<string, string>>[] {
  const tags = xml.matchAll(new RegExp(String.raw`<(?:\w+:)?${name}\s([^>]*)>`, 'g'));
  return Array.from(tags, ([, attributes = '']) =>
    Object.fromEntries(
      Array.from(
        attributes.matchAll(/(?:\w+:)?(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g),
        ([, key = '', double, single = '']) => [key, unescaped(double ?? single)],
      ),
    ),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, code, hex, name) =>
    typeof name === 'string'
      ? (ENTITIES[name] ?? whole)
      : String.fromCodePoint(Number.parseInt(code ?? hex, code === undefined ? 16 : 10)),
  );

/** The cells by their values, merged ones in each of their rows, and what a look at the sheet would not show. */
function tableOfSheet(
  sheet: Sheet | undefined,
  withHidden = false,
  mustCompute = false,
): Pick<WorkbookTable, 'rows' | 'remarks'> {
  const remarks: Remarks = { ...AS_TEXT.remarks };
  if (!sheet) return { rows: [], remarks };
  const values = sheet.rows;
  const width = values.reduce((most, { length }) => Math.max(most, length), 0);
  if (values.length > ROWS_MAX || width > COLUMNS_MAX || values.length * width > CELLS_MAX) tooLarge();
  let size = 0;
  const rows = values.map((row, at) =>
    Array.from({ length: width }, (_, column) => {
      const { value = row[column] ?? null, type, style } = sheet.cells?.get(`${at},${column}`) ?? {};
      if (type === 'formula' && (value === null || (mustCompute && value === 0))) {
        remarks.uncomputed += 1;
        return UNCOMPUTED;
      }
      const text = cellText(value, style?.numFmt);
      size += text.length;
      if (text.length > CELL_TEXT_MAX || size > TEXT_MAX) tooLarge();
      return text;
    }),
  );
  for (const { startRow, endRow, startCol } of sheet.merges ?? []) {
    const text = rows[startRow]?.[startCol] ?? '';
    if (endRow === startRow || text === '') continue;
    remarks.merged += 1;
    for (const row of rows.slice(startRow + 1, endRow + 1)) row[startCol] = text;
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
  if (withHidden) return { rows, remarks };
  return {
    rows: rows
      .filter((_, at) => !hiddenRows.has(at))
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

function tooLarge(): never {
  throw new TableRefusal(
    `표가 너무 큽니다. ${ROWS_MAX.toLocaleString('ko')}행, ${COLUMNS_MAX}열까지 읽을 수 있습니다. 필요한 시트만 따로 저장하세요.`,
  );
}

/**
 * A cell as its value, whatever its number format makes of it: `-33000`, `89.4`, `2026-03-02`, `95%`. A format counts
 * where it alone holds the leading zeros of an id or telephone (`000-0000-0000`).
 */
function cellText(value: CellValue, format = 'General'): string {
  if (value === null) return '';
  if (value instanceof Date) return dateText(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string') return value;
  const digits = /^[0() -]{2,40}$/.test(format) ? zeroFilled(value, format) : undefined;
  if (digits !== undefined) return digits;
  return isPercent(format) ? `${plainNumber(value * 100)}%` : plainNumber(value);
}

/** With all its digits, of which a spreadsheet keeps fifteen. */
const plainNumber = (value: number) =>
  value.toLocaleString('en', { useGrouping: false, maximumSignificantDigits: 15 });

const isPercent = (format: string) =>
  format
    .slice(0, 200)
    .replace(/"[^"]*"|\\./g, '')
    .includes('%');

/** `010-1234-5678` of 1012345678 and `000-0000-0000`; undefined for what is no such number. */
function zeroFilled(value: number, format: string): string | undefined {
  const places = format.split('0').length - 1;
  if (places < 2 || !Number.isSafeInteger(value) || value < 0) return undefined;
  const digits = String(value).padStart(places, '0');
  let at = digits.length - places;
  const filled = format.replaceAll('0', () => digits[at++] ?? '');
  return `${digits.slice(0, digits.length - places)}${filled}`.trim();
}

const NO_DATE = '####';

/** `2026-03-02`, `2026-03-02 12:00`; of a time alone `12:00`. */
function dateText(date: Date): string {
  // Too large a number for a date, such as a student number. A spreadsheet shows the same instead of it.
  if (Number.isNaN(date.getTime())) return NO_DATE;
  const iso = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString();
  const time = iso.slice(11, iso.slice(17, 19) === '00' ? 16 : 19);
  if (date.getUTCFullYear() < 1900) return time;
  return time === '00:00' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`;
}
