import {
  dateProblem,
  datetimeOf,
  ENTRY_TEXT_FIELDS,
  isPlanned,
  textProblem,
  type LedgerEntryForm,
} from '#contract/ledger';
import { columnLabel } from '../../../components/import/columns.ts';
import type { Flag, ImportField, ImportKind, ReadRow } from '../../../components/import/import-kind.ts';
import { TITLE_ROWS, type PastedTable } from '../../../lib/paste-table.ts';
import { plainWords } from '../../../lib/search-text.ts';
import {
  amountCellProblem,
  dateOrders,
  openWriting,
  readAmount,
  readDate,
  type DateOrder,
  type OrderOf,
  type Writing,
} from '../read-cell.ts';
import { STATEMENT_FIELDS, USUAL_LABELS, type StatementField } from './bank-profiles.ts';
import { amountOf, directionOf, usualSign, type Cell, type Signs } from './statement-amount.ts';
import { statementColumns, type RememberedColumns } from './statement-columns.ts';

/** An entry as a statement's row says it, with the balance that is only compared. */
export type StatementRow = {
  entry: LedgerEntryForm;
  balance: number | undefined;
  /** Probably no entry: left out until somebody ticks it. Its doubts say why. */
  isLeftOut: boolean;
};

/** How this table is read; `profile` names the bank whose export it is, `open` are dates whose order somebody has to say. */
type LedgerKind = ImportKind<StatementField, StatementRow> & { profile?: string; open: Writing[] };

type Options = {
  today: string;
  /** The year of dates without one; by default such a date is the most recent one. */
  year: number | undefined;
  /** What somebody chose for dates that are written alike. */
  orders?: ReadonlyMap<string, DateOrder>;
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
  const writings = dateOrders(table.flat(), options.today);
  const usual = {
    orderOf: (writing: string) => {
      const [only, ...more] = writings.find((each) => each.writing === writing)?.orders ?? [];
      return options.orders?.get(writing) ?? (more.length > 0 ? undefined : only);
    },
    saysDirection: table.flat().some((cell) => directionOf(cell) !== undefined),
    signs: { deposit: usualSign(table, names.deposit), withdrawal: usualSign(table, names.withdrawal) },
  };
  return {
    ...(profile !== undefined && { profile }),
    open: writings.filter(({ orders }) => orders.length > 1),
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
    readRow: (cell) => readStatementRow(cell, { ...options, ...usual }),
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

type Reading = Pick<Options, 'today' | 'year'> & {
  orderOf: OrderOf;
  /** Whether the column beside the amount speaks of deposits and withdrawals. */
  saysDirection: boolean;
  signs: Signs;
};

/** Reads a row as it stands. Anything ambiguous is an error or left out with a doubt, rather than guessed. */
export function readStatementRow(
  cell: Cell,
  { today, year, orderOf, saysDirection, signs }: Reading,
): ReadRow<StatementField, StatementRow> {
  const date = readDate(cell('date'), today, year, orderOf);
  const { field: amountField, text, problem, doubt } = amountOf(cell, saysDirection, signs);
  const amount = readAmount(text);
  const description = statementWords({
    description: cell('description'),
    memo: cell('memo'),
    kind: cell('kind'),
  }).trim();
  const problems: [StatementField, string | undefined][] = [
    ['date', date === undefined ? unreadDate(cell('date'), orderOf) : dateProblem(date, today)],
    ['description', textProblem('description', description)],
    ['category', textProblem('category', cell('category'))],
    [amountField, problem ?? amountCellProblem(text)],
  ];
  const [first, ...more] = problems.flatMap(([field, reason]): Flag<StatementField>[] =>
    reason === undefined ? [] : [{ field, reason }],
  );
  if (first) return { errors: [first, ...more] };
  if (date === undefined || amount === undefined)
    throw new Error('a row without errors has a day and an amount');
  const balance = cell('balance') === '' ? undefined : readAmount(cell('balance'));
  const entry = { amount, datetime: datetimeOf(date), description, category: cell('category') };
  const reasons = leftOutFor(cell, cell(amountField), isPlanned(entry, today));
  return {
    row: { entry, balance, isLeftOut: reasons.length > 0 },
    doubts: [...reasons, ...(doubt === undefined ? [] : [{ field: amountField, reason: doubt }])],
  };
}

/** Sums and balances that a statement writes between its entries: `소계`, `전월이월`, `< 누 계 >`. */
const SUMS =
  /^[^\p{L}\d]*(?:(?:합|총|소|누|월|일|연|잔)계|계|(?:전|차|당|[전차당][기월년])이월(?:금액?)?|(?:기초|기말|전일|전월)잔[액고])[^\p{L}\d]*$/u;
/** What an unquoted `12,000` leaves in two cells. */
const HEAD_OF_NUMBER = /^[-+(△▲₩\\]*[1-9]\d{0,2}$/;
const REST_OF_NUMBER = /^\d{3}\)?$/;

function leftOutFor(cell: Cell, amount: string, isToCome: boolean): Flag<StatementField>[] {
  const words = (['description', 'memo', 'kind', 'category', 'direction'] as const).map(cell);
  const neighbours = (['memo', 'category', 'kind', 'balance', 'deposit'] as const).map(cell);
  const isSum = words.some((text) => SUMS.test(text.replaceAll(' ', '')));
  const isCut = HEAD_OF_NUMBER.test(amount) && neighbours.some((text) => REST_OF_NUMBER.test(text));
  const reasons = [
    isSum && '합계나 이월로 보여 제외했습니다. 거래라면 체크하세요',
    isToCome && '아직 오지 않은 날짜라 제외했습니다. 맞으면 체크하세요',
    isCut && '금액의 쉼표가 칸을 나눈 것 같아 제외했습니다. 금액을 확인하세요',
  ];
  return reasons.flatMap((reason) => (reason === false ? [] : [{ reason }]));
}

function unreadDate(cell: string, orderOf: OrderOf): string {
  const writing = openWriting(cell);
  const isOpen = writing !== undefined && orderOf(writing) === undefined;
  return isOpen ? '날짜의 순서를 고르세요' : '날짜를 알 수 없습니다';
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
