import {
  dateProblem,
  datetimeOf,
  ENTRY_TEXTS,
  textProblem,
  textsOf,
  type EntryText,
  type LedgerEntryForm,
} from '#contract/ledger';
import { findColumns, oneLine, parsePaste, type Synonyms } from '../../../lib/paste-table.ts';
import { amountCellProblem, readAmount, readDate } from '../read-cell.ts';

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

type Column = Field | 'deposit' | 'withdrawal' | 'kind';

const synonyms: Synonyms<Column> = {
  date: ['날짜', '일자', '일시', '거래일', '거래일자', '거래일시', 'date', 'datetime'],
  description: ['내용', '적요', '내역', '항목', '거래내용', 'description', 'memo'],
  amount: ['금액', '거래금액', 'amount'],
  deposit: ['입금', '입금액', '입금금액', '맡기신금액', 'deposit'],
  withdrawal: ['출금', '출금액', '출금금액', '지급금액', '찾으신금액', 'withdrawal'],
  kind: ['구분', '거래구분', '입출금구분'],
};
const inOrder: Partial<Record<Column, number>> = { date: 0, description: 1, amount: 2 };

/**
 * Parses the rows of a pasted table one by one. A header is optional; without one the columns are date, description and
 * amount. With one, the amount may be split into two columns or have its sign in a third, as banks export it.
 * @param year the year of dates without one; by default such a date is the most recent one
 */
export function readLedgerPaste(text: string, today: string, year?: number): PastedRow[] {
  const table = parsePaste(text);
  const found = findColumns(table[0] ?? [], synonyms);
  const hasAmount = found.amount !== undefined || (found.deposit ?? found.withdrawal) !== undefined;
  const hasHeader = found.date !== undefined && found.description !== undefined && hasAmount;
  const columns = hasHeader ? found : inOrder;
  return table.flatMap((row, index) => {
    if (hasHeader && index === 0) return [];
    const cellOf = (column: Column) => oneLine(row[columns[column] ?? -1] ?? '');
    const amount =
      columns.deposit === undefined && columns.withdrawal === undefined
        ? ofKind(cellOf('kind'), cellOf('amount'))
        : ofTwoColumns(cellOf('deposit'), cellOf('withdrawal'));
    const cells: Cells = { date: cellOf('date'), description: cellOf('description'), amount };
    const read = readRow(index + 1, cells, today, year);
    if (hasHeader || row.length <= 3) return [read];
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
