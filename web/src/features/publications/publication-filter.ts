import { plainText, type Publication } from '#contract/publications';
import { useSyncExternalStore } from 'react';
import { searchItem, withEveryWord } from '../../lib/search-text.ts';

/** What a visitor looks for; an empty text means anything. `person` and `topic` are names in either language. */
export type PublicationFilter = { words: string; year: string; kind: string; topic: string; person: string };

const NAMES = ['words', 'year', 'kind', 'topic', 'person'] as const;

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('popstate', listener);
  };
}

/** The filter in the address, for sharing. The page is prerendered unfiltered, then filters. */
export function usePublicationFilter(): {
  wanted: PublicationFilter;
  set: (name: keyof PublicationFilter, value: string) => void;
} {
  const query = useSyncExternalStore(
    subscribe,
    () => location.search,
    () => '',
  );
  const given = new URLSearchParams(query);
  const valueOf = (name: string) => given.get(name) ?? '';
  const [words, year, kind, topic, person] = NAMES.map(valueOf);
  const wanted: PublicationFilter = {
    words: words ?? '',
    year: year ?? '',
    kind: kind ?? '',
    topic: topic ?? '',
    person: person ?? '',
  };
  const set = (name: keyof PublicationFilter, value: string) => {
    if (value === '') given.delete(name);
    else given.set(name, value);
    const next = given.size > 0 ? `?${given}` : location.pathname;
    history.replaceState(history.state, '', next);
    for (const listener of listeners) listener();
  };
  return { wanted, set };
}

/** The publications that match the filter, in their order. */
export function matchingPublications(all: readonly Publication[], wanted: PublicationFilter): Publication[] {
  const { words, year, kind, topic, person } = wanted;
  const isNamed = (name: { ko: string; en: string }, by: string) => name.ko === by || name.en === by;
  const found = all.filter(
    (each) =>
      (year === '' || String(each.year) === year) &&
      (kind === '' || each.kind === kind) &&
      (topic === '' || each.topics?.some((name) => isNamed(name, topic))) &&
      (person === '' || each.authors.some((author) => author.person && isNamed(author.person, person))),
  );
  if (words.trim() === '') return found;
  return withEveryWord(
    found.map((each) =>
      searchItem(each, plainText(each.title), [
        ...each.authors.flatMap(({ name, person }) => [name, person?.ko ?? '', person?.en ?? '']),
        each.venue,
        each.award ?? '',
      ]),
    ),
    words,
  );
}
