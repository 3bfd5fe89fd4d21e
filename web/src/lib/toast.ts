import { replaceToasts, shownToasts } from './toasts.ts';

/** A text, or the status of an answer that stands for one. */
export type ToastValue = string | number;

const statusTexts: Record<number, string> = {
  401: '로그인 되지 않음',
  403: '접근 권한 없음',
  500: '서버 오류',
  503: '데이터 없음',
};

let lastId = 0;

/** Numbers and their digits alike are translated; anything else is shown as it is. */
export function toastText(value: ToastValue): string {
  return statusTexts[Number(value)] ?? String(value);
}

/**
 * Shows a toast. A text that is already on screen is not stacked but starts anew.
 * @param requestId of the call that failed, for whoever is asked for help
 */
export function showToast(value: ToastValue, requestId?: string): void {
  const text = toastText(value);
  lastId += 1;
  replaceToasts([...shownToasts().filter((toast) => toast.text !== text), { id: lastId, text, requestId }]);
}

/** Takes a text off the screen that is true no more. */
export function withdrawToast(value: ToastValue): void {
  const text = toastText(value);
  const toasts = shownToasts();
  if (toasts.some((toast) => toast.text === text))
    replaceToasts(toasts.filter((toast) => toast.text !== text));
}

export function closeToast(id: number): void {
  replaceToasts(shownToasts().filter((toast) => toast.id !== id));
}
