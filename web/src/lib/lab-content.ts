import { lab as labEn } from '#content/lab.en';
import { lab as labKo, type LabContent } from '#content/lab.ko';
import type { Locale } from './locale.ts';

/** The lab's texts on the main page, in a language. */
export function labContent(locale: Locale): LabContent {
  return locale === 'ko' ? labKo : labEn;
}

/** Where each language's news can be followed. */
export const FEEDS = { ko: '/news.atom', en: '/en/news.atom' } as const;
