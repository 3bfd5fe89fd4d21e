import { dateOf, type BookedEntry } from '#contract/ledger';
import { toCsv } from '../../lib/csv.ts';
import { typeWords } from './words.ts';

const header = ['날짜', '구분', '내용', '금액', '잔액'];

/** The entries as a file for a spreadsheet, oldest first, as books are kept. @param entries newest first */
export function ledgerCsv(entries: readonly BookedEntry[]): string {
  const rows = entries
    .toReversed()
    .map(({ datetime, type, description, amount, balance }) => [
      dateOf(datetime),
      typeWords[type],
      description,
      amount,
      Number(balance),
    ]);
  return toCsv([header, ...rows]);
}
