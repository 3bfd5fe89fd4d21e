import { dateOf, ENTRY_TEXT_FIELDS, ENTRY_TEXT_NAMES, type EntryWithBalance } from '#contract/ledger';
import { toCsv } from '../../../lib/csv.ts';
import { dateMark, entryTypeLabels } from '../labels.ts';

type Column = { header: string; cell: (entry: EntryWithBalance, today: string) => string | number | bigint };

const columns: Column[] = [
  { header: '날짜', cell: ({ datetime }) => dateOf(datetime) },
  { header: '구분', cell: ({ type }) => entryTypeLabels[type] },
  ...ENTRY_TEXT_NAMES.map((name) => ({
    header: ENTRY_TEXT_FIELDS[name].label,
    cell: (entry: EntryWithBalance) => entry[name],
  })),
  { header: '금액', cell: ({ amount }) => amount },
  { header: '잔액', cell: ({ balance }) => balance },
  { header: '비고', cell: (entry, today) => dateMark(entry, today) ?? '' },
];

/** The entries as a CSV file, oldest first, as in account books. @param entries newest first */
export function ledgerCsv(entries: readonly EntryWithBalance[], today: string): string {
  const rows = entries.toReversed().map((entry) => columns.map(({ cell }) => cell(entry, today)));
  return toCsv([columns.map(({ header }) => header), ...rows]);
}
