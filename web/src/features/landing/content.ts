import { localize, type Localized } from '#contract/content';
import { personCards, type PublicContent } from '#contract/public-content';
import type { Locale } from '#contract/locale';
import type { People } from '#contract/people-groups';
import { useSyncExternalStore } from 'react';
import { content as built } from 'virtual:lab-content';
import { setShownLab } from '../../lib/lab-content.ts';
import { useLocale } from '../../lib/locale.ts';

type Known = Omit<PublicContent, 'privacy'>;

/** The page's content in one language, with a card for each person. */
type Shown = Omit<Localized<Known>, 'people' | 'publications'> & {
  people: People;
  publications: PublicContent['publications'];
};

const listeners = new Set<() => void>();
let current: Known = built;
let inLanguages: Partial<Record<Locale, Shown>> = {};

/** Shows published content or a draft instead of the built content. */
export function setShownContent(content: Known): void {
  current = content;
  inLanguages = {};
  setShownLab(content.lab);
  for (const listener of listeners) listener();
}

function shownIn(locale: Locale): Shown {
  const { people, publications, ...texts } = current;
  return (inLanguages[locale] ??= {
    ...localize(texts, locale),
    people: personCards(people, locale),
    publications,
  });
}

/** The page's content in the reader's language. */
export function usePublicContent(): Shown {
  const locale = useLocale();
  const read = () => shownIn(locale);
  return useSyncExternalStore(subscribe, read, read);
}

/** English names of the research topics, in the order of the content. */
export const topicsInEnglish = (): string[] => current.about.topics.map(({ name }) => name.en);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
