import { localize, localizePhone, type Localized } from '#contract/content';
import type { PublicLab as Lab } from '#contract/public-content';
import type { Locale } from '#contract/locale';
import { useSyncExternalStore } from 'react';
import { lab as built } from 'virtual:lab';
import { useLocale } from './locale.ts';

export type LabContent = Localized<Lab>;

const listeners = new Set<() => void>();
let current: Lab = built;
let inLanguages: Partial<Record<Locale, LabContent>> = {};

/** Shows the published lab data in place of the built data. */
export function setShownLab(lab: Lab): void {
  if (JSON.stringify(lab) === JSON.stringify(current)) return;
  current = lab;
  inLanguages = {};
  for (const listener of listeners) listener();
}

/** The lab's name, claim and address in one language. */
export function labContent(locale: Locale): LabContent {
  const read = (): LabContent => {
    const lab = localize(current, locale);
    return { ...lab, phone: localizePhone(lab.phone, locale) };
  };
  return (inLanguages[locale] ??= read());
}

/** Which pages exist. */
export const visibleLabPages = () => current.shows;

/** Element id of the block in which the edge puts the published lab data. */
export const PUBLISHED_LAB = 'published-lab';

/** Before hydration, applies the lab data with which the page was rendered. */
export function hydrateLab(): void {
  const block = document.getElementById(PUBLISHED_LAB)?.textContent;
  if (block) setShownLab(JSON.parse(block));
}

/** The lab's data in the reader's language. */
export function useLab(): LabContent {
  const locale = useLocale();
  const read = () => labContent(locale);
  return useSyncExternalStore(subscribe, read, read);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
