import { datetimeOf, DESCRIPTION_MAX, type LedgerEntryForm } from '#contract/ledger';
import { findColumns, oneLine, parsePaste, type Synonyms } from '../../lib/paste-table.ts';
import { amountProblem, readAmount, readDate } from './read-cell.ts';

export type Field = 'date' | 'description' | 'amount';
export type Cells = Record<Field, string>;

/** A pasted row: its cells as they stand, and the entry or what is wrong with them. */
export type PastedRow = {
  /** From 1, as pasted, a header counted. */
  line: number;
  cells: Cells;
  entry?: LedgerEntryForm;
  problems: Partial<Record<Field, string>>;
};

/** Most rows in one import: each is a request of its own. */
export const IMPORT_ROWS = 2000;

const synonyms: Synonyms<Field> = {
  date: ['날짜', '일자', '일시', '거래일', '거래일자', '거래일시', 'date', 'datetime'],
  description: ['내용', '적요', '내역', '항목', '거래내용', 'description', 'memo'],
  amount: ['금액', '거래금액', 'amount'],
};
const inOrder: Record<Field, number> = { date: 0, description: 1, amount: 2 };

/**
 * The rows of a pasted table, each read by itself. A header row is optional; without one the columns are date,
 * description, amount.
 * @param year of days that are written without one
 */
export function readLedgerPaste(text: string, year: number): PastedRow[] {
  const table = parsePaste(text);
  const found = findColumns(table[0] ?? [], synonyms);
  const { date, description, amount } = found;
  const hasHeader = date !== undefined && description !== undefined && amount !== undefined;
  const columns = hasHeader ? { date, description, amount } : inOrder;
  return table.flatMap((row, index) => {
    if (hasHeader && index === 0) return [];
    const cellOf = (field: Field) => oneLine(row[columns[field]] ?? '');
    const cells = { date: cellOf('date'), description: cellOf('description'), amount: cellOf('amount') };
    const read = readRow(index + 1, cells, year);
    if (hasHeader || row.length <= 3) return [read];
    return [withProblem(read, 'amount', '열이 셋보다 많습니다. 제목 줄과 함께 붙여넣으세요')];
  });
}

/** Reads the cells again, as they are pasted or mended. */
export function readRow(line: number, cells: Cells, year: number): PastedRow {
  const date = readDate(cells.date, year);
  const amount = readAmount(cells.amount);
  const description = cells.description.trim();
  const problems = {
    ...(date === undefined && { date: '날짜를 알 수 없습니다' }),
    ...descriptionProblem(description),
    ...(amountProblem(amount) !== undefined && { amount: amountProblem(amount) ?? '' }),
  };
  if (date === undefined || amount === undefined || Object.keys(problems).length > 0)
    return { line, cells, problems };
  return { line, cells, problems, entry: { amount, datetime: datetimeOf(date), description } };
}

function descriptionProblem(description: string): { description?: string } {
  if (description === '') return { description: '내용이 없습니다' };
  return description.length > DESCRIPTION_MAX ? { description: `내용은 ${DESCRIPTION_MAX}자까지입니다` } : {};
}

function withProblem({ line, cells, problems }: PastedRow, field: Field, problem: string): PastedRow {
  return { line, cells, problems: { ...problems, [field]: problem } };
}
