import type { PastedTable } from '../../../lib/paste-table.ts';
import { readAmount } from '../read-cell.ts';
import type { StatementField } from './bank-profiles.ts';

export type CellReader = (field: StatementField) => string;

type Sign = 'plus' | 'minus' | undefined;
/** The sign of ordinary payments. `spent`, `received`: in a single column, beside a word such as 지출 or 수입. */
export type AmountSigns = {
  deposit: Sign;
  withdrawal: Sign;
  spent: Sign;
  received: Sign;
  /** Whether a title says that unsigned amounts are withdrawals, so that a minus has no certain meaning. */
  isSpending: boolean;
};

const headerIn = (table: PastedTable, labels: readonly string[]) =>
  table.findIndex((row) => row.some((cell) => labels.includes(cell)));
const columnIn = (header: readonly string[] | undefined, labels: readonly string[]) =>
  header?.findIndex((cell) => labels.includes(cell)) ?? -1;

/**
 * `minus` if a minus marks an ordinary payment of the column: no amount is positive, or a balance falls by an
 * amount with a minus. Otherwise `plus`. Without a column for `labels`, uses the column for `amounts`.
 */
export function meaningOfMinus(
  table: PastedTable,
  labels: readonly string[] = [],
  balances: readonly string[] = [],
  amounts: readonly string[] = [],
): Sign {
  const headerAt = headerIn(table, labels);
  const [at, balanceAt] = [columnIn(table[headerAt], labels), columnIn(table[headerAt], balances)];
  if (at === -1) {
    const amountOf = amountReader(table, amounts);
    return table.some((row) => amountOf(row) > 0) ? 'plus' : 'minus';
  }
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

/** Returns a function that reads a row's amount in the column with one of `labels`, or in the last column. */
function amountReader(
  table: PastedTable,
  labels: readonly string[] = [],
): (row: readonly string[]) => number {
  const at = columnIn(table[headerIn(table, labels)], labels);
  return (row) => readAmount(row.at(at) ?? '') ?? 0;
}

/**
 * Returns `plus` if some amount beside a word such as 지출 (-1) or 수입 (1) has no minus; a minus then cancels a
 * payment.
 */
export function signBeside(direction: 1 | -1, table: PastedTable, labels?: readonly string[]): Sign {
  const amountIn = amountReader(table, labels);
  const isPlus = (row: readonly string[]) =>
    row.some((cell) => moneyDirection(cell) === direction) && amountIn(row) > 0;
  return table.some(isPlus) ? 'plus' : undefined;
}

type Amount = {
  /** The field that shows the error if there is no amount. */
  field: StatementField;
  /** The amount with its sign. */
  text: string;
  problem?: string | undefined;
  doubt?: string | undefined;
  /** Whether neither a sign nor a word shows if the amount is a deposit or a withdrawal. */
  isUnsigned?: boolean;
};

/** A cell without an amount; the accounting format of Excel shows zero as `₩ -`. */
const NO_AMOUNT = /^(?:[₩\\]? *-?|NaN)$/i;

export function readSignedAmount(cell: CellReader, saysDirection: boolean, signs: AmountSigns): Amount {
  const [deposit, withdrawal, amount] = [cell('deposit'), cell('withdrawal'), cell('amount')];
  if (deposit === '' && withdrawal === '') {
    // Some banks write 입금 into the column for the way of payment; some books write 지출 into the category.
    const words = (['kind', 'category'] as const).map(cell);
    const direction =
      directionIn(cell('direction')) ?? words.map(moneyDirection).find((each) => each !== undefined);
    return ofOneColumn(direction, amount, saysDirection, signs);
  }
  return ofTwoColumns(deposit, withdrawal, signs);
}

/**
 * The amount if exactly one of the two columns has an amount; otherwise the row has an error. A minus among
 * amounts without a sign cancels a payment.
 */
function ofTwoColumns(deposit: string, withdrawal: string, signs: AmountSigns): Amount {
  const [cameIn, wentOut] = [deposit, withdrawal].map((cell) =>
    NO_AMOUNT.test(cell) ? 0 : readAmount(cell),
  );
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
export function moneyDirection(word: string): 1 | -1 | undefined {
  const [, kind, isBack] =
    /^(입금|입|수입|수납|출금|출|지급|지출|인출)\(?(취소)?\)?(?:\([^()]*\))?$/.exec(
      word.replaceAll(' ', ''),
    ) ?? [];
  if (kind === undefined) return undefined;
  return /^[입수]/.test(kind) === (isBack === undefined) ? 1 : -1;
}

const RECEIVED = /^(?:수|받음|받은돈|들어옴|들어온돈|in|income|\+)$/i;
const SPENT = /^(?:지|보냄|보낸돈|쓴돈|나감|나간돈|송금|out|expenses?|exp\.?|transfer-?out|[-−])$/i;
/** One or two letters or signs in a column of directions: only the writer knows what they mean. */
const SYMBOL = /^[^\p{Script=Hangul}]{1,2}$/u;

/** Like moneyDirection(), but in a column of directions short words are clear; `unclear` for a `SYMBOL`. */
function directionIn(cell: string): 1 | -1 | 'unclear' | undefined {
  const word = cell.replaceAll(' ', '');
  if (RECEIVED.test(word)) return 1;
  if (SPENT.test(word)) return -1;
  return moneyDirection(word) ?? (SYMBOL.test(word) ? 'unclear' : undefined);
}

/** Words beside amounts that mean deposit in one program and withdrawal in another. */
const EITHER_WAY = /^(?:debit|credit|dr|cr|차변|대변|결제|승인|사용)$/i;
/** Labels of columns that only lists of payments have. */
const SPENDING_LABEL =
  /^(?:(?:지출|결제|사용|이용|구입|구매)\s*(?:처|방법|수단|일|내용|항목|사유|목적)|(?:이용\s*)?가맹점명?|품[목명]|카드번호|승인번호)$/;
/** Labels of columns that contain only the amounts' signs; these columns are not read. */
const SIGN_LABEL = /^(?:±|부호|\+ ?\/ ?[-−])$/;
/** Words beside the amount of a refund. */
export const REFUND_WORDS = /환불|환급|반환|반품|취소/;
/** Words that banks use. In a table with one of these words, every amount needs a sign or a word. */
const BANK_WORD = /^(?:입|출|지급)/;

/** Whether each amount needs a sign or a word, because an unsigned amount may be a withdrawal. */
export function needsDirection(table: PastedTable, labels?: readonly string[]): boolean {
  const words = table.flat().filter((cell) => moneyDirection(cell) !== undefined || EITHER_WAY.test(cell));
  if (words.some((word) => BANK_WORD.test(word))) return true;
  if (table.some((row) => row.some((cell) => SIGN_LABEL.test(cell)))) return true;
  const amountIn = amountReader(table, labels);
  const amounts = table.map(amountIn);
  const isSpending = table.some((row) => row.some((cell) => SPENDING_LABEL.test(cell)));
  const isMostlyPlus = amounts.filter((each) => each > 0).length > amounts.filter((each) => each < 0).length;
  if (isSpending && isMostlyPlus) return true;
  // A minus on withdrawals shows that unsigned amounts are deposits; a minus on a refund does not.
  if (table.some((row) => amountIn(row) < 0 && !row.some((cell) => REFUND_WORDS.test(cell)))) return false;
  return words.length > 0 || isSpending;
}

export const DIRECTION_MISSING =
  '입금인지 출금인지 알 수 없습니다. 금액에 부호를 붙이거나, 위에서 금액 열을 입금액이나 출금액으로 바꾸세요';

/** The amount with the sign of the word beside it; an error if the amount's own sign contradicts the word. */
function ofOneColumn(
  direction: 1 | -1 | 'unclear' | undefined,
  amount: string,
  saysDirection: boolean,
  { spent, received, isSpending }: AmountSigns,
): Amount {
  const field = 'amount';
  const value = readAmount(amount) ?? 0;
  if (direction === undefined || direction === 'unclear') {
    const isUnsigned = value > 0 && !amount.trim().startsWith('+');
    const isAsked = isSpending || ((saysDirection || direction === 'unclear') && isUnsigned);
    const problem = isAsked ? DIRECTION_MISSING : undefined;
    return { field, text: amount, problem, isUnsigned };
  }
  if (direction === -1 && value > 0) return { field, text: `-${amount}` };
  if (direction === -1 && value < 0 && spent === 'plus')
    return { field, text: String(-value), doubt: '출금 취소로 읽었습니다' };
  if (direction === 1 && value < 0) {
    if (received === 'plus') return { field, text: amount, doubt: '입금 취소로 읽었습니다' };
    const problem = '입금인데 금액에 빼기 기호가 있습니다. 부호를 지우거나 구분을 출금으로 고치세요';
    return { field, text: '', problem };
  }
  return { field, text: amount };
}
