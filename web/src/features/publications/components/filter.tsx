import type { Bilingual } from '#contract/content';
import { type Publication, plainText } from '#contract/publications';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { publicationKindName } from '../../../components/publication-lines.tsx';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { toSearchItem, filterByEveryWord } from '../../../lib/search-text.ts';

/** The visitor's filter; an empty text does not filter. `person` and `topic` are Korean or English names. */
type PublicationFilter = { words: string; year: string; kind: string; topic: string; person: string };

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

/** The filter is in the address, so that users can share it. The prerendered page shows all publications. */
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

/** The publications that match the filter, in the order of `all`. */
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
  return filterByEveryWord(
    found.map((each) =>
      toSearchItem(each, plainText(each.title), [
        ...each.authors.flatMap(({ name, person }) => [name, person?.ko ?? '', person?.en ?? '']),
        each.venue,
        each.award ?? '',
      ]),
    ),
    words,
  );
}

type Props = {
  publications: readonly Publication[];
  found: number;
  wanted: PublicationFilter;
  set: (name: keyof PublicationFilter, value: string) => void;
};

const fieldClass =
  'mt-1 block h-11 w-full rounded-md border border-line-strong bg-surface px-3 text-base text-ink';

/** Filters the list by the address's search parameters. */
export function Filter({ publications, found, wanted, set }: Props) {
  const locale = useLocale();
  const [opened, setOpened] = useState<boolean>();
  const form = useRef<HTMLFormElement>(null);
  // Applies choices that the user made in the form before hydration.
  useEffect(() => {
    for (const [name, value] of new FormData(form.current ?? undefined)) {
      const key = choices.find((each) => each === name);
      if (key && typeof value === 'string' && value !== '') set(key, value);
    }
    // Runs once, on hydration.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const kinds = [...new Set(publications.map(({ kind }) => kind))].filter((kind) => kind !== 'other');
  const names = (all: Bilingual[]) =>
    [...new Map(all.map((name) => [name.en, name])).values()].map((name) => name[locale]).toSorted();
  const lists = [
    ['year', m.filter_year(), [...new Set(publications.map(({ year }) => String(year)))]],
    ['kind', m.filter_kind(), kinds],
    ['topic', m.filter_topic(), names(publications.flatMap(({ topics = [] }) => topics))],
    [
      'person',
      m.filter_person(),
      names(publications.flatMap(({ authors }) => authors.flatMap(({ person }) => person ?? []))),
    ],
  ] as const;
  /** The selected option: the address may contain the person's or topic's name in the other language. */
  const shown = (name: keyof PublicationFilter) => {
    const value = wanted[name];
    const both = publications.flatMap(({ authors, topics = [] }) => [
      ...topics,
      ...authors.flatMap(({ person }) => person ?? []),
    ]);
    return both.find(({ ko, en }) => ko === value || en === value)?.[locale] ?? value;
  };
  const chosen = lists.filter(([name]) => wanted[name] !== '').length;
  const isOpen = opened ?? chosen > 0;
  const isNarrowed = Object.values(wanted).some((value) => value !== '');
  return (
    <search>
      <form
        ref={form}
        aria-label={m.filter()}
        onSubmit={(event) => event.preventDefault()}
        className="mt-6 grid grid-cols-2 gap-3 text-sm sm:grid-cols-3 lg:grid-cols-[minmax(0,1.6fr)_repeat(4,minmax(0,1fr))] noscript:hidden print:hidden"
      >
        <div className="flex items-end gap-3 max-lg:col-span-full">
          <label className="min-w-0 grow">
            {m.filter_words()}
            <input
              type="search"
              name="words"
              value={wanted.words}
              onChange={({ target }) => set('words', target.value)}
              className={fieldClass}
            />
          </label>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpened(!isOpen)}
            className="h-11 rounded-md border border-line-strong bg-surface px-4 text-base font-semibold sm:hidden"
          >
            {m.filter_more()}
            {chosen > 0 && ` ${chosen}`}
          </button>
        </div>
        {lists.map(
          ([name, label, options]) =>
            options.length > 1 && (
              <label key={name} className={`min-w-0 ${isOpen ? '' : 'max-sm:hidden'}`}>
                {label}
                <select
                  name={name}
                  value={shown(name)}
                  onChange={({ target }) => set(name, target.value)}
                  className={fieldClass}
                >
                  <option value="">{m.filter_all()}</option>
                  {options.map((option) => (
                    <option key={option} value={option}>
                      {name === 'kind' ? publicationKindName(option) : option}
                    </option>
                  ))}
                </select>
              </label>
            ),
        )}
        <output className="col-span-full -mt-3 min-h-6 text-ink-soft">
          {isNarrowed && m.filter_found({ found, all: publications.length })}
        </output>
      </form>
    </search>
  );
}

const choices = ['words', 'year', 'kind', 'topic', 'person'] as const;
