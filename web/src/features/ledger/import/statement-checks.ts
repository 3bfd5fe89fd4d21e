import type { StatementField } from './bank-profiles.ts';
import { balanceGaps, daysBetween, isOtherBalance, type BalanceGap } from './import-plan.ts';
import type { StatementRow } from './ledger-kind.ts';
import { readAmount } from '../read-cell.ts';
import { isPaidMark, isUnpaidList, type NotedCell } from './not-paid.ts';
import {
  EQUALS_SUM,
  keyOf,
  LEAP_DAYS,
  reasonToLeaveOut,
  remarkOn,
  repeatsAmount,
  type Row,
} from './row-rules.ts';
import { closingRows, isTotal, NO_SUM, plus, wrongTotal } from './statement-totals.ts';

/* Checks that compare several rows of a statement. */

type StatementChecks = {
  /** By line, what the user should check. */
  remarks: ReadonlyMap<number, string>;
  /** Lines that are left out unless the user ticks them. */
  leftOut: ReadonlySet<number>;
  /** How many totals in the statement differ from the sum of their rows. */
  wrongTotals: number;
  /** By line, balances that do not follow from the row before. */
  gaps: ReadonlyMap<number, BalanceGap>;
  /** Whether the balances are not the account's, so that they are not compared. */
  isOtherBalance: boolean;
  /** The sum of a column of fees, which is not read. */
  fees: number;
};

type Options = {
  /** How many won an amount of 1 is. */
  won?: number | undefined;
  /** Texts of cells with a number that are merged over several rows. */
  merged?: readonly string[] | undefined;
  /** Returns a line's notes and cells without a field, as label and text. */
  beside?: (line: number) => readonly NotedCell[];
};

export function checkStatement(
  rows: readonly Row[],
  { won = 1, merged = [], beside = () => [] }: Options = {},
): StatementChecks {
  const remarks = new Map<number, string>();
  const leftOut = new Set<number>();
  const leaveOut = (line: number, remark: string) => {
    remarks.set(line, remark);
    leftOut.add(line);
  };
  const paidLabels = new Set(
    rows.flatMap(({ line }) => beside(line).flatMap((note) => (isPaidMark(note) ? [note[0]] : []))),
  );
  const amountLabels = labelsOfAmount(rows, beside, won);
  const { gaps, isOther } = compareBalances(rows);
  const seen = new Set<string>();
  const above: Entry[] = [];
  const table = { rows, merged, paidLabels, amountLabels, above, won };
  // Some totals include carried balances and planned payments, others only entries; some only a month.
  let [all, entries, part, partEntries] = [NO_SUM, NO_SUM, NO_SUM, NO_SUM];
  const startPart = () => {
    [part, partEntries] = [NO_SUM, NO_SUM];
  };
  let wrongTotals = 0;
  let unpaidTitle: string | undefined;
  for (const [at, { line, cells, row: read, doubts }] of rows.entries()) {
    const sums = [all, entries, part, partEntries];
    if (isTotal(cells)) {
      const remark = wrongTotal(cells, won, sums);
      if (remark !== undefined) {
        wrongTotals += 1;
        remarks.set(line, remark);
      }
      startPart();
      continue;
    }
    const notes = beside(line);
    const [text, ...more] = [...Object.values(cells), ...notes.map((note) => note[1])].filter(Boolean);
    if (text !== undefined && more.length === 0) unpaidTitle = isUnpaidList(text) ? text : undefined;
    if (!read) continue;
    const row = isOther ? { ...read, balance: undefined } : read;
    const isRepeated = seen.has(keyOf(row));
    const place = { ...table, at, cells, row, doubts, notes, sums, unpaidTitle, isRepeated };
    const reason = reasonToLeaveOut(place);
    seen.add(keyOf(row));
    if (reason !== undefined) {
      leaveOut(line, reason);
      if (reason === EQUALS_SUM) startPart();
      continue;
    }
    const remark = remarkOn(place);
    if (remark !== undefined) remarks.set(line, remark);
    above.push({ ...row, line });
    [all, part] = [plus(all, row), plus(part, row)];
    if (!row.isLeftOut) [entries, partEntries] = [plus(entries, row), plus(partEntries, row)];
  }
  for (const { line } of unorderedDates(above))
    remarks.set(line, '앞뒤 행과 두 달 넘게 떨어져 있습니다. 날짜를 확인하세요.');
  for (const { line } of strayDates(above))
    remarks.set(line, '다른 행들과 반년 넘게 떨어져 있습니다. 연도를 확인하세요.');
  for (const { line } of detailRows(above))
    leaveOut(line, '윗줄 금액의 세부 내역으로 보여 제외했습니다. 따로 낸 금액이면 체크하세요.');
  const closing = closingRows(above);
  for (const { line, isLeftOut } of closing) {
    // Below only two entries, equal amounts may be chance.
    if (closing.length < above.length - 2) leaveOut(line, EQUALS_SUM);
    else if (!isLeftOut) remarks.set(line, '위 두 행의 합계와 같은 금액입니다. 합계라면 체크를 푸세요.');
  }
  const fees = feesIn(above.flatMap(({ line }) => beside(line))) * won;
  return { remarks, leftOut, wrongTotals, gaps, isOtherBalance: isOther, fees };
}

function compareBalances(rows: readonly Row[]) {
  const balances = rows.flatMap(({ line, row }) =>
    row?.balance === undefined ? [] : [{ line, amount: row.entry.amount, balance: row.balance }],
  );
  const gaps = balanceGaps(balances);
  const isOther = isOtherBalance(balances, gaps);
  return { gaps: new Map(isOther ? [] : gaps.map((gap) => [gap.line, gap])), isOther };
}

/** The sum of the cells in a column with the fee of each payment. */
const feesIn = (notes: readonly NotedCell[]) =>
  notes
    .filter(([label]) => /수수료\s?금?액?(?:\([^)]*\))?$|^fees?\b/i.test(label))
    .reduce((sum, [, text]) => sum + Math.abs(readAmount(text) ?? 0), 0);

type Entry = StatementRow & { line: number };

const NOTE_FIELDS: ReadonlySet<StatementField> = new Set(['memo', 'kind', 'direction', 'category']);

/** Label and text of a row's cells that are notes or have no field. */
export const notesBeside = (
  cells: readonly string[],
  columns: readonly { at: number; label: string; field: StatementField | undefined }[],
): NotedCell[] =>
  columns.flatMap(({ at, label, field }) =>
    field === undefined || NOTE_FIELDS.has(field) ? [[label, cells[at] ?? '']] : [],
  );

/** A few rows of this share whose dates are half a year from all others are probably mistyped. */
const FEW = 0.2;
const ROWS_OF_DATES_MIN = 5;

/** Few rows whose dates are more than half a year before or after the dates of all other rows. */
function strayDates(rows: readonly Entry[]): Entry[] {
  if (rows.length < ROWS_OF_DATES_MIN) return [];
  const sorted = rows.toSorted((a, b) => a.entry.datetime.localeCompare(b.entry.datetime));
  const most = Math.max(1, Math.floor(rows.length * FEW));
  const isFar = (at: number) => {
    const [one, other] = [sorted[at - 1]?.entry, sorted[at]?.entry];
    return one !== undefined && other !== undefined && daysBetween(one, other) > LEAP_DAYS;
  };
  const first = sorted.findIndex((_, at) => at > 0 && at <= most && isFar(at));
  const last = sorted.findLastIndex((_, at) => at >= sorted.length - most && isFar(at));
  return [...sorted.slice(0, Math.max(0, first)), ...(last === -1 ? [] : sorted.slice(last))];
}

const MONTH_DAYS = 31;
/** Share of the steps from row to row that lead the same way in a list in the order of its dates. */
const ORDERED = 0.8;

/**
 * Rows that are far from both neighbours, which are close to each other: half a year, or two months in a list in
 * the order of its dates.
 */
function unorderedDates(rows: readonly Entry[]): Entry[] {
  const steps = rows.slice(1).map(({ entry }, at) => entry.datetime >= (rows[at]?.entry.datetime ?? ''));
  const rising = steps.filter(Boolean).length;
  const isOrdered = Math.max(rising, steps.length - rising) >= steps.length * ORDERED;
  const far = isOrdered ? 2 * MONTH_DAYS : LEAP_DAYS;
  return rows.filter(({ entry }, at) => {
    const [before, after] = [rows[at - 1]?.entry, rows[at + 1]?.entry];
    if (!before || !after || daysBetween(before, after) > far / 2) return false;
    return [before, after].every((other) => daysBetween(other, entry) > far);
  });
}

/** Rows such as `- 1차 삼겹살`, whose amounts together are that of the row above them. */
function detailRows(rows: readonly Entry[]): Entry[] {
  const found: Entry[] = [];
  let details: Entry[] = [];
  let sum = 0;
  for (const row of rows.toReversed()) {
    if (details.length > 0 && sum === row.entry.amount) found.push(...details);
    if (/^[-–·└ㄴ>*]/.test(row.entry.description)) {
      details.push(row);
      sum += row.entry.amount;
    } else [details, sum] = [[], 0];
  }
  return found.toReversed();
}

const ROWS_MIN = 3;

/** Labels of unread columns, such as 실지급액, that repeat the amount in most rows but not in all. */
function labelsOfAmount(
  rows: readonly Row[],
  beside: NonNullable<Options['beside']>,
  won: number,
): ReadonlySet<string> {
  const same = new Map<string, number>();
  const read = rows.flatMap(({ line, row }) => (row ? [{ line, row }] : []));
  for (const { line, row } of read) {
    for (const [label, text] of beside(line))
      if (repeatsAmount(text, row, won)) same.set(label, (same.get(label) ?? 0) + 1);
  }
  const isMost = (count: number) => count >= ROWS_MIN - 1 && count * 3 >= read.length * 2;
  return new Set(
    [...same].flatMap(([label, count]) => (isMost(count) && read.length >= ROWS_MIN ? [label] : [])),
  );
}
