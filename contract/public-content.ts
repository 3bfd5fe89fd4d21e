import {
  localize,
  localizePhone,
  type Bilingual,
  type Content,
  type Localized,
  type Person,
} from './content.ts';
import type { Locale } from './locale.ts';
import {
  PEOPLE_GROUPS,
  obfuscateEmail,
  type MembersOnlyGroup,
  type People,
  type PeopleGroup,
  type PersonCard,
} from './people-groups.ts';
import type { Publication, Publications } from './publications.ts';
import { seoulDay } from './time.ts';

/**
 * The content from which the public pages are rendered: without people whose names are not public, emails
 * with AT instead of @, and only the main page's publications and the count of all.
 */
export type PublicContent = Omit<Content, 'lab' | 'people' | 'projects' | 'publications'> & {
  lab: PublicLab;
  people: Omit<Content['people'], MembersOnlyGroup>;
  /** `path`: the address of the project's own page. */
  projects: (Content['projects'][number] & { path: string })[];
  /** `byName`: the number of papers per person, by each public name of the person. */
  publications: { selected: Publication[]; count: number; byName: Record<string, number> };
};

/** The lab, and which of its pages exist: what every page needs for its menu. */
export type PublicLab = Content['lab'] & { shows: { publications: boolean; join: boolean } };

/** Response of GET /api/content/published; `at` in milliseconds since 1970. */
export type PublishedContent = {
  version: number;
  at: number;
  content: PublicContent;
  publications: Publications;
};

/**
 * @param publications parsed from the content's BibTeX
 * @param now milliseconds since 1970: an invitation whose last day in Seoul has passed is omitted
 */
export function publicContent(content: Content, { all, selected }: Publications, now: number): PublicContent {
  const { people, lab, privacy, ...texts } = withoutIds(content);
  const { professors, graduate_students, graduate_alumnis } = people;
  const seen = <T extends { email: string }>(given: T): T => ({
    ...given,
    email: obfuscateEmail(given.email),
  });
  const { join } = texts;
  const hidden = new Set(
    [...people.undergraduate_students, ...people.undergraduate_alumnis].flatMap(({ name }) => [
      name.ko,
      name.en,
    ]),
  );
  const isOver = join !== null && join.until !== '' && seoulDay(now) > join.until;
  return {
    ...texts,
    privacy: seen(privacy),
    lab: { ...seen(lab), shows: { publications: all.length > 0, join: join !== null && !isOver } },
    projects: texts.projects.map((project) => ({
      ...project,
      people: project.people.filter(({ ko, en }) => !hidden.has(ko) && !hidden.has(en)),
      path: projectPath(project),
    })),
    news: texts.news.toSorted((a, b) => b.date.localeCompare(a.date)),
    join: isOver ? null : join,
    people: {
      professors: professors.map(seen),
      graduate_students: graduate_students.map(seen),
      graduate_alumnis: graduate_alumnis.map(seen),
    },
    publications: {
      selected: selected.map((publication) => {
        const short = { ...publication };
        delete short.abstract;
        return short;
      }),
      count: all.length,
      byName: papersByName(all),
    },
  };
}

/** Removes the ids of entries, which only the editor needs. */
function withoutIds<T>(value: T): T;
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutIds(item));
  if (typeof value !== 'object' || value === null) return value;
  const others = Object.entries(value).filter(([key]) => key !== 'id');
  return Object.fromEntries(others.map(([key, inside]) => [key, withoutIds<unknown>(inside)]));
}

function papersByName(all: readonly Publication[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { authors } of all)
    for (const { person } of authors)
      if (person) for (const name of new Set([person.ko, person.en])) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** People whose names visitors may see. */
const publicPeople = ({ people }: Pick<Content, 'people'>): Person[] =>
  [people.professors, people.graduate_students, people.graduate_alumnis].flat();

/** `/projects/city-garden-network`: the address of a project's page, from the English name. */
export const projectPath = ({ name }: { name: Bilingual }) =>
  `/projects/${
    name.en
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? ''
  }`;

/** The keys of a project's papers. */
export const paperKeysIn = (papers: string) => papers.match(/\S+/g) ?? [];

/** The widths in pixels in which a photograph is served, if it is at least that wide. */
export const PHOTOGRAPH_WIDTHS = [256, 640, 1280];

/** The people and topics with which BibTeX entries are compared. */
export const peopleAndTopicNames = (content: Content) => ({
  people: publicPeople(content).map(({ name }) => name),
  topics: content.about.topics.map(({ name }) => name),
});

/** Reads id, size and widths from an uploaded photograph's name; undefined for any other file. */
export function parsePhotographName(file: string) {
  const [, id, width, height, type] = /^([0-9a-f]{16})-(\d{1,4})x(\d{1,5})\.(webp|jpg|png)$/.exec(file) ?? [];
  if (id === undefined || type === undefined) return undefined;
  const size = { width: Number(width), height: Number(height) };
  const widths = [...PHOTOGRAPH_WIDTHS.filter((each) => each < size.width), size.width];
  return { id, type, ...size, widths };
}

/** Whether a picture belongs to the example content, and the laboratory has not yet replaced the picture. */
export const isPlaceholder = (file: string) => file.startsWith('placeholder-');

/** People as in the response of GET /api/people, where a card's empty fields are omitted. */
export function personCards(people: Content['people'], locale: Locale): Record<PeopleGroup, PersonCard[]>;
export function personCards(people: PublicContent['people'], locale: Locale): People;
export function personCards(people: Partial<Content['people']>, locale: Locale): People {
  const groups = PEOPLE_GROUPS.flatMap((group) => {
    const list = people[group];
    return list ? [[group, list.map((each) => cardOf(localize<Person>(each, locale), locale))] as const] : [];
  });
  return Object.fromEntries(groups);
}

function cardOf(
  { id: _id, name, position, department, phone, links, ...more }: Localized<Person>,
  locale: Locale,
): PersonCard {
  const others = { ...more, phone: localizePhone(phone, locale), links: filledIn(links) };
  return { name, position, department, ...filledIn(others) };
}

/** Leaves out every field whose value is null or an empty text, list or object. */
function filledIn<T extends object>(values: T): { [Key in keyof T]?: NonNullable<T[Key]> };
function filledIn(values: object): object {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => Object.keys(Object(value)).length > 0),
  );
}
