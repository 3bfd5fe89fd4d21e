import {
  datetimeOf,
  dateSchema,
  DESCRIPTION_MAX,
  type BookedEntry,
  type LedgerEntryForm,
} from '#contract/ledger';
import { seoulDateTime } from '../../lib/seoul-time.ts';
import { amountProblem, readAmount } from './read-cell.ts';

/** An entry as the form holds it. The amount is without a sign: the type gives it one. */
export type EntryDraft = { type: BookedEntry['type']; date: string; amount: string; description: string };
export type DraftField = 'date' | 'amount' | 'description';

/** What the form starts with: a withdrawal of today, in Seoul. */
export function emptyDraft(now: number): EntryDraft {
  const today = seoulDateTime(now).slice(0, 10).replaceAll('.', '-');
  return { type: 'withdraw', date: today, amount: '', description: '' };
}

/** What keeps the draft from being sent, by field, in the order of the form. */
export function draftProblems({
  date,
  amount,
  description,
}: EntryDraft): Partial<Record<DraftField, string>> {
  const value = readAmount(amount);
  const isBelow = amount.trim() === '' || (value !== undefined && value < 1);
  const wrongAmount = isBelow ? '금액은 0보다 커야 합니다' : amountProblem(amount);
  const words = description.trim();
  return {
    ...(!dateSchema.safeParse(date).success && { date: '날짜를 올바르게 입력하세요' }),
    ...(wrongAmount !== undefined && { amount: wrongAmount }),
    ...(words === '' && { description: '내용을 입력하세요' }),
    ...(words.length > DESCRIPTION_MAX && { description: `내용은 ${DESCRIPTION_MAX}자까지 쓸 수 있습니다` }),
  };
}

/** The draft as the API takes it. @throws Error for a draft with problems */
export function entryOf({ type, date, amount, description }: EntryDraft): LedgerEntryForm {
  const value = readAmount(amount);
  if (value === undefined) throw new Error('a draft with problems has no entry');
  return {
    amount: type === 'deposit' ? value : -value,
    datetime: datetimeOf(date),
    description: description.trim(),
  };
}
