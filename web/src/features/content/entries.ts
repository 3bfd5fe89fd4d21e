import type { Content } from '#contract/content';
import type { Locale } from '#contract/locale';
import { PEOPLE_GROUPS, type PeopleGroup } from '#contract/people-groups';
import { isRecord } from '../../lib/is-record.ts';
import { areEntries, isEntry, asText, type ListEntry } from './value-at-path.ts';

/* Ids of entries in the content's lists. Merging and comparing versions match entries by these ids. */

const NAMES = ['name', 'text', 'who', 'caption', 'heading', 'by', 'question', 'what'];

/** The name of an entry: its date, if the entry has a date, and the first text that is not empty. */
export function itemName(item: unknown, locale: Locale = 'ko'): string {
  if (!isRecord(item)) return '';
  const texts = NAMES.map((key) => item[key]).map((text) => (isRecord(text) ? text[locale] : undefined));
  const name = texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '';
  return `${typeof item['date'] === 'string' ? item['date'] : ''} ${name}`.trim();
}

export const newEntryId = () => `i${crypto.randomUUID().slice(0, 8)}`;

/**
 * A copy in which every list entry has an id. An entry stored without an id gets a hash of its text, so that
 * every browser gives the entry the same id. No two people have the same id, even in different groups.
 * @param like the editor's content; an entry gets the id of the entry in `like` that has the same name
 */
export function withEntryIds(content: Content, like?: Content): Content {
  const own = withIds(flattenContent(content));
  return {
    ...unflattenContent(like ? aligned(own, flattenContent(like)) : own),
    publications: content.publications,
  };
}

function withIds<T>(value: T): T;
function withIds(value: unknown): unknown {
  if (Array.isArray(value)) {
    const used = new Set<string>();
    return value.map((item: unknown) => {
      const inside = withIds(item);
      if (!isRecord(inside)) return inside;
      const own = isEntry(inside) ? inside.id : idOf(itemName(inside) || JSON.stringify(inside));
      let id = own;
      for (let count = 2; used.has(id); count += 1) id = `${own}-${count}`;
      used.add(id);
      return { ...inside, id };
    });
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, withIds(inside)]));
}

function aligned<T>(value: T, like: unknown): T;
function aligned(value: unknown, like: unknown): unknown {
  if (areEntries(value) && areEntries(like)) {
    const [own, others] = [value, like].map((list) => new Set(list.map(({ id }) => id)));
    const free = new Set(like.filter(({ id }) => !own?.has(id)));
    return value.map((entry) => {
      const twins = others?.has(entry.id) ? [] : [...free].filter((each) => nameOf(each) === nameOf(entry));
      const twin = twins.find((each) => each['group'] === entry['group']) ?? twins[0];
      if (twin) free.delete(twin);
      const same = twin ?? like.find(({ id }) => id === entry.id);
      return { ...aligned(entry, same), id: same?.id ?? entry.id };
    });
  }
  if (Array.isArray(value) || !isRecord(value) || !isRecord(like)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => [key, aligned<unknown>(inside, like[key])]),
  );
}

const nameOf = (entry: ListEntry) => itemName(entry) || readableText(entry);

const UNREAD = new Set(['id', 'group', 'file']);

/** All human-readable text in a value. */
export function readableText(value: unknown): string {
  if (!isRecord(value)) return asText(value);
  return Object.entries(value)
    .map(([key, inside]) => (UNREAD.has(key) ? '' : readableText(inside)))
    .filter(Boolean)
    .join(' · ');
}

/** Makes an id by a 32-bit FNV-1a hash. An id that contained a name would be wrong after the name changes. */
function idOf(words: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(words)) hash = Math.imul(hash ^ byte, 0x01000193);
  return `i${(hash >>> 0).toString(36)}`;
}

type Paper = { id: string; text: string };
type Person = Content['people']['professors'][number] & { group: PeopleGroup };
/** Content with a list of all people, so that a person's group can change, and a list of BibTeX entries. */
export type FlatContent = Omit<Content, 'people' | 'publications'> & {
  people: Person[];
  publications: Paper[];
};

export function flattenContent({ people, publications, ...texts }: Content): FlatContent {
  const chunks = publications.split(/^(?=[ \t]*@)/m).map((text) => text.trim());
  return {
    ...texts,
    people: PEOPLE_GROUPS.flatMap((group) => people[group].map((person) => ({ ...person, group }))),
    publications: withIds(chunks.filter(Boolean).map((text) => ({ text, id: keyOf(text) }))),
  };
}

/** The key of a BibTeX entry. Dots are replaced, because dots separate the keys of a path. */
const keyOf = (text: string) =>
  `@${/^\s*@\w+\s*[{(]\s*([^\s,={}]+)/.exec(text)?.[1] ?? idOf(text)}`.replaceAll('.', '_');

/** Converts flat content back. Puts an empty line between two publications. */
export function unflattenContent({ people, publications, ...texts }: FlatContent): Content {
  const of = (group: PeopleGroup) =>
    people.flatMap(({ group: own, ...person }) => (own === group ? [person] : []));
  const hidden = (group: PeopleGroup) =>
    of(group).map((person) => Object.assign(person, { photograph: null }));
  return {
    ...texts,
    people: {
      professors: of('professors'),
      graduate_students: of('graduate_students'),
      undergraduate_students: hidden('undergraduate_students'),
      graduate_alumnis: of('graduate_alumnis'),
      undergraduate_alumnis: hidden('undergraduate_alumnis'),
    },
    publications: publications.map(({ text }) => `${text}\n`).join('\n'),
  };
}
