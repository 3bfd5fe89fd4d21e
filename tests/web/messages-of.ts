import { readFileSync } from 'node:fs';

/** Keys of the texts that only this language has. */
export function only(locale: 'ko' | 'en'): string[] {
  const others = new Set(keysOf(locale === 'ko' ? 'en' : 'ko'));
  return keysOf(locale).filter((key) => !others.has(key));
}

function keysOf(locale: 'ko' | 'en'): string[] {
  const file = new URL(`../../web/messages/${locale}.json`, import.meta.url);
  return Object.keys(Object(JSON.parse(readFileSync(file, 'utf8'))));
}
