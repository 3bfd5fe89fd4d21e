import { dateOf, type BookedEntry } from '#contract/ledger';
import { toCsv } from '../../lib/csv.ts';
import { dateMark, typeWords } from './words.ts';

const header = ['날짜', '구분', '내용', '금액', '잔액', '비고'];

/** The entries as a file for a spreadsheet, oldest first, as books are kept. @param entries newest first */
export function ledgerCsv(entries: readonly BookedEntry[], today: string): string {
  const rows = entries
    .toReversed()
    .map((entry) => [
      dateOf(entry.datetime),
      typeWords[entry.type],
      entry.description,
      entry.amount,
      entry.balance,
      dateMark(entry, today) ?? '',
    ]);
  return toCsv([header, ...rows]);
}
