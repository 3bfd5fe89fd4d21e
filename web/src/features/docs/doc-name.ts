import type { Locale } from '#contract/locale';

/** Whether the name is valid for a document. Invalid names are neither looked up nor requested. */
export function isDocName(name: string): boolean {
  return /^[a-z0-9_-]{1,100}$/.test(name);
}

/** Every document is in Korean; `privacy.en.md` is the English text of `privacy.md`. */
export function docFile(name: string, locale: Locale): string {
  return locale === 'ko' ? `${name}.md` : `${name}.${locale}.md`;
}

/** The address of a document. An address without a language shows the reader's chosen language. */
export function docPath(name: string, locale: Locale): string {
  return locale === 'ko' ? `/docs/${name}` : `/${locale}/docs/${name}`;
}
