import type { Locale } from '#contract/locale';
import { currentLocale } from './locale.ts';
import { useSyncExternalStore } from 'react';

/** A text in both languages, for public pages. */
type PublicText = Record<Locale, string>;
/** A text, or a status code that stands for a text. */
export type ToastValue = string | number | PublicText;

const statusTexts: Record<number, PublicText> = {
  401: { ko: '로그인 되지 않음', en: 'Not signed in' },
  403: { ko: '접근 권한 없음', en: 'No access' },
  500: { ko: '서버 오류', en: 'Server error' },
  503: { ko: '데이터 없음', en: 'No data' },
};

/** A status without a text of its own is shown by its number. */
const otherStatus = (status: number): PublicText => ({
  ko: `서버 오류 (${status})`,
  en: `Server error (${status})`,
});

/** Message when the user leaves a form whose draft stays stored. */
export const DRAFT_SAVED = '작성하던 내용을 임시 저장했습니다. 다시 열면 이어서 쓰거나 버릴 수 있습니다';

let lastId = 0;

/** The text of a status on a public page, in both languages. */
export function publicText(value: ToastValue): ToastValue {
  return statusTexts[Number(value)] ?? (typeof value === 'number' ? otherStatus(value) : value);
}

/** Replaces a status, which is a number or a number's digits, by its text; other values stay unchanged. */
export function toastText(value: ToastValue, lang: Locale = 'ko'): string {
  const text = publicText(value);
  return typeof text === 'object' ? text[lang] : String(text);
}

/**
 * Shows a toast, in Korean or, for a text in both languages, in the reader's language. A toast that is
 * already on screen is shown again instead of twice.
 * @param requestId of the failed call, for support
 */
export function showToast(value: ToastValue, requestId?: string): void {
  const lang = typeof value === 'object' ? currentLocale() : 'ko';
  const text = toastText(value, lang);
  lastId += 1;
  const others = shownToasts().filter((toast) => toast.text !== text);
  const isOfScreen = value === text && !requestId;
  replaceToasts([...others, { id: lastId, text, lang, requestId, isOfScreen }]);
}

/** Removes a toast whose text is no longer true. */
export function withdrawToast(value: ToastValue): void {
  const text = toastText(value);
  const toasts = shownToasts();
  if (toasts.some((toast) => toast.text === text))
    replaceToasts(toasts.filter((toast) => toast.text !== text));
}

export function closeToast(id: number): void {
  replaceToasts(shownToasts().filter((toast) => toast.id !== id));
}

/* The toasts on screen. The component that shows them is loaded with the first toast (page-frame.tsx). */

export type Toast = {
  id: number;
  text: string;
  lang: Locale;
  requestId: string | undefined;
  /** Whether opening another screen closes the toast. Errors with a number and sign-in texts stay. */
  isOfScreen: boolean;
};

const listeners = new Set<() => void>();
const none: Toast[] = [];
let toasts = none;

export const shownToasts = () => toasts;

function replaceToasts(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function useToasts(): Toast[] {
  return useSyncExternalStore(subscribe, shownToasts, () => none);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
