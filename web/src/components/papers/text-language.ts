import type { Locale } from '#contract/locale';

/** For the attribute `lang`: undefined where the text is in the language of the page. */
export function languageOf(text: string, page: Locale): Locale | undefined {
  const language = /\p{Script=Hangul}/u.test(text) ? 'ko' : 'en';
  return language === page ? undefined : language;
}
