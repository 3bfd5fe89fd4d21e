import { isDittoMark, oneLine, labelKey, type ReadRows, UNCOMPUTED_CELL } from '../../lib/paste-table.ts';
import { fieldOfKind, isHeaderRow, reorderedColumns, type FoundColumns } from './columns.ts';
import type { CheckedRow, RowFlag, ImportKind } from './import-kind.ts';

const SLICE_MS = 12;
const TOTALS =
  /^(?:\d+월)?(?:합계|총계|소계|누계|요약|계|총원|총인원|인원수?|평균|total|subtotal|sum|average)(?:\d+명?)?$/;

/** The doubt about a quotation mark that is either a plain character or the start of a multi-line cell. */
const MARKS = { reason: '따옴표(")를 두 가지로 읽을 수 있는 행입니다' };

const DITTO_REASON = '따옴표만 있는 칸입니다. 위와 같다는 뜻이면 고치세요';

/** The error of a totals row, which needs no correction. */
export const TOTALS_ROW_TEXT = '합계 행입니다';

const OTHER_HEADER = '다른 머리글입니다. 아래 행은 따로 붙여넣으세요';
const BELOW_OTHER_HEADER = '다른 머리글 아래의 행입니다. 따로 붙여넣으세요';

/** Spreadsheet error values and unreadable cells: `#N/A`, `#REF!`, `####`. */
const NO_VALUE = /^#(?:REF!|N\/A|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!|SPILL!|CALC!|#+)$/;
const hasNoValue = (cell: string) => cell === UNCOMPUTED_CELL || NO_VALUE.test(cell);

export type CheckedCells<Field extends string> = CheckedRow<Field, unknown>['cells'];

/**
 * Reads all rows below the header in slices, so that the page stays responsive.
 * @throws the signal's reason if it is aborted
 */
export async function checkRows<Field extends string, Row>(
  kind: ImportKind<Field, Row>,
  { rows: table, doubtful }: ReadRows,
  { headerAt, columns }: FoundColumns<Field>,
  signal: AbortSignal,
): Promise<CheckedRow<Field, Row>[]> {
  const rows: CheckedRow<Field, Row>[] = [];
  const isDoubtful = new Set(doubtful);
  const nameField = kind.fields.find(({ isRowHeader }) => isRowHeader)?.name;
  const fieldOf = fieldOfKind(kind);
  let columnOf: ReadonlyMap<Field, number> | undefined = new Map(
    columns.flatMap(({ at, field }) => (field === undefined ? [] : [[field, at] as const])),
  );
  await nextTask();
  signal.throwIfAborted();
  let sliceEnd = performance.now() + SLICE_MS;
  for (const [index, row] of table.slice(headerAt + 1).entries()) {
    if (performance.now() > sliceEnd) {
      await nextTask();
      signal.throwIfAborted();
      sliceEnd = performance.now() + SLICE_MS;
    }
    const line = index + 1;
    const cells: Partial<Record<Field, string>> = {};
    // The row directly below the header is not taken as a header: it may be the second line of the labels.
    const isHeader = index > 0 && isHeaderRow(row, fieldOf);
    if (isHeader) columnOf = reorderedColumns(row, table[headerAt] ?? [], columns, fieldOf);
    if (columnOf === undefined) {
      const reason = isHeader ? OTHER_HEADER : BELOW_OTHER_HEADER;
      rows.push({ line, cells, row: undefined, errors: [{ reason }], doubts: [] });
      continue;
    }
    const doubts: RowFlag<Field>[] = isDoubtful.has(headerAt + line) ? [MARKS] : [];
    for (const [field, at] of columnOf) {
      cells[field] = oneLine(row[at] ?? '');
      if (field === nameField && row[at]?.includes('\n') === true)
        doubts.push({ field, reason: '줄바꿈이 있던 칸을 한 줄로 이었습니다' });
    }
    const hasMore = row
      .slice(Math.max(columns.length, ...[...columnOf.values()].map((at) => at + 1)))
      .some((cell) => cell !== '');
    const reason = `열이 ${columns.length}개보다 많습니다`;
    const checked = hasMore
      ? { line, cells, row: undefined, errors: [{ reason }], doubts: [] }
      : checkRow(kind, line, cells);
    rows.push(doubts.length > 0 ? { ...checked, doubts: [...checked.doubts, ...doubts] } : checked);
  }
  signal.throwIfAborted();
  return rows;
}

export function checkRow<Field extends string, Row>(
  kind: ImportKind<Field, Row>,
  line: number,
  cells: CheckedCells<Field>,
): CheckedRow<Field, Row> {
  const [wrong, ...more] = kind.fields.flatMap(({ name }): RowFlag<Field>[] =>
    hasNoValue(cells[name] ?? '') ? [{ field: name, reason: '엑셀에 값이 없는 칸입니다' }] : [],
  );
  if (wrong) return { line, cells, row: undefined, errors: [wrong, ...more], doubts: [] };
  const read = kind.readRow((field) => cells[field] ?? '');
  if ('row' in read) {
    const marks = kind.fields.flatMap(({ name }): RowFlag<Field>[] => {
      const cell = cells[name] ?? '';
      if (cell.includes('\ufffd')) return [{ field: name, reason: '저장하면서 깨진 글자로 보입니다' }];
      return isDittoMark(cell) ? [{ field: name, reason: DITTO_REASON }] : [];
    });
    const doubts = [...(read.doubts ?? []), ...marks];
    return { line, cells: { ...cells, ...read.cells }, row: read.row, errors: [], doubts };
  }
  const errors = isTotals(kind, cells) ? [{ reason: TOTALS_ROW_TEXT }] : read.errors;
  return { line, cells, row: undefined, errors, doubts: [] };
}

/** If keys must be unique, the second and later rows with the same key become errors. */
export function markDuplicates<Field extends string, Row>(
  { once }: Pick<ImportKind<Field, Row>, 'once'>,
  rows: readonly CheckedRow<Field, Row>[],
): readonly CheckedRow<Field, Row>[] {
  if (!once) return rows;
  const lineOf = new Map<string, number>();
  return rows.map((checked) => {
    if (checked.row === undefined) return checked;
    const key = once.keyOf(checked.row);
    const first = lineOf.get(key);
    if (first === undefined) {
      lineOf.set(key, checked.line);
      return checked;
    }
    const twin: RowFlag<Field> = { field: once.field, reason: once.reason(first, checked.row) };
    return { ...checked, row: undefined, errors: [twin] };
  });
}

/** A totals row contains a word such as “합계”, and its first required field holds no number. */
function isTotals<Field extends string, Row>(
  kind: ImportKind<Field, Row>,
  cells: CheckedCells<Field>,
): boolean {
  const key = kind.fields.find(({ presence }) => presence === 'required');
  if (key && /\d{4}/.test(cells[key.name] ?? '')) return false;
  return kind.fields.some(({ name }) => TOTALS.test(labelKey(cells[name] ?? '')));
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
