import { dateOf } from '#contract/ledger';

const plain = new Intl.NumberFormat('ko-KR');
const signed = new Intl.NumberFormat('ko-KR', { signDisplay: 'exceptZero' });

/** `12,000원` */
export const wonText = (amount: number | bigint) => `${plain.format(amount)}원`;
/** `+12,000원`, `-12,000원` */
export const signedText = (amount: number | bigint) => `${signed.format(amount)}원`;
/** `2026.03.02` */
export const dayText = (datetime: string) => dateOf(datetime).replaceAll('-', '.');

export const typeWords = { deposit: '입금', withdraw: '출금' } as const;
