import { cellRef, colToLetter, dateToSerial, type Cell, type Sheet } from 'hucre';
import { TEXT_TABLE, UNCOMPUTED_CELL } from '../paste-table.ts';
import { cellText } from './cell-text.ts';
import { drawnCells } from './drawn-cells.ts';
import {
  CELL_TEXT_MAX,
  TABLE_CELLS_MAX,
  TABLE_COLUMNS_MAX,
  TABLE_ROWS_MAX,
  TABLE_TEXT_MAX,
  throwTooLarge,
} from './limits.ts';
import type { TableRemarkCounts } from './read-table.ts';
import { columnNumber } from './unzipped-size.ts';

/** A sheet's content, from hucre for an .xlsx, or from a web page. */
type ReadSheet = Pick<Sheet, 'rows' | 'cells' | 'merges' | 'rowDefs' | 'columns'>;
type SheetTable = { rows: string[][]; remarks: TableRemarkCounts };
type How = { withHidden?: boolean | undefined; mustCompute?: boolean; is1904?: boolean };

/** Matches a number, perhaps with a currency: a number in merged rows may be only one payment. */
const NUMBER = /^[^\p{L}\d]*\d[\d,.]*[^\p{L}\d]*원?$/u;

/** The texts of all cells, where each row of a merged cell repeats the text, and remarks about the sheet. */
export function tableOfSheet(sheet: ReadSheet | undefined, how: How = {}): SheetTable {
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
  const struckParts: string[] = [];
  const comments: string[] = [];
  const rows = values.map((row, at) =>
    Array.from({ length: width }, (_, column) => {
      const place = `${at},${column}`;
      if (uncomputed.has(place)) return UNCOMPUTED_CELL;
      const cell: Partial<Cell> = sheet.cells?.get(place) ?? {};
      const { value = row[column] ?? null, style, comment } = cell;
      if (comment) comments.push(`${at + 1}행 ‘${spend(comment.text.trim())}’`);
      const kept = unstruckText(cell);
      if (kept === '' && value !== null && value !== '') struck.add(at + 1);
      if (!kept) return spend(cellText(value, style?.numFmt, how.is1904));
      struckParts.push(spend(`${cellRef(at, column)} ‘${cellText(value)}’ → ‘${kept}’`));
      return spend(kept);
    }),
  );
  if (struck.size > 0) remarks.struckRows = [...struck];
  if (struckParts.length > 0) remarks.struckParts = struckParts;
  if (comments.length > 0) remarks.comments = comments;
  const drawn = drawnCells(sheet, rows, how.is1904 === true);
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
  if (hiddenRows.size > 0) remarks.hiddenRowNumbers = Array.from(hiddenRows, (at) => at + 1);
  if (hiddenColumns.size > 0)
    remarks.hiddenColumnNames = Array.from(hiddenColumns, (at) => {
      const first = rows.find((row) => row[at] !== '')?.[at];
      return `${colToLetter(at)}열 ‘${first}’`;
    });
  const drawnOtherwise = drawn.flatMap(({ row, column, cell, shown, read }) =>
    how.withHidden === true || !(hiddenRows.has(row) || hiddenColumns.has(column))
      ? spend(`${cell} ${shown === '' ? '빈 칸' : `‘${shown}’`} → ${read}`)
      : [],
  );
  if (drawnOtherwise.length > 0) remarks.drawnOtherwise = drawnOtherwise;
  if (how.withHidden === true) return { rows, remarks };
  return {
    rows: rows
      // A hidden row becomes an empty row, so that copied grades can be pasted beside the sheet.
      .map((row, at) => (hiddenRows.has(at) ? row.map(() => '') : row))
      .map((row) => row.filter((_, at) => !hiddenColumns.has(at))),
    remarks,
  };
}

/** A cell's text without its struck-out parts: empty if all is struck out, undefined if nothing is. */
function unstruckText({ richText = [], style }: Partial<Cell>): string | undefined {
  const isStruck = style?.font?.strikethrough === true;
  if (richText.length === 0) return isStruck ? '' : undefined;
  const kept = richText.filter(({ font }) => (font ? font.strikethrough !== true : !isStruck));
  return kept.length === richText.length
    ? undefined
    : kept
        .map(({ text }) => text)
        .join('')
        .trim();
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
