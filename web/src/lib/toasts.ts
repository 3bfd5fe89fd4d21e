import type { Locale } from '#contract/locale';
import { useSyncExternalStore } from 'react';

/* The toasts on screen, apart from what shows them: this is in the first script of every page. */

export type Toast = { id: number; text: string; lang: Locale; requestId?: string | undefined };

const listeners = new Set<() => void>();
const none: Toast[] = [];
let toasts = none;

export const shownToasts = () => toasts;

export function replaceToasts(next: Toast[]): void {
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
