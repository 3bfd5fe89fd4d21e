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
  type MembersOnly,
  type People,
  type PeopleGroup,
  type PersonCard,
} from './people.ts';
import type { Publication, Publications } from './publications.ts';
import { seoulDay } from './time.ts';

/**
 * What the public pages are drawn from: without people whose names are not public, emails with AT in place of @, and of the
 * publications those of the main page and the number of all.
 */
export type PublicContent = Omit<Content, 'lab' | 'people' | 'projects' | 'publications'> & {
  lab: PublicLab;
  people: Omit<Content['people'], MembersOnly>;
  /** `path`: of its own page. */
  projects: (Content['projects'][number] & { path: string })[];
  /** `byName`: how many papers somebody has, by each name under which a visitor sees somebody. */
  publications: { selected: Publication[]; count: number; byName: Record<string, number> };
};

/** The lab, and which of its pages there are: what every page needs for its menu. */
export type PublicLab = Content['lab'] & { shows: { publications: boolean; join: boolean } };

/** Answer of GET /api/content/published; `at` in milliseconds since 1970. */
export type Published = { version: number; at: number; content: PublicContent; publications: Publications };

/**
 * @param publications of the content's BibTeX
 * @param now milliseconds since 1970: an invitation whose last day has passed in Seoul is absent
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

/** Ids of entries are the editor's. */
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

/** The people whom a visitor may see. */
const publicPeople = ({ people }: Pick<Content, 'people'>): Person[] =>
  [people.professors, people.graduate_students, people.graduate_alumnis].flat();

/** `/projects/city-garden-network`: the address of a project's page, by its English name. */
export const projectPath = ({ name }: { name: Bilingual }) =>
  `/projects/${
    name.en
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? ''
  }`;

/** Keys of papers, as a project names them. */
export const keysIn = (papers: string) => papers.match(/\S+/g) ?? [];

/** Widths in pixels in which an uploaded photograph is served, as far as it is that wide. */
export const PHOTOGRAPH_WIDTHS = [256, 640, 1280];

/** What entries of the BibTeX are compared with. */
export const knownOf = (content: Content) => ({
  people: publicPeople(content).map(({ name }) => name),
  topics: content.about.topics.map(({ name }) => name),
});

/** Reads id, size and widths from the name of an uploaded photograph. A file of content/photographs gives undefined. */
export function uploadedPicture(file: string) {
  const [, id, width, height, type] = /^([0-9a-f]{16})-(\d{1,4})x(\d{1,5})\.(webp|jpg|png)$/.exec(file) ?? [];
  if (id === undefined || type === undefined) return undefined;
  const size = { width: Number(width), height: Number(height) };
  const widths = [...PHOTOGRAPH_WIDTHS.filter((each) => each < size.width), size.width];
  return { id, type, ...size, widths };
}

/** People as GET /api/people answers with them: a card's absent fields are absent. */
export function cardsOf(people: Content['people'], locale: Locale): Record<PeopleGroup, PersonCard[]>;
export function cardsOf(people: PublicContent['people'], locale: Locale): People;
export function cardsOf(people: Partial<Content['people']>, locale: Locale): People {
  const groups = PEOPLE_GROUPS.flatMap((group) => {
    const list = people[group];
    return list ? [[group, list.map((each) => cardOf(localize<Person>(each, locale), locale))] as const] : [];
  });
  return Object.fromEntries(groups);
}

function cardOf(
  {
    name,
    position,
    department,
    office,
    email,
    phone,
    links,
    interests,
    photograph,
    years,
    after,
  }: Localized<Person>,
  locale: Locale,
): PersonCard {
  const known = Object.fromEntries(Object.entries(links).filter(([, address]) => address !== ''));
  return {
    name,
    position,
    department,
    ...(office !== '' && { office }),
    ...(email !== '' && { email }),
    ...(phone !== '' && { phone: localizePhone(phone, locale) }),
    ...(Object.keys(known).length > 0 && { links: known }),
    ...(interests.length > 0 && { interests }),
    ...(photograph && { photograph }),
    ...(years !== '' && { years }),
    ...(after !== '' && { after }),
  };
}
