import { replaceToasts, shownToasts } from './toasts.ts';

/** A text, or a status that stands for one. */
export type ToastValue = string | number;

const statusTexts: Record<number, string> = {
  401: '로그인 되지 않음',
  403: '접근 권한 없음',
  500: '서버 오류',
  503: '데이터 없음',
};

let lastId = 0;

/** Translates a status, as a number or as text; anything else is returned unchanged. */
export function toastText(value: ToastValue): string {
  return statusTexts[Number(value)] ?? String(value);
}

/**
 * Shows a toast. A text already on screen is shown anew instead of twice.
 * @param requestId of the failed call, for support
 */
export function showToast(value: ToastValue, requestId?: string): void {
  const text = toastText(value);
  lastId += 1;
  replaceToasts([...shownToasts().filter((toast) => toast.text !== text), { id: lastId, text, requestId }]);
}

/** Removes a text that is no longer true from the screen. */
export function withdrawToast(value: ToastValue): void {
  const text = toastText(value);
  const toasts = shownToasts();
  if (toasts.some((toast) => toast.text === text))
    replaceToasts(toasts.filter((toast) => toast.text !== text));
}

export function closeToast(id: number): void {
  replaceToasts(shownToasts().filter((toast) => toast.id !== id));
}
