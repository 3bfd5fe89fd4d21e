import type { Locale } from '#contract/locale';
import { useSyncExternalStore } from 'react';
import { overwriteGetLocale } from '../paraglide/runtime.js';
import { readStoredText, writeStoredText } from './stored-text.ts';

export type { Locale };

const STORAGE_KEY = 'locale';
const DEFAULT_LOCALE: Locale = 'ko';

const listeners = new Set<() => void>();
/** The language of an address (/ko, /en) that was visited before any choice by button. */
let visited: Locale | undefined;
let current: Locale = DEFAULT_LOCALE;

/** The language that an address asks for by itself. */
export function localeOfPath(pathname: string): Locale | undefined {
  const path = pathname.replace(/\/$/, '');
  if (path === '/ko') return 'ko';
  return path === '/en' ? 'en' : undefined;
}

/** The address wins, then the choice by button, then the address visited last, then Korean. */
export function chooseLocale(pathname: string, stored: string | null, visitedLast?: Locale): Locale {
  const ofPath = localeOfPath(pathname);
  if (ofPath !== undefined) return ofPath;
  return stored === 'ko' || stored === 'en' ? stored : (visitedLast ?? DEFAULT_LOCALE);
}

/** Takes the language that belongs to an address: at the start and on every navigation. */
export function enterPath(pathname: string): void {
  visited = localeOfPath(pathname) ?? visited;
  show(chooseLocale(pathname, readStoredText(STORAGE_KEY), visited));
}

/** Changes the language of the page without a reload, and remembers it. */
export function rememberLocale(locale: Locale): void {
  writeStoredText(STORAGE_KEY, locale);
  visited = locale;
  show(locale);
}

export function currentLocale(): Locale {
  return current;
}

/** Every component that shows a message calls this, so that it is drawn again in the new language. */
export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, currentLocale, currentLocale);
}

function show(locale: Locale): void {
  if (typeof document !== 'undefined') document.documentElement.lang = locale;
  if (locale === current) return;
  current = locale;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

overwriteGetLocale(currentLocale);
