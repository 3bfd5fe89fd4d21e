import type { Payment } from '#contract/dues';
import { termText } from '#contract/terms';
import { ApiError } from '#http/api-error';
import type { Refusal } from './dues-data.ts';

const won = new Intl.NumberFormat('ko-KR');

export const unknownDue = () => new ApiError(404, { message: '회비 명단에 없는 사람입니다' });

/** `최나래 님의 2026년 1학기, 오다솜 님의 2026년 1학기` */
export const payersText = (payments: readonly Payment[]) =>
  payments.map((payment) => `${payment.name} 님의 ${termText(payment)}`).join(', ');

/** Why dues cannot be paid like this, for whoever tried. */
export function refusedPayment(refusal: Refusal): ApiError {
  if (refusal.kind === 'unknown') return unknownDue();
  const field = 'entry_id';
  if (refusal.kind === 'no-deposit')
    return new ApiError(409, { message: '입금 내역이 아니거나 이미 삭제되었습니다', field });
  const { deposit, left, others } = refusal;
  if (others.length === 0)
    return new ApiError(409, {
      message: `입금액 ${won.format(deposit.amount)}원보다 많이 나눌 수 없습니다`,
      field,
    });
  const message =
    left > 0
      ? `${payersText(others)} 회비로 쓰이고 ${won.format(left)}원만 남은 입금입니다`
      : `이미 ${payersText(others)} 회비로 쓰인 입금입니다`;
  return new ApiError(409, { message, field });
}
