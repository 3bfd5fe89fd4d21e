import { dateOf, isAllowedDate, isPlanned } from '#contract/ledger';
import { isBlank } from '../../lib/search-text.ts';

const plain = new Intl.NumberFormat('ko-KR');
const signed = new Intl.NumberFormat('ko-KR', { signDisplay: 'exceptZero' });

/** `12,000원` */
export const wonText = (amount: number | bigint) => `${plain.format(amount)}원`;
/** `+12,000원`, `-12,000원` */
export const signedWonText = (amount: number | bigint) => `${signed.format(amount)}원`;
/** `2026.03.02` */
export const dayText = (datetime: string) => dateOf(datetime).replaceAll('-', '.');

export const descriptionText = (description: string) => (isBlank(description) ? '내용 없음' : description);

export const categoryText = (category: string) => (isBlank(category) ? '분류 없음' : category);

/** `2026-03` becomes `2026년 3월`. */
export const monthText = (month: string) => `${month.slice(0, 4)}년 ${Number(month.slice(5))}월`;

export function dateMark(entry: { datetime: string }, today: string): '날짜 확인' | '예정' | undefined {
  if (!isAllowedDate(dateOf(entry.datetime), today)) return '날짜 확인';
  return isPlanned(entry, today) ? '예정' : undefined;
}

export const entryTypeLabels = { deposit: '입금', withdraw: '출금' } as const;
