import { isDateWithoutYear, readAmount } from '../read-cell.ts';
import { moneyUnit } from '../../../lib/money-unit.ts';
import { daysBetween } from './import-plan.ts';
import type { CheckedStatementRow, StatementRow } from './ledger-kind.ts';
import { isNotPaid, isNotPaidContent, isRefundToCome, type NotedCell } from './not-paid.ts';
import { REFUND_WORDS } from './statement-amount.ts';
import { AMOUNTS, isOneOf, type Sum } from './statement-totals.ts';

export type Row = Pick<CheckedStatementRow, 'line' | 'cells' | 'row' | 'doubts'>;

/** A row that could be read, with what the rules know of the table and of the rows above. */
type Place = Pick<Row, 'cells' | 'doubts'> & {
  rows: readonly Row[];
  /** Texts of cells with a number that are merged over several rows. */
  merged: readonly string[];
  /** Labels of columns that mark paid rows. */
  paidLabels: ReadonlySet<string>;
  /** How many won an amount of 1 is. */
  won: number;
  /** Labels of unread columns that have the amount in most rows. */
  amountLabels: ReadonlySet<string>;
  /** The rows above that count as entries, and the sums that a total below them may show. */
  above: readonly StatementRow[];
  sums: readonly Sum[];
  /** Whether an equal row stands above. */
  isRepeated: boolean;
  /** The row's index in `rows`. */
  at: number;
  row: StatementRow;
  /** The row's notes and cells without a field. */
  notes: readonly NotedCell[];
  /** The title above this row that says that nothing below is paid. */
  unpaidTitle: string | undefined;
};

/** Returns what to tell the user about a row that the rule applies to. */
type Rule = (place: Place) => string | false | undefined;

/** The remark of the first rule that applies. */
function remarkBy(rules: readonly Rule[], place: Place): string | undefined {
  for (const rule of rules) {
    const remark = rule(place);
    if (remark) return remark;
  }
  return undefined;
}

export const keyOf = ({ entry, time, balance }: StatementRow): string =>
  [entry.datetime, time, entry.amount, entry.description, balance].join();

/** Without a balance or a time of day, two equal rows may be two payments. */
const repeatsRow: Rule = ({ row, isRepeated }) =>
  isRepeated &&
  (row.balance !== undefined || /^(?!00:00:00)\d\d?:\d\d:\d\d/.test(row.time)) &&
  '위에 시각이나 잔액까지 같은 행이 있어 제외했습니다. 거래라면 체크하세요.';

const isBelowUnpaidTitle: Rule = ({ unpaidTitle }) =>
  unpaidTitle !== undefined && `‘${unpaidTitle}’ 아래에 있어 제외했습니다. 거래라면 체크하세요.`;

/** The amount of a cell merged over several rows, which together are one payment. */
const repeatsMergedAmount: Rule = ({ cells, rows, at, merged }) =>
  AMOUNTS.some(
    (field) => merged.includes(cells[field] ?? '') && rows[at - 1]?.cells[field] === cells[field],
  ) && '윗줄과 병합된 금액이라 제외했습니다. 따로 낸 금액이면 체크하세요.';

const saysNotPaid: Rule = ({ row, cells, doubts, notes, paidLabels }) => {
  // A row with a balance is from a bank, which lists a cancelled payment and its refund as two entries.
  if (row.balance !== undefined || doubts.length > 0) return undefined;
  const isEmptyMark = ([label, text]: NotedCell) => text.trim() === '' && paidLabels.has(label);
  const content = cells.description ?? '';
  const [label, text] =
    notes.find((note) => (isNotPaid(note) && !isRefundToCome(note)) || isEmptyMark(note)) ??
    (isNotPaidContent(content) ? ['내용', content] : []);
  if (label === undefined || text === undefined) return undefined;
  const words = text.trim() === '' ? `‘${label}’ 칸이 비어` : `‘${label} ${text}’ 표시가`;
  return `${words} 있어 제외했습니다. 거래라면 체크하세요.`;
};

export const EQUALS_SUM = '위 행들의 합계와 같은 금액이라 제외했습니다. 거래라면 체크하세요.';
/** A description that is only a month or a word for a sum: `3월`, `3월 지출`. */
const NAMELESS = /^(?:\d{1,2}월분?)?\s?(?:총?\s?(?:수입|지출|입금|출금|사용|마감|결산)(?:액|금액)?)?$/;

const isNamelessSum: Rule = ({ row, above, sums }) => {
  const { description } = row.entry;
  // Below a single row, an equal amount may be an equal payment and no sum, unless the text is a month.
  const isEnough = above.length > (description.includes('월') ? 0 : 1);
  return NAMELESS.test(description) && isEnough && isOneOf(sums, row.entry.amount) && EQUALS_SUM;
};

/** A row that one of these rules applies to is left out unless the user ticks it. */
const LEFT_OUT_RULES: readonly Rule[] = [
  repeatsRow,
  isBelowUnpaidTitle,
  repeatsMergedAmount,
  saysNotPaid,
  isNamelessSum,
];
export const reasonToLeaveOut = (place: Place) => remarkBy(LEFT_OUT_RULES, place);

/** If neighbouring rows are more than this many days apart, the year was probably misread. */
export const LEAP_DAYS = 200;

const isFarFromRowAbove: Rule = ({ row, cells, rows, at }) => {
  const before = rows[at - 1]?.row;
  const isFar =
    before && isDateWithoutYear(cells.date ?? '') && daysBetween(before.entry, row.entry) > LEAP_DAYS;
  return isFar && '앞 행과 반년 넘게 떨어져 있습니다. 연도를 확인하세요.';
};

const saysRefundToCome: Rule = ({ cells, notes }) => {
  const note = [...notes, ['내용', cells.description ?? ''] as const].find(isRefundToCome);
  return note && `‘${note.join(' ')}’ 표시가 있습니다. 환불이나 취소가 끝났는지 확인하세요.`;
};

const isWrittenTwice: Rule = ({ isRepeated }) =>
  isRepeated && '위에 날짜, 내용, 금액이 같은 행이 있습니다. 두 번 적혔는지 확인하세요.';

const MONEY_OUT = /출금|지출|인출|구입|구매|사용|expense|withdraw/i;
const MONEY_IN = /입금|수입|deposit/i;
const NOTE_MAX = 20;

const saysOtherDirection: Rule = ({ row, cells, doubts, notes }) => {
  const [contrary, own] = row.entry.amount > 0 ? [MONEY_OUT, '입금'] : [MONEY_IN, '출금'];
  const texts = notes
    .map(([, text]) => text)
    .filter((text) => contrary.test(text) && !REFUND_WORDS.test(text));
  if (doubts.length === 0 && isContraryRefund(row)) texts.push(cells.description ?? '');
  const said = texts.find(({ length }) => length <= NOTE_MAX);
  return said !== undefined && `‘${said}’ 표시가 있지만 ${own}으로 읽었습니다. 확인하세요.`;
};

/** Whether a refund has the wrong sign: a refund for goods costs money, or a refund of dues brings money. */
const isContraryRefund = ({ entry: { amount, description } }: StatementRow) =>
  REFUND_WORDS.test(description) && /회비|참가비|납부/.test(description) === amount > 0;

/** Whether a cell has the row's amount, with or without its sign, in the table's unit of `won`. */
export const repeatsAmount = (text: string, { entry }: StatementRow, won: number): boolean =>
  Math.round(Math.abs(readAmount(text) ?? 0) * won) === Math.abs(entry.amount);

const saysOtherAmount: Rule = ({ row, notes, amountLabels, won }) => {
  const other = notes.find(([label, text]) => amountLabels.has(label) && !repeatsAmount(text, row, won));
  return other && `‘${other.join(' ')}’ 표시가 있습니다. 금액을 확인하세요.`;
};

/** A payment of `$199` whose amount is 199 was probably not in won. */
const isForeignAmount: Rule = ({ row, cells, notes }) => {
  const texts = [cells.description ?? '', ...notes.map(([, text]) => text)];
  const hasAmount = (text: string) =>
    (text.match(/\d[\d,.]*/g) ?? []).some((number) => readAmount(number) === Math.abs(row.entry.amount));
  const said = texts.find((text) => moneyUnit(text)?.won === 0 && hasAmount(text));
  return said !== undefined && `‘${said}’의 금액이 외화일 수 있습니다. 원화 금액인지 확인하세요.`;
};

/** A row that one of these rules applies to is only marked. */
const MARKED_RULES: readonly Rule[] = [
  isFarFromRowAbove,
  saysRefundToCome,
  saysOtherDirection,
  saysOtherAmount,
  isForeignAmount,
  isWrittenTwice,
];
export const remarkOn = (place: Place) => remarkBy(MARKED_RULES, place);
