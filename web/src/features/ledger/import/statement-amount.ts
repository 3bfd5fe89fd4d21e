import type { PastedTable } from '../../../lib/paste-table.ts';
import { readAmount } from '../read-cell.ts';
import type { StatementField } from './bank-profiles.ts';

export type Cell = (field: StatementField) => string;

type Sign = 'plus' | 'minus' | undefined;
export type AmountSigns = { deposit: Sign; withdrawal: Sign };

/**
 * Whether a column's minus sign is only notation, because all its amounts have one or because the balance
 * falls by them; undefined if the column is unknown.
 */
export function usualSign(
  table: PastedTable,
  labels: readonly string[] = [],
  balances: readonly string[] = [],
): Sign {
  const headerAt = table.findIndex((row) => row.some((cell) => labels.includes(cell)));
  const columnOf = (names: readonly string[]) =>
    table[headerAt]?.findIndex((cell) => names.includes(cell)) ?? -1;
  const [at, balanceAt] = [columnOf(labels), columnOf(balances)];
  if (at === -1) return undefined;
  const rows = table.slice(headerAt + 1);
  const amountIn = (row: readonly string[] | undefined, column: number) => readAmount(row?.[column] ?? '');
  const isPlus = rows.some((row) => (amountIn(row, at) ?? 0) > 0);
  const goesDown = rows.some((row, place) => {
    const [amount = 0, balance = Number.NaN] = [amountIn(row, at), amountIn(row, balanceAt)];
    // The previous balance is in the row above or below, depending on the statement's order.
    const beside = [rows[place - 1], rows[place + 1]].map((other) => amountIn(other, balanceAt));
    const steps = new Set(beside.map((other = Number.NaN) => balance - other));
    return amount < 0 && steps.has(amount) && !steps.has(-amount);
  });
  return isPlus && !goesDown ? 'plus' : 'minus';
}

type Amount = {
  /** The field with the error if there is no amount. */
  field: StatementField;
  /** The amount with its sign. */
  text: string;
  problem?: string | undefined;
  doubt?: string | undefined;
};

export function amountOf(cell: Cell, saysDirection: boolean, signs: AmountSigns): Amount {
  const [deposit, withdrawal, amount] = [cell('deposit'), cell('withdrawal'), cell('amount')];
  if (deposit === '' && withdrawal === '') {
    // Some banks put 입금 into the column for the way of payment.
    const word = cell('direction') || cell('kind');
    return ofOneColumn(word, amount, saysDirection);
  }
  return ofTwoColumns(deposit, withdrawal, signs);
}

/**
 * The amount if exactly one of the two columns has one; otherwise unreadable. A minus among unsigned amounts
 * cancels a payment.
 */
function ofTwoColumns(deposit: string, withdrawal: string, signs: AmountSigns): Amount {
  const [cameIn, wentOut] = [deposit, withdrawal].map((cell) => (/^-?$/.test(cell) ? 0 : readAmount(cell)));
  const isTakenBack = cameIn !== undefined && cameIn < 0 && signs.deposit === 'plus';
  if (cameIn !== undefined && (cameIn > 0 || isTakenBack) && wentOut === 0) {
    const doubt = isTakenBack ? '입금 취소로 읽었습니다' : undefined;
    return { field: 'deposit', text: String(cameIn), doubt };
  }
  if (wentOut !== undefined && wentOut !== 0 && cameIn === 0) {
    const field = 'withdrawal';
    // Some banks put a minus before every withdrawal.
    if (wentOut > 0 || signs.withdrawal === 'minus') return { field, text: `-${Math.abs(wentOut)}` };
    if (signs.withdrawal === 'plus')
      return { field, text: String(-wentOut), doubt: '출금 취소로 읽었습니다' };
    return {
      field,
      text: '',
      problem: '출금인지 출금 취소인지 알 수 없습니다. 부호를 지우거나 입금액에 쓰세요',
    };
  }
  const text = [deposit && `입금 ${deposit}`, withdrawal && `출금 ${withdrawal}`].filter(Boolean).join(' ');
  const areRead = cameIn !== undefined && wentOut !== undefined && deposit !== '' && withdrawal !== '';
  const problem =
    cameIn === 0 && wentOut === 0 ? '입금과 출금이 모두 0입니다' : '입금과 출금에 모두 금액이 있습니다';
  return { field: deposit === '' ? 'withdrawal' : 'deposit', text, problem: areRead ? problem : undefined };
}

/** 1 for money in, -1 for money out; undefined for any other word. */
export function directionOf(word: string): 1 | -1 | undefined {
  const [, kind, isBack] = /^(입금|입|출금|출|지급)(취소)?$/.exec(word.replaceAll(' ', '')) ?? [];
  if (kind === undefined) return undefined;
  return kind.startsWith('입') === (isBack === undefined) ? 1 : -1;
}

/** The amount with the sign from the column beside it; unreadable if the amount's own sign contradicts. */
function ofOneColumn(word: string, amount: string, saysDirection: boolean): Amount {
  const field = 'amount';
  const value = readAmount(amount) ?? 0;
  const direction = directionOf(word);
  if (direction === undefined) {
    const isOpen = saysDirection && value > 0 && !amount.trim().startsWith('+');
    const problem = isOpen ? '입금인지 출금인지 알 수 없습니다. 금액에 부호를 붙이세요' : undefined;
    return { field, text: amount, problem };
  }
  if (direction === -1 && value > 0) return { field, text: `-${amount}` };
  return { field, text: direction === 1 && value < 0 ? `입금 ${amount}` : amount };
}
