import type { Content } from '#contract/content';
import type { Locale } from '#contract/locale';
import { PEOPLE_GROUPS, type PeopleGroup } from '#contract/people-groups';
import { isRecord } from '../../lib/is-record.ts';

/* Who is who in the lists of a content: what two people have made of one, and two versions, are compared by it. */

/** An entry of a list, by whose `id` it is known whatever is written into it and wherever it stands. */
export type Entry = Record<string, unknown> & { id: string };

export const isEntry = (value: unknown): value is Entry => isRecord(value) && typeof value['id'] === 'string';

const NAMES = ['name', 'text', 'who', 'caption', 'heading', 'by', 'question', 'what'];

/** What an entry is called: its first text. */
export function itemName(item: unknown, locale: Locale = 'ko'): string {
  if (!isRecord(item)) return '';
  const texts = NAMES.map((key) => item[key]).map((text) => (isRecord(text) ? text[locale] : undefined));
  const name = texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '';
  return `${typeof item['date'] === 'string' ? item['date'] : ''} ${name}`.trim();
}

export const newId = () => `i${crypto.randomUUID().slice(0, 8)}`;

/** A copy in which every entry of a list has an id of its own. What was stored without one gets that of its words, which is the same for everybody. */
export function identified<T>(value: T): T;
export function identified(value: unknown): unknown {
  if (Array.isArray(value)) {
    const used = new Set<string>();
    return value.map((item: unknown) => {
      const inside = identified(item);
      if (!isRecord(inside)) return inside;
      const own = isEntry(inside) ? inside.id : idOf(itemName(inside) || JSON.stringify(inside));
      let id = own;
      for (let count = 2; used.has(id); count += 1) id = `${own}-${count}`;
      used.add(id);
      return { ...inside, id };
    });
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, identified(inside)]));
}

/** FNV-1a of 32 bits: a name that is changed later should not stand in the id. */
function idOf(words: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(words)) hash = Math.imul(hash ^ byte, 0x01000193);
  return `i${(hash >>> 0).toString(36)}`;
}

type Paper = { id: string; text: string };
type Person = Content['people']['professors'][number] & { group: PeopleGroup };
/** A content whose people are one list, so that who changes the group stays the same, and whose BibTeX is a list of its entries. */
export type Flat = Omit<Content, 'people' | 'publications'> & { people: Person[]; publications: Paper[] };

export function flat({ people, publications, ...texts }: Content): Flat {
  const chunks = publications.split(/^(?=[ \t]*@)/m).map((text) => text.trim());
  return {
    ...texts,
    people: PEOPLE_GROUPS.flatMap((group) => people[group].map((person) => ({ ...person, group }))),
    publications: identified(chunks.filter(Boolean).map((text) => ({ text, id: keyOf(text) }))),
  };
}

/** Without the dot, which divides the keys of a place. */
const keyOf = (text: string) =>
  `@${/^\s*@\w+\s*[{(]\s*([^\s,={}]+)/.exec(text)?.[1] ?? idOf(text)}`.replaceAll('.', '_');

/** The content of it; its papers with an empty line between. */
export function whole({ people, publications, ...texts }: Flat): Content {
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
