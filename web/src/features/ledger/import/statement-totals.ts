import { wonText } from '../labels.ts';
import { readAmount } from '../read-cell.ts';
import type { CheckedStatementRow, StatementRow } from './ledger-kind.ts';

/* Finds totals among a statement's rows, and compares them with the sums of the rows above. */

type Cells = CheckedStatementRow['cells'];

const LABELS = ['date', 'description', 'memo', 'kind', 'category', 'direction'] as const;
export const AMOUNTS = ['amount', 'deposit', 'withdrawal'] as const;
/** Matches a sum of the rows above: `합계`, `3월 소계`, `Total`; not a carried balance such as `전월이월`. */
const TOTAL = /^[^\p{L}\d]*(?:\d+월)?(?:[합총소누]계|총합계|계|(?:sub|grand)?-?total)[^\p{L}\d]*$/iu;

export const isTotal = (cells: Cells): boolean =>
  LABELS.some((field) => TOTAL.test((cells[field] ?? '').replaceAll(' ', '')));

/** What came in and what went out. */
export type Sum = { cameIn: number; wentOut: number };
export const NO_SUM: Sum = { cameIn: 0, wentOut: 0 };
export const plus = ({ cameIn, wentOut }: Sum, { entry: { amount } }: StatementRow): Sum =>
  amount > 0 ? { cameIn: cameIn + amount, wentOut } : { cameIn, wentOut: wentOut - amount };

/** The totals that a column may show below rows with this sum. */
function totalsOf({ cameIn, wentOut }: Sum, field: (typeof AMOUNTS)[number]): number[] {
  // A cancelled payment may reduce the other column, so the sum of both columns is also possible.
  const net = Math.abs(cameIn - wentOut);
  return { deposit: [cameIn, net], withdrawal: [wentOut, net], amount: [cameIn, wentOut, net] }[field];
}

export const isOneOf = (sums: readonly Sum[], amount: number): boolean =>
  sums.some((sum) => totalsOf(sum, 'amount').includes(Math.abs(amount)));

/** The remark on a row of totals with an amount that none of the sums has. */
export function wrongTotal(cells: Cells, won: number, sums: readonly Sum[]): string | undefined {
  for (const field of AMOUNTS) {
    const total = Math.abs(readAmount(cells[field] ?? '') ?? 0) * won;
    if (total !== 0 && !sums.some((sum) => totalsOf(sum, field).includes(total)))
      return `위 행들의 금액을 더하면 ${wonText(total)}이 아닙니다. 금액과 빠진 행을 확인하세요.`;
  }
  return undefined;
}

/** How many of the last rows may be totals: deposits, withdrawals, the rest, and the carried balance. */
const CLOSING_MAX = 6;
const SUMMED_MIN = 2;

/** The closing rows. Each equals a sum of the rows above them, under any name, such as 넘김. */
export function closingRows<Row extends StatementRow>(rows: readonly Row[]): Row[] {
  const [one = 0, other = 0, third] = rows.map(({ entry }) => entry.amount);
  // A single row below two others must equal both together, because one amount again is no total.
  const least = rows.length === 3 && one + other !== third ? rows.length : SUMMED_MIN;
  for (let at = Math.max(least, rows.length - CLOSING_MAX); at < rows.length; at++) {
    const sum = rows.slice(0, at).reduce(plus, NO_SUM);
    const isClosing = ({ entry, balance }: Row) => balance === undefined && isOneOf([sum], entry.amount);
    if (rows.slice(at).every(isClosing)) return rows.slice(at);
  }
  return [];
}
