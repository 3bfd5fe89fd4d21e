/** Words in which a statement says of a payment that it was cancelled, or has not been made. */

/** Label and text of a cell that is a note or has no field. */
export type NotedCell = readonly [label: string, text: string];

/** Notes beside a payment that was cancelled or has not been made yet. */
const NOT_PAID =
  /^(?:(?:승인|결제|거래|주문|입금|출금|납부)\s?)?(?:부분\s?|전체\s?|전액\s?)?(?:취소|철회|삭제|무효|폐기|반려|환불|반품|실패|오류|거절|반송|중복|면제)\s?(?:됨|함|건|완료)?$|^(?:입력\s?오류|오입력|잘못\s?(?:넣음|입력|보냄))|이중\s?(?:기재|입력)|^(?:빼기|제외)$|월로\s?(?:이동|이월)$|(?:^|\s)(?:(?:입금|납부|결제|지급|구매|구입)\s?)?안\s?(?:냄|됨|함|들어옴|삼)$|^미(?:납|입금|지급|수금?|집행|결제|처리|정산)(?:됨|건)?$|^(?:지급|납부|입금|출금|결제|집행)?\s?(?:예정|대기|보류)(?:됨|중)?$|^(?:void(?:ed)?|cancel(?:l?ed)?|deleted|refunded|pending|unpaid|scheduled)$/i;
/** Labels of a column with the state of payment: `납부여부`. */
const WHETHER_PAID = /(?:납부|입금|지급|승인|완료|확인|집행|결제|정산|paid)\s?(?:여부|유무|상태|확인)?$/i;
/** Labels of a column with the state, date or amount of a cancellation: `취소여부`, `취소금액`. */
const WHETHER_TAKEN_BACK = /^(?:승인|매출|결제|거래)?\s?(?:취소|환불|반품|cancel\w*|refund\w*)/i;
const NOT_TAKEN_BACK =
  /^(?:|[-xn0.]|no|false|아니오|없음|해당\s?없음|정상.*|승인|미취소|미환불|유효|0\s?원)$/i;
/** Other words of card companies: `매입취소`, `취소매출`. */
const CANCELLED = /^\S{0,4}\s?취소\s?\S{0,3}$/;
const NOT_CANCELLED = /미취소|취소\s?(?:불가|가능|없음|안|예정)/;
/** A refund or cancellation that has not happened: `환불예정`, `취소 요청`; `예정` below `환불상태`. */
const TO_COME =
  /(?:환불|환급|반환|반품|취소|refund|cancel\w*)\s?(?:상태|여부|처리|결과|현황)?\s?(?:예정|대기|요청|신청|접수|진행|필요|중(?!복)|해야|받을|pending|requested)|(?:환불|환급)\s?(?:안|못|전$)/i;
export const isRefundToCome = ([label, text]: NotedCell): boolean =>
  !NOT_TAKEN_BACK.test(text.trim()) && TO_COME.test(`${label.trim()} ${text.trim()}`);
/** Whether a note says that the payment was cancelled or has not been made. */
export const isNotPaid = ([label, text]: NotedCell): boolean =>
  // A number may follow, as in `취소 88049`.
  NOT_PAID.test(text.trim().replace(/[\s\d-]+$/, '')) ||
  (CANCELLED.test(text.trim()) && !NOT_CANCELLED.test(text)) ||
  (WHETHER_TAKEN_BACK.test(label.trim()) && !NOT_TAKEN_BACK.test(text.trim())) ||
  (WHETHER_PAID.test(label.trim()) && /^(?:[xn]|no|false|아니오|미완료)$/i.test(text.trim()));
/** Marks of a paid row. If other rows have such a mark, an empty cell means that the row is unpaid. */
const PAID = /^(?:[oyv○◯✓✔]|yes|true|완료|납부|입금|예)$/i;
/** Notes before or after the description of a payment that was not made: `[취소] 버스`, `간식(예정)`. */
const NOT_PAID_CONTENT =
  /^[[(](?:취소|예정|무효|미정|보류|미결제|미납|미입금|미지급)(?:됨|건)?[\])]|[[(](?:취소|예정|무효|미정|보류|미납|미입금|미지급)(?:됨|건)?[\])]$|(?:^|\s)(?:안\s?냄|미입금|미납|(?:입금|납부)\s?예정)$|\(아직[^()]*\)$/;
/** Whether a cell marks its row as paid. */
export const isPaidMark = ([label, text]: NotedCell): boolean =>
  WHETHER_PAID.test(label.trim()) && PAID.test(text.trim());
export const isNotPaidContent = (description: string): boolean => NOT_PAID_CONTENT.test(description.trim());

/** A line of its own above people who have not paid, or above payments to come. */
const UNPAID_LIST =
  /미납|미수금?|미입금|미지급|외상|예정|대납|안\s?(?:줌|냄)|참고|작년|전년|지난해|계획|예산|unpaid/i;
export const isUnpaidList = (title: string): boolean => UNPAID_LIST.test(title);
