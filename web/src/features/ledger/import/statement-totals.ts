import type { CheckedRow } from '../../../components/import/import-kind.ts';
import { readAmount } from '../read-cell.ts';
import type { StatementField } from './bank-profiles.ts';
import type { StatementRow } from './ledger-kind.ts';

type Cells = CheckedRow<StatementField, StatementRow>['cells'];
type Row = Pick<CheckedRow<StatementField, StatementRow>, 'line' | 'cells' | 'row'>;

const LABELS = ['date', 'description', 'memo', 'kind', 'category', 'direction'] as const;
const AMOUNTS = ['amount', 'deposit', 'withdrawal'] as const;
/** A sum of the rows above: `합계`, `3월 소계`, `Total`; not a carried balance such as `전월이월`. */
const TOTAL = /^[^\p{L}\d]*(?:\d+월)?(?:[합총소누월]계|총합계|계|(?:sub|grand)?-?total)[^\p{L}\d]*$/iu;
const isTotal = (cells: Cells) =>
  LABELS.some((field) => TOTAL.test((cells[field] ?? '').replaceAll(' ', '')));

/**
 * The statement's own totals that differ from the amounts above them, in won by line: an amount was misread,
 * or a row is missing.
 * @param won how many won an amount of 1 is
 */
export function wrongTotals(rows: readonly Row[], won = 1): Map<number, number> {
  const wrong = new Map<number, number>();
  const all: StatementRow[] = [];
  let sinceTotal: StatementRow[] = [];
  for (const { line, cells, row } of rows) {
    if (!isTotal(cells)) {
      if (row) for (const list of [all, sinceTotal]) list.push(row);
      continue;
    }
    // Some totals count carried balances and planned payments, others only entries.
    const entries = (list: readonly StatementRow[]) => list.filter(({ isLeftOut }) => !isLeftOut);
    const sums = [all, sinceTotal, entries(all), entries(sinceTotal)].map(sumsOf);
    for (const field of AMOUNTS) {
      const total = Math.abs(readAmount(cells[field] ?? '') ?? 0) * won;
      if (total !== 0 && !sums.some((sum) => sum[field].includes(total))) wrong.set(line, total);
    }
    sinceTotal = [];
  }
  return wrong;
}

function sumsOf(rows: readonly StatementRow[]): Record<(typeof AMOUNTS)[number], number[]> {
  const amounts = rows.map(({ entry }) => entry.amount);
  const sum = (list: readonly number[]) => Math.abs(list.reduce((total, amount) => total + amount, 0));
  const deposit = sum(amounts.filter((amount) => amount > 0));
  const withdrawal = sum(amounts.filter((amount) => amount < 0));
  // A payment taken back lessens the other column.
  const net = sum(amounts);
  return {
    deposit: [deposit, net],
    withdrawal: [withdrawal, net],
    amount: [deposit, withdrawal, net],
  };
}

/**
 * Lines that only repeat an amount of several merged rows, which is one payment.
 * @param merged numbers in merged cells, as their text
 */
export function repeatedAmounts(rows: readonly Row[], merged: readonly string[] = []): Set<number> {
  return new Set(
    rows.flatMap(({ line, cells }, at) =>
      AMOUNTS.some((field) => {
        const text = cells[field] ?? '';
        return merged.includes(text) && rows[at - 1]?.cells[field] === text;
      })
        ? [line]
        : [],
    ),
  );
}
