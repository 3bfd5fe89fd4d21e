import type { CheckedRow } from '../../../components/import/import-kind.ts';
import { isDateWithoutYear, readAmount } from '../read-cell.ts';
import type { StatementField } from './bank-profiles.ts';
import { daysBetween } from './import-plan.ts';
import { isNotPaid, isNotPaidContent, isPaidMark, isUnpaidList, type NotedCell } from './not-paid.ts';
import { REFUND_WORDS } from './statement-amount.ts';
import type { StatementRow } from './ledger-kind.ts';
import { wonText } from '../labels.ts';

/* Checks that compare several rows of a statement. */

type Cells = CheckedRow<StatementField, StatementRow>['cells'];
type Row = Pick<CheckedRow<StatementField, StatementRow>, 'line' | 'cells' | 'row' | 'doubts'>;

const LABELS = ['date', 'description', 'memo', 'kind', 'category', 'direction'] as const;
const AMOUNTS = ['amount', 'deposit', 'withdrawal'] as const;
/** Matches a sum of the rows above: `합계`, `3월 소계`, `Total`; not a carried balance such as `전월이월`. */
const TOTAL = /^[^\p{L}\d]*(?:\d+월)?(?:[합총소누월]계|총합계|계|(?:sub|grand)?-?total)[^\p{L}\d]*$/iu;
const isTotal = (cells: Cells) =>
  LABELS.some((field) => TOTAL.test((cells[field] ?? '').replaceAll(' ', '')));
const MONEY_OUT = /출금|지출|인출|구입|구매|사용|expense|withdraw/i;
const NOTE_FIELDS: ReadonlySet<StatementField> = new Set(['memo', 'kind', 'direction', 'category']);
const MONEY_IN = /입금|수입|deposit/i;
const NOTE_MAX = 20;
/** If neighbouring rows are more than this many days apart, the year was probably misread. */
const LEAP_DAYS = 200;

type StatementChecks = {
  /** By line, what the user should check. */
  remarks: ReadonlyMap<number, string>;
  /** Lines that are left out unless the user ticks them. */
  leftOut: ReadonlySet<number>;
  /** How many totals in the statement differ from the sum of their rows. */
  wrongTotals: number;
};

/**
 * @param won how many won an amount of 1 is
 * @param merged texts of cells with a number that are merged over several rows
 * @param beside returns a line's notes and cells without a field, as label and text
 */
export function checkStatement(
  rows: readonly Row[],
  {
    won = 1,
    merged = [],
    beside = () => [],
  }: {
    won?: number | undefined;
    merged?: readonly string[] | undefined;
    beside?: (line: number) => readonly NotedCell[];
  } = {},
): StatementChecks {
  const remarks = new Map<number, string>();
  const leftOut = new Set<number>();
  const leaveOut = (line: number, remark: string) => {
    remarks.set(line, remark);
    leftOut.add(line);
  };
  let wrongTotals = 0;
  const all: StatementRow[] = [];
  const lines: number[] = [];
  let unpaidBelow: string | undefined;
  const seen = new Set<string>();
  let sinceTotal: StatementRow[] = [];
  const marked = new Set(
    rows.flatMap(({ line }) => beside(line).flatMap((note) => (isPaidMark(note) ? [note[0]] : []))),
  );
  for (const [at, { line, cells, row, doubts }] of rows.entries()) {
    const before = rows[at - 1];
    // Some totals include carried balances and planned payments, others only entries.
    const sums = () => [all, sinceTotal, entriesOf(all), entriesOf(sinceTotal)].map(sumsOf);
    if (isTotal(cells)) {
      const wrong = AMOUNTS.map((field) => ({
        field,
        total: Math.abs(readAmount(cells[field] ?? '') ?? 0) * won,
      }))
        .filter(({ total }) => total !== 0)
        .find(({ field, total }) => !sums().some((sum) => sum[field].includes(total)));
      if (wrong) {
        wrongTotals += 1;
        remarks.set(
          line,
          `위 행들의 금액을 더하면 ${wonText(wrong.total)}이 아닙니다. 금액과 빠진 행을 확인하세요.`,
        );
      }
      sinceTotal = [];
      continue;
    }
    const words = [...Object.values(cells), ...beside(line).map(([, text]) => text)].filter(
      (text) => text !== '',
    );
    if (words.length === 1) unpaidBelow = isUnpaidList(words[0] ?? '') ? words[0] : undefined;
    if (!row) continue;
    const statementKey = [
      row.entry.datetime,
      row.time,
      row.entry.amount,
      row.entry.description,
      row.balance,
    ].join();
    const isExact = row.balance !== undefined || /^(?!00:00:00)\d\d?:\d\d:\d\d/.test(row.time);
    if (isExact && seen.has(statementKey)) {
      leaveOut(line, '위에 시각이나 잔액까지 같은 행이 있어 제외했습니다. 거래라면 체크하세요.');
      continue;
    }
    seen.add(statementKey);
    if (unpaidBelow !== undefined) {
      leaveOut(line, `‘${unpaidBelow}’ 아래에 있어 제외했습니다. 거래라면 체크하세요.`);
      continue;
    }
    if (repeatsAmount(cells, before?.cells, merged)) {
      leaveOut(line, '윗줄과 병합된 금액이라 제외했습니다. 따로 낸 금액이면 체크하세요.');
      continue;
    }
    const notes = beside(line);
    // A row with a balance is from a bank, which lists a cancelled payment and its refund as two entries.
    const undone =
      row.balance === undefined &&
      doubts.length === 0 &&
      (notes.find((note) => isNotPaid(note) || (note[1].trim() === '' && marked.has(note[0]))) ??
        [['내용', cells.description ?? ''] as const].find(([, text]) => isNotPaidContent(text)));
    if (undone) {
      const [label, text] = undone;
      const words = text.trim() === '' ? `‘${label}’ 칸이 비어` : `‘${label} ${text}’라고 적혀`;
      leaveOut(line, `${words} 있어 제외했습니다. 거래라면 체크하세요.`);
      continue;
    }
    const contrary = row.entry.amount > 0 ? MONEY_OUT : MONEY_IN;
    const content = ['', cells.description ?? ''] as const;
    const note = [
      ...notes.filter(([, text]) => contrary.test(text) && !REFUND_WORDS.test(text)),
      ...(doubts.length === 0 && isContraryRefund(row) ? [content] : []),
    ].find(([, text]) => text.length <= NOTE_MAX);
    if (note)
      remarks.set(
        line,
        `‘${note[1]}’라고 적혀 있지만 ${row.entry.amount > 0 ? '입금' : '출금'}으로 읽었습니다. 확인하세요.`,
      );
    // Below a single row, an equal amount may be an equal payment and no sum, unless the text is a month.
    if (
      isNameless(row) &&
      all.length > (row.entry.description.includes('월') ? 0 : 1) &&
      sums().some(({ amount }) => amount.includes(Math.abs(row.entry.amount)))
    ) {
      leaveOut(line, EQUALS_SUM);
      sinceTotal = [];
      continue;
    }
    const [one, other] = all;
    if (
      at === rows.length - 1 &&
      all.length === 2 &&
      one &&
      other &&
      one.entry.amount + other.entry.amount === row.entry.amount
    )
      remarks.set(line, '위 두 행의 합계와 같은 금액입니다. 합계라면 체크를 푸세요.');
    if (
      before?.row &&
      isDateWithoutYear(cells.date ?? '') &&
      daysBetween(before.row.entry, row.entry) > LEAP_DAYS
    )
      remarks.set(line, '앞 행과 반년 넘게 떨어져 있습니다. 연도를 확인하세요.');
    all.push(row);
    lines.push(line);
    sinceTotal.push(row);
  }
  for (const at of strayDates(all)) {
    const line = lines[at];
    if (line !== undefined) remarks.set(line, '앞뒤 행과 반년 넘게 떨어져 있습니다. 연도를 확인하세요.');
  }
  for (const at of detailRows(all)) {
    const line = lines[at];
    if (line !== undefined)
      leaveOut(line, '윗줄 금액의 세부 내역으로 보여 제외했습니다. 따로 낸 금액이면 체크하세요.');
  }
  for (const line of lines.slice(firstClosing(all))) leaveOut(line, EQUALS_SUM);
  return { remarks, leftOut, wrongTotals };
}

/** Label and text of a row's cells that are notes or have no field. */
export const notesBeside = (
  cells: readonly string[],
  columns: readonly { at: number; label: string; field: StatementField | undefined }[],
): NotedCell[] =>
  columns.flatMap(({ at, label, field }) =>
    field === undefined || NOTE_FIELDS.has(field) ? [[label, cells[at] ?? '']] : [],
  );

const entriesOf = (list: readonly StatementRow[]) => list.filter(({ isLeftOut }) => !isLeftOut);

/** Indexes of rows whose date is far from those of both neighbours, which are close to each other. */
const strayDates = (rows: readonly StatementRow[]): number[] =>
  rows.flatMap(({ entry }, at) => {
    const [before, after] = [rows[at - 1]?.entry, rows[at + 1]?.entry];
    return before &&
      after &&
      daysBetween(before, after) <= LEAP_DAYS / 2 &&
      daysBetween(before, entry) > LEAP_DAYS &&
      daysBetween(entry, after) > LEAP_DAYS
      ? [at]
      : [];
  });

/** Indexes of rows such as `- 1차 삼겹살`, whose amounts together are that of the row above them. */
function detailRows(rows: readonly StatementRow[]): number[] {
  return rows.flatMap(({ entry }, at) => {
    const next = rows.slice(at + 1);
    const count = next.findIndex((row) => !/^[-–·└ㄴ>*]/.test(row.entry.description));
    const details = next.slice(0, count === -1 ? next.length : count);
    const sum = details.reduce((total, row) => total + row.entry.amount, 0);
    return details.length > 0 && sum === entry.amount ? details.map((_, index) => at + 1 + index) : [];
  });
}

const EQUALS_SUM = '위 행들의 합계와 같은 금액이라 제외했습니다. 거래라면 체크하세요.';
/** How many of the last rows may be totals: deposits, withdrawals, the rest, and the carried balance. */
const CLOSING_MAX = 6;
const SUMMED_MIN = 3;

/** Index of the first closing row. Closing rows equal a sum of the rows above, under any name, such as 넘김. */
function firstClosing(rows: readonly StatementRow[]): number {
  for (let at = Math.max(SUMMED_MIN, rows.length - CLOSING_MAX); at < rows.length; at++) {
    const { amount } = sumsOf(rows.slice(0, at));
    const isTotalRow = ({ entry, balance }: StatementRow) =>
      balance === undefined && amount.includes(Math.abs(entry.amount));
    if (rows.slice(at).every(isTotalRow)) return at;
  }
  return rows.length;
}

function sumsOf(rows: readonly StatementRow[]): Record<(typeof AMOUNTS)[number], number[]> {
  const amounts = rows.map(({ entry }) => entry.amount);
  const sum = (list: readonly number[]) => Math.abs(list.reduce((total, amount) => total + amount, 0));
  const deposit = sum(amounts.filter((amount) => amount > 0));
  const withdrawal = sum(amounts.filter((amount) => amount < 0));
  // A cancelled payment may reduce the other column, so the sum of both columns is also possible.
  const net = sum(amounts);
  return { deposit: [deposit, net], withdrawal: [withdrawal, net], amount: [deposit, withdrawal, net] };
}

/** Whether a refund has the wrong sign: a refund for goods costs money, or a refund of dues brings money. */
const isContraryRefund = ({ entry: { amount, description } }: StatementRow) =>
  REFUND_WORDS.test(description) && /회비|참가비|납부/.test(description) === amount > 0;

/** Whether the row repeats the amount of a cell merged over several rows, which together are one payment. */
const repeatsAmount = (cells: Cells, before: Cells | undefined, merged: readonly string[]) =>
  AMOUNTS.some((field) => merged.includes(cells[field] ?? '') && before?.[field] === cells[field]);

/** Whether the description is only a month or a word for a sum: `3월`, `3월 지출`. */
const isNameless = ({ entry }: StatementRow) =>
  /^(?:\d{1,2}월분?)?\s?(?:총?\s?(?:수입|지출|입금|출금|사용|마감|결산)(?:액|금액)?)?$/.test(
    entry.description,
  );
