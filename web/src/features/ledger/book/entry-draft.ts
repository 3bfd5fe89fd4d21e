import {
  amountProblem,
  dateOf,
  dateProblem,
  datetimeOf,
  ENTRY_TEXT_FIELDS,
  ENTRY_TEXT_NAMES,
  entryTextProblem,
  parseEntryTexts,
  type EntryWithBalance,
  type EntryTextName,
  type EntryTexts,
  type LedgerEntry,
  type LedgerEntryForm,
} from '#contract/ledger';
import type { MergeField } from '../../../lib/merge.ts';
import { entryTypeLabels } from '../labels.ts';
import { amountCellProblem, readAmount } from '../read-cell.ts';

/** An entry as the user edits it. The amount has no sign, because `type` says deposit or withdrawal. */
export type EntryDraft = { type: EntryWithBalance['type']; date: string; amount: string } & EntryTexts;
type DraftField = 'date' | 'amount' | EntryTextName;

/** The initial draft: a withdrawal today. */
export const emptyEntryDraft = (today: string): EntryDraft => ({
  type: 'withdraw',
  date: today,
  amount: '',
  ...parseEntryTexts(() => ''),
});

/** A draft that corrects the given version of an entry. */
export type CorrectionDraft = EntryDraft & { version: number };

export const correctionDraftOf = (entry: LedgerEntry): CorrectionDraft => ({
  type: entry.amount > 0 ? 'deposit' : 'withdraw',
  date: dateOf(entry.datetime),
  amount: Math.abs(entry.amount).toLocaleString('ko-KR'),
  ...parseEntryTexts((name) => entry[name]),
  version: entry.version,
});

/** The fields to merge if two people correct the same entry; `text` is the value in words. */
export const entryMergeFields: readonly MergeField<CorrectionDraft>[] = [
  { names: ['date'], label: '날짜', text: ({ date }) => date.replaceAll('-', '.') },
  {
    names: ['type', 'amount'],
    label: '금액',
    text: ({ type, amount }) => `${entryTypeLabels[type]} ${amount}원`,
  },
  ...ENTRY_TEXT_NAMES.map((name) => ({
    names: [name],
    label: ENTRY_TEXT_FIELDS[name].label,
    text: (draft: CorrectionDraft) => draft[name],
  })),
];

/** The draft for the next entry: same day and type, except that a future day becomes today. */
export const nextEntryDraft = ({ type, date }: EntryDraft, today: string): EntryDraft => ({
  ...emptyEntryDraft(date > today ? today : date),
  type,
});

export function entryDraftProblems(draft: EntryDraft, today: string): Partial<Record<DraftField, string>> {
  const { date, amount } = draft;
  const value = readAmount(amount);
  const isBelow = amount.trim() === '' || (value !== undefined && value < 1);
  const wrongAmount = isBelow ? amountProblem(0) : amountCellProblem(amount);
  const wrongDate = dateProblem(date, today);
  const wrongTexts = ENTRY_TEXT_NAMES.map(
    (name) => [name, entryTextProblem(name, draft[name].trim())] as const,
  );
  return {
    ...(wrongDate !== undefined && { date: wrongDate }),
    ...(wrongAmount !== undefined && { amount: wrongAmount }),
    ...Object.fromEntries(wrongTexts.filter(([, problem]) => problem !== undefined)),
  };
}

/** The draft as the API's request body. @throws Error for a draft with errors */
export function entryFromDraft(draft: EntryDraft): LedgerEntryForm {
  const { type, date, amount } = draft;
  const value = readAmount(amount);
  if (value === undefined) throw new Error('the draft has errors');
  return {
    amount: type === 'deposit' ? value : -value,
    datetime: datetimeOf(date),
    ...parseEntryTexts((name) => draft[name].trim()),
  };
}
