import {
  dateProblem,
  datetimeOf,
  ENTRY_TEXT_FIELDS,
  textProblem,
  type LedgerEntryForm,
} from '#contract/ledger';
import { columnLabel } from '../../../components/import/columns.ts';
import type { Flag, ImportField, ImportKind, ReadRow } from '../../../components/import/import-kind.ts';
import { TITLE_ROWS, type PastedTable } from '../../../lib/paste-table.ts';
import { plainWords } from '../../../lib/search-text.ts';
import { amountCellProblem, needsOrder, readAmount, readDate, type DateOrder } from '../read-cell.ts';
import { STATEMENT_FIELDS, USUAL_LABELS, type StatementField } from './bank-profiles.ts';
import { statementColumns, type RememberedColumns } from './statement-columns.ts';

/** An entry as a statement's row says it, with the balance that is only compared. */
export type StatementRow = { entry: LedgerEntryForm; balance: number | undefined };

/** How this table is read; `profile` names the bank whose export it is. */
type LedgerKind = ImportKind<StatementField, StatementRow> & { profile?: string };

type Options = {
  today: string;
  /** The year of dates without one; by default such a date is the most recent one. */
  year: number | undefined;
  /** How dates with a short year are written; undefined while nobody has decided it. */
  order: DateOrder | undefined;
  /** What somebody chose for its header before. */
  remembered?: RememberedColumns | undefined;
};

/** Limit per import, because each row is a request. */
const IMPORT_ROWS = 2000;

const FIELDS: Record<StatementField, Omit<ImportField<StatementField>, 'name' | 'names'>> = {
  date: { label: '날짜', presence: 'required', width: '10%' },
  description: {
    label: '내용 (받는분)',
    presence: 'expected',
    width: '18%',
    isRowHeader: true,
    maxLength: 200,
  },
  memo: { label: '메모 (내용 뒤에 추가)', presence: 'optional', width: '10%', maxLength: 200 },
  category: {
    label: '분류',
    presence: 'optional',
    width: '8%',
    maxLength: ENTRY_TEXT_FIELDS.category.maxLength,
    isShown: true,
  },
  kind: { label: '거래 방법', presence: 'optional', width: '8%', maxLength: 200 },
  amount: { label: '금액', presence: 'expected', width: '10%', align: 'end' },
  direction: { label: '입출금 구분', presence: 'optional', width: '6%' },
  deposit: { label: '입금액', presence: 'optional', width: '9%', align: 'end' },
  withdrawal: { label: '출금액', presence: 'optional', width: '9%', align: 'end' },
  balance: { label: '잔액 (확인용)', presence: 'optional', width: '9%', align: 'end' },
};

/** Without a header, more columns than these three do not say which they are. */
const IN_ORDER = ['date', 'description', 'amount'] as const;

/** How to read this table: by what was chosen for its header, by its bank, or by the usual names. */
export function ledgerKind(table: PastedTable, options: Options): LedgerKind {
  const { profile, names, unused } = headerNames(table, options.remembered);
  const hasTwoAmounts = names.deposit !== undefined || names.withdrawal !== undefined;
  const isShort = table.every((row) => row.length <= IN_ORDER.length);
  return {
    ...(profile !== undefined && { profile }),
    fields: STATEMENT_FIELDS.map((name) => ({
      name,
      names: names[name] ?? [],
      ...FIELDS[name],
      ...(name === 'amount' && hasTwoAmounts && { presence: 'optional' }),
    })),
    unused,
    ...(isShort && { withoutHeader: IN_ORDER }),
    rowsMax: IMPORT_ROWS,
    unit: '건',
    readRow: (cell) => readStatementRow(cell, options),
  };
}

type Names = Partial<Record<StatementField, readonly string[]>>;

function headerNames(
  table: PastedTable,
  remembered: Options['remembered'],
): { profile?: string; names: Names; unused: ReadonlySet<string> } {
  if (remembered) {
    const { header, fields } = remembered;
    return { names: namesOf(header, (field) => fields.indexOf(field)), unused: new Set() };
  }
  const first = table.slice(0, TITLE_ROWS);
  const read = first.flatMap((row) => {
    const found = statementColumns(row);
    return found ? [{ row, ...found }] : [];
  });
  // A header of two rows has the names of more columns in the second one.
  const most = Math.max(...read.map(({ columns }) => Object.keys(columns).length));
  const found =
    read.find(({ name }) => name !== undefined) ??
    read.find(({ columns }) => Object.keys(columns).length === most);
  if (!found) return { names: Object.fromEntries(USUAL_LABELS), unused: new Set() };
  const { name, row, columns } = found;
  return {
    ...(name !== undefined && { profile: name }),
    names: namesOf(row, (field) => columns[field]),
    unused: new Set(found.unused.map(columnLabel)),
  };
}

function namesOf(header: readonly string[], columnOf: (field: StatementField) => number | undefined): Names {
  return Object.fromEntries(
    STATEMENT_FIELDS.flatMap((field) => {
      const label = header[columnOf(field) ?? -1];
      return label === undefined ? [] : [[field, [label]]];
    }),
  );
}

type Cell = (field: StatementField) => string;

/** Reads a row as it stands. Anything ambiguous is an error rather than guessed. */
export function readStatementRow(
  cell: Cell,
  { today, year, order }: Pick<Options, 'today' | 'year' | 'order'>,
): ReadRow<StatementField, StatementRow> {
  const date = readDate(cell('date'), today, year, order);
  const { field: amountField, text } = amountOf(cell);
  const amount = readAmount(text);
  const description = statementWords({
    description: cell('description'),
    memo: cell('memo'),
    kind: cell('kind'),
  }).trim();
  const problems: [StatementField, string | undefined][] = [
    ['date', date === undefined ? unreadDate(cell('date'), order) : dateProblem(date, today)],
    ['description', textProblem('description', description)],
    ['category', textProblem('category', cell('category'))],
    [amountField, amountCellProblem(text)],
  ];
  const [first, ...more] = problems.flatMap(([field, reason]): Flag<StatementField>[] =>
    reason === undefined ? [] : [{ field, reason }],
  );
  if (first) return { errors: [first, ...more] };
  if (date === undefined || amount === undefined)
    throw new Error('a row without errors has a day and an amount');
  const balance = cell('balance') === '' ? undefined : readAmount(cell('balance'));
  return {
    row: { entry: { amount, datetime: datetimeOf(date), description, category: cell('category') }, balance },
  };
}

function unreadDate(cell: string, order: DateOrder | undefined): string {
  return order === undefined && needsOrder(cell) ? '날짜의 순서를 고르세요' : '날짜를 알 수 없습니다';
}

/** The amount with its sign, and the cell that is wrong when there is none. */
function amountOf(cell: Cell): { field: StatementField; text: string } {
  const [deposit, withdrawal, amount] = [cell('deposit'), cell('withdrawal'), cell('amount')];
  if (deposit === '' && withdrawal === '')
    return { field: 'amount', text: withDirection(cell('direction'), amount) };
  return {
    field: deposit === '' ? 'withdrawal' : 'deposit',
    text: ofTwoColumns(deposit, withdrawal),
  };
}

/** The amount if exactly one of the two columns has one. Anything else stays unreadable. */
function ofTwoColumns(deposit: string, withdrawal: string): string {
  const [cameIn, wentOut] = [deposit, withdrawal].map((cell) => (/^-?$/.test(cell) ? 0 : readAmount(cell)));
  if (cameIn !== undefined && cameIn > 0 && wentOut === 0) return deposit;
  // Some banks put a minus before every withdrawal.
  if (wentOut !== undefined && wentOut !== 0 && cameIn === 0)
    return wentOut < 0 ? withdrawal : `-${withdrawal}`;
  return [deposit && `입금 ${deposit}`, withdrawal && `출금 ${withdrawal}`].filter(Boolean).join(' ');
}

/** The amount with the sign given by the column beside it; unreadable if its own sign contradicts it. */
function withDirection(direction: string, amount: string): string {
  const value = readAmount(amount) ?? 0;
  if (value > 0 && /^(출금|지급)$/.test(direction)) return `-${amount}`;
  return value < 0 && direction === '입금' ? `입금 ${amount}` : amount;
}

/** Says no more than the sign of the amount does. */
const MERE_DIRECTION = /^(?:입금|출금|지급|입|출)$/;

/**
 * An entry's description: the payee first, then the memo, and the way of payment in brackets. Nothing is said twice, and
 * nothing that the statement says is dropped.
 */
export function statementWords({ description = '', memo = '', kind = '' }): string {
  const words = [description, memo].filter(hasWords).reduce<string[]>(withNew, []);
  const way = hasWords(kind) && !MERE_DIRECTION.test(kind) ? kind : '';
  const isNew = way !== '' && withNew(words, way).length > words.length;
  if (words.length === 0) return way === '' ? description : way;
  return isNew ? `${words.join(' ')} (${way})` : words.join(' ');
}

/** Banks put a dash where nothing was said. */
const hasWords = (text: string) => !/^[-–—]?$/.test(text.trim());

function withNew(words: string[], text: string): string[] {
  const said = plainWords(words.join(''));
  return said.includes(plainWords(text)) ? words : [...words, text];
}
