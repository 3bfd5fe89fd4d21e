import { localize, localizePhone, type Localized } from '#contract/content';
import type { PublicLab as Lab } from '#contract/public-content';
import type { Locale } from '#contract/locale';
import { useSyncExternalStore } from 'react';
import { lab as built } from 'virtual:lab';
import { useLocale } from './locale.ts';

/** Which lab this is. */
export type LabContent = Localized<Lab>;

const listeners = new Set<() => void>();
let current: Lab = built;
let inLanguages: Partial<Record<Locale, LabContent>> = {};

/** Shows what was published in place of what was built. */
export function showLab(lab: Lab): void {
  if (JSON.stringify(lab) === JSON.stringify(current)) return;
  current = lab;
  inLanguages = {};
  for (const listener of listeners) listener();
}

/** The lab's name, claim and address in a language. */
export function labContent(locale: Locale): LabContent {
  const read = (): LabContent => {
    const lab = localize(current, locale);
    return { ...lab, phone: localizePhone(lab.phone, locale) };
  };
  return (inLanguages[locale] ??= read());
}

/** Which pages there are. */
export const labShows = () => current.shows;

/** Id of the block of a page in which the edge says which lab is published. */
export const PUBLISHED_LAB = 'published-lab';

/** Shows the lab that the page was drawn with, before it wakes. */
export function takeLab(): void {
  const block = document.getElementById(PUBLISHED_LAB)?.textContent;
  if (block) showLab(JSON.parse(block));
}

/** The same in the language that is read. */
export function useLab(): LabContent {
  const locale = useLocale();
  const read = () => labContent(locale);
  return useSyncExternalStore(subscribe, read, read);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
