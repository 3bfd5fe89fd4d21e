/** A row of a statement that says what the account held after it. */
export type BalancedRow = { line: number; amount: number; balance: number };

/** What a row's balance would have to be after its neighbour's. */
export type BalanceGap = { line: number; expected: number };

/**
 * Rows whose balance does not follow from the row before them in time: an amount was read wrong, or a row is missing.
 * Statements begin with the oldest or with the newest row; whichever fits better is taken.
 */
export function balanceGaps(rows: readonly BalancedRow[]): BalanceGap[] {
  const forwards = gapsOf(rows);
  const backwards = gapsOf(rows.toReversed());
  return backwards.length < forwards.length ? backwards : forwards;
}

function gapsOf(rows: readonly BalancedRow[]): BalanceGap[] {
  return rows.flatMap(({ line, amount, balance }, at) => {
    const before = rows[at - 1];
    if (before === undefined) return [];
    const expected = before.balance + amount;
    return expected === balance ? [] : [{ line, expected }];
  });
}
