import {
  dateProblem,
  datetimeOf,
  ENTRY_TEXTS,
  textProblem,
  textsOf,
  type EntryText,
  type LedgerEntryForm,
} from '#contract/ledger';
import { oneLine, parsePaste } from '../../../lib/paste-table.ts';
import { amountCellProblem, readAmount, readDate } from '../read-cell.ts';
import type { StatementField } from './bank-profiles.ts';
import { statementColumns, type StatementColumns } from './statement-columns.ts';
import { statementWords } from './statement-words.ts';

export type Field = 'date' | EntryText | 'amount';
export type Cells = Record<Field, string>;

/** A pasted row: its cells as pasted, and the entry or its errors. */
export type PastedRow = {
  /** From 1, counting a header. */
  line: number;
  cells: Cells;
  entry?: LedgerEntryForm;
  problems: Partial<Record<Field, string>>;
};

/** Limit per import, because each row is a request. */
export const IMPORT_ROWS = 2000;

/** Titles may stand above the header. */
const TITLE_ROWS = 20;
const inOrder = { date: 0, description: 1, amount: 2 } as const;

/**
 * Parses the rows of a pasted table one by one. A header is optional; without one the columns are date, description and
 * amount. With one, the amount may be split into two columns or have its sign in a third, as banks export it.
 * @param year the year of dates without one; by default such a date is the most recent one
 */
export function readLedgerPaste(text: string, today: string, year?: number): PastedRow[] {
  const table = parsePaste(text);
  const headers = table.slice(0, TITLE_ROWS).map(statementColumns);
  const headerAt = headers.findIndex((found) => found !== undefined);
  const columns: StatementColumns['columns'] = headers[headerAt]?.columns ?? inOrder;
  return table.flatMap((row, index) => {
    if (index <= headerAt) return [];
    const cellOf = (field: StatementField) => oneLine(row[columns[field] ?? -1] ?? '');
    const amount =
      columns.deposit === undefined && columns.withdrawal === undefined
        ? ofKind(cellOf('direction'), cellOf('amount'))
        : ofTwoColumns(cellOf('deposit'), cellOf('withdrawal'));
    const description = statementWords({
      description: cellOf('description'),
      memo: cellOf('memo'),
      kind: cellOf('kind'),
    });
    const read = readRow(
      index + 1,
      { date: cellOf('date'), description, category: cellOf('category'), amount },
      today,
      year,
    );
    if (headerAt !== -1 || row.length <= 3) return [read];
    return [withProblem(read, 'amount', '열이 셋보다 많습니다. 제목 줄과 함께 붙여넣으세요')];
  });
}

/** Whether the text is not a table: every row has a single cell. */
export const isOneColumn = (rows: readonly PastedRow[]) =>
  rows.length > 0 && rows.every(({ cells }) => cells.description === '' && cells.amount === '');

/** The amount if exactly one of the two columns has one. Anything else stays unreadable. */
function ofTwoColumns(deposit: string, withdrawal: string): string {
  const [cameIn, wentOut] = [deposit, withdrawal].map((cell) => (/^-?$/.test(cell) ? 0 : readAmount(cell)));
  if (cameIn !== undefined && cameIn > 0 && wentOut === 0) return deposit;
  if (wentOut !== undefined && wentOut > 0 && cameIn === 0) return `-${withdrawal}`;
  return [deposit && `입금 ${deposit}`, withdrawal && `출금 ${withdrawal}`].filter(Boolean).join(' ');
}

/** The amount with the sign given by the column beside it; unreadable if its own sign contradicts it. */
function ofKind(kind: string, amount: string): string {
  const value = readAmount(amount) ?? 0;
  if (value > 0 && /^(출금|지급)$/.test(kind)) return `-${amount}`;
  return value < 0 && kind === '입금' ? `입금 ${amount}` : amount;
}

/** Parses cells as pasted or as corrected. */
export function readRow(line: number, cells: Cells, today: string, year?: number): PastedRow {
  const date = readDate(cells.date, today, year);
  const wrongDate = date === undefined ? '날짜를 알 수 없습니다' : dateProblem(date, today);
  const amount = readAmount(cells.amount);
  const wrongTexts = ENTRY_TEXTS.map((name) => [name, textProblem(name, cells[name].trim())] as const);
  const wrongAmount = amountCellProblem(cells.amount);
  const problems = {
    ...(wrongDate !== undefined && { date: wrongDate }),
    ...Object.fromEntries(wrongTexts.filter(([, problem]) => problem !== undefined)),
    ...(wrongAmount !== undefined && { amount: wrongAmount }),
  };
  if (date === undefined || amount === undefined || Object.keys(problems).length > 0)
    return { line, cells, problems };
  return {
    line,
    cells,
    problems,
    entry: { amount, datetime: datetimeOf(date), ...textsOf((name) => cells[name].trim()) },
  };
}

function withProblem({ line, cells, problems }: PastedRow, field: Field, problem: string): PastedRow {
  return { line, cells, problems: { ...problems, [field]: problem } };
}
