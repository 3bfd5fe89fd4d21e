import type { Locale } from '#contract/locale';
import { useSyncExternalStore } from 'react';
import { overwriteGetLocale } from '../paraglide/runtime.js';
import { readStoredText, writeStoredText } from './stored-text.ts';

export type { Locale };

const STORAGE_KEY = 'locale';
const DEFAULT_LOCALE: Locale = 'ko';

const listeners = new Set<() => void>();
/** The language of the last visited address (/ko, /en); it counts until the user chooses a language. */
let visited: Locale | undefined;
let current: Locale = DEFAULT_LOCALE;

/** The language that an address implies. */
export function localeOfPath(pathname: string): Locale | undefined {
  if (/^\/ko\/?$/.test(pathname)) return 'ko';
  return /^\/en(\/|$)/.test(pathname) ? 'en' : undefined;
}

/** A page's address in another language: `/ko` or `/en` for the main page; else English adds `/en`. */
export function localizedPath(locale: Locale, pathname: string): string {
  const page = pathname.replace(/^\/(?:ko\/?$|en(?=\/|$))/, '').replace(/^\/$/, '');
  return page === '' ? `/${locale}` : locale === 'ko' ? page : `/en${page}`;
}

/** The staff screens, which exist in Korean only. */
export const isStaffScreen = (pathname: string) => /^\/(manage_|settings)/.test(pathname);

/** Takes, in this order, the address's language, the user's choice, the language visited last, Korean. */
export function chooseLocale(pathname: string, stored: string | null, visitedLast?: Locale): Locale {
  const ofPath = localeOfPath(pathname);
  if (ofPath !== undefined) return ofPath;
  if (isStaffScreen(pathname)) return DEFAULT_LOCALE;
  return stored === 'ko' || stored === 'en' ? stored : (visitedLast ?? DEFAULT_LOCALE);
}

/** Applies the language of an address, at the start and on every navigation. */
export function applyLocaleOfPath(pathname: string): void {
  visited = localeOfPath(pathname) ?? visited;
  show(chooseLocale(pathname, readStoredText(STORAGE_KEY), visited));
}

/** The address of the page in another language; empty if the page has no such address. */
export function localizedPathIfAny(locale: Locale, pathname: string): string {
  const hasBoth =
    localeOfPath(pathname) !== undefined || /^\/($|docs\/|projects\/|(publications|news)\b)/.test(pathname);
  return hasBoth ? localizedPath(locale, pathname) : '';
}

/** The address of the main page in the reader's language. */
export function useHome(): '/' | '/ko' | '/en' {
  return useSyncExternalStore(subscribe, home, homeOfVisitor);
}

const homeOfVisitor = () => (current === 'en' ? '/en' : '/');

/** A visitor who chose English and reads /ko goes home to /ko, because / would be English. */
const home = () => (current === 'ko' && readStoredText(STORAGE_KEY) === 'en' ? '/ko' : homeOfVisitor());

/** Changes and remembers the language without a reload. */
export function rememberLocale(locale: Locale): void {
  writeStoredText(STORAGE_KEY, locale);
  visited = locale;
  show(locale);
}

export function currentLocale(): Locale {
  return current;
}

/** Every component with translated text must call this, to render again in another language. */
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
