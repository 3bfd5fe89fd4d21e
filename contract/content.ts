import * as z from 'zod';
import { PEOPLE_GROUPS, type MembersOnly, type People, type PeopleGroup, type PersonCard } from './people.ts';
import type { Publication, Publications } from './publications.ts';
import type { Locale } from './locale.ts';
import { textSchema } from './texts.ts';

/** The same in both languages of the page. Where a text may be absent, both are empty. */
export type Bilingual = { ko: string; en: string };

const TEXT_MAX = 2000;
const LIST_MAX = 200;

const text = textSchema(TEXT_MAX, `${TEXT_MAX}자까지 쓸 수 있습니다`);
const bilingual = z.strictObject({ ko: text, en: text });
const listOf = <T extends z.ZodType>(item: T) =>
  z.array(item).max(LIST_MAX, `${LIST_MAX}개까지 넣을 수 있습니다`);

/** A file of content/photographs, or the id of a photograph that was uploaded, and what it shows for those who cannot see it. */
const photograph = z.strictObject({ file: text.min(1), alt: bilingual });

const person = z.strictObject({
  name: bilingual,
  position: bilingual,
  department: bilingual,
  office: bilingual,
  email: text,
  phone: text,
  links: z.strictObject({ homepage: text, scholar: text, orcid: text, github: text }),
  interests: listOf(bilingual),
  photograph: photograph.nullable(),
});
/** The file of a photograph is public, so people whose names are not have none. */
const member = person.extend({
  photograph: z.null('이 그룹의 이름과 사진은 공개되지 않으므로 사진을 넣을 수 없습니다'),
});

/** All that the public pages say of the laboratory, in both languages. An absent text is empty, an absent part null or an empty list. */
export const contentSchema = z.strictObject({
  lab: z.strictObject({
    name: bilingual,
    affiliation: bilingual,
    /** The claim under the name, one sentence. */
    lead: bilingual,
    /** With AT in place of @, so that no address harvester finds it. */
    email: text,
    phone: text,
    address: listOf(bilingual),
    /** WGS 84 degrees. */
    place: z.strictObject({
      name: bilingual,
      latitude: z.number('숫자로 쓰세요').min(-90).max(90),
      longitude: z.number('숫자로 쓰세요').min(-180).max(180),
    }),
  }),
  about: z.strictObject({
    paragraphs: listOf(bilingual),
    topics: listOf(z.strictObject({ name: bilingual, text: bilingual })),
    /** What the drawn figure shows. */
    figure: z.strictObject({ alt: bilingual, caption: bilingual }),
    /** One thing that the laboratory has shown, as a number. */
    result: z.strictObject({ figure: bilingual, text: bilingual, source: bilingual, link: text }).nullable(),
    /** The drawing of the hardware on the first screen, and the parts that it numbers. */
    hardware: z.strictObject({ alt: bilingual, caption: bilingual, parts: listOf(bilingual) }).nullable(),
  }),
  people: z.strictObject({
    professors: listOf(person),
    graduate_students: listOf(person),
    undergraduate_students: listOf(member),
    graduate_alumnis: listOf(person),
    undergraduate_alumnis: listOf(member),
  } satisfies Record<PeopleGroup, z.ZodType>),
  projects: listOf(
    /** `topic`: the English name of its research topic. */
    z.strictObject({
      topic: text,
      name: bilingual,
      years: text,
      funder: bilingual,
      text: bilingual,
      link: text,
    }),
  ),
  /** In any order. */
  news: listOf(z.strictObject({ date: text, text: bilingual, link: text })),
  /** Null when nobody is sought. */
  join: z
    .strictObject({
      /** A few words for the first screen. */
      mark: bilingual,
      heading: bilingual,
      text: bilingual,
      positions: listOf(z.strictObject({ who: bilingual, brings: bilingual, gets: bilingual })),
      /** How one applies, step by step. */
      steps: listOf(bilingual),
      /** The last day, in Seoul; empty for an invitation that stands until it is taken out. */
      until: text,
    })
    .nullable(),
  /** Of the hardware and where it works. */
  photographs: listOf(photograph.extend({ caption: bilingual })),
  /** BibTeX. */
  publications: z.string().max(1_000_000, '논문 목록이 너무 깁니다'),
});
export type Content = z.infer<typeof contentSchema>;
export type Person = z.infer<typeof person>;

/** Bytes that a draft may have as JSON. */
export const CONTENT_BYTES = 2_000_000;

/** Answer of GET /api/content and of PUT. `published` is what visitors see, by the version of that name. */
export type ContentState = {
  draft: Content;
  /** Rises with each change of the draft; 0 is the content that the product was built with. */
  version: number;
  published: Content;
  publishedVersion: number;
};

/** One row of GET /api/content/versions, newest first. 0 is the content that the product was built with. */
export type PublishedVersion = {
  version: number;
  /** ISO 8601, UTC. */ at: string | null;
  by: string | null;
};

/**
 * What the public pages are drawn from: without people whose names are not public, emails with AT in place of @, and of the
 * publications those of the main page and the number of all.
 */
export type PublicContent = Omit<Content, 'people' | 'publications'> & {
  people: Omit<Content['people'], MembersOnly>;
  publications: { selected: Publication[]; count: number };
};

/** @param publications of the content's BibTeX */
export function publicContent(content: Content, { all, selected }: Publications): PublicContent {
  const { professors, graduate_students, graduate_alumnis } = content.people;
  const seen = (people: Person[]) =>
    people.map((person) => ({ ...person, email: person.email.replace('@', ' AT ') }));
  return {
    ...content,
    people: {
      professors: seen(professors),
      graduate_students: seen(graduate_students),
      graduate_alumnis: seen(graduate_alumnis),
    },
    publications: {
      selected: selected.map(({ abstract: _, ...publication }) => publication),
      count: all.length,
    },
  };
}

/** Names in both languages of the people whom a visitor may see. */
export const publicNames = ({ people }: Content): string[] =>
  [people.professors, people.graduate_students, people.graduate_alumnis]
    .flat()
    .flatMap(({ name }) => [name.ko, name.en]);

/** A text in one language wherever the value has one in both. */
export type In<T> = T extends Bilingual
  ? string
  : T extends (infer Item)[]
    ? In<Item>[]
    : T extends object
      ? { [Key in keyof T]: In<T[Key]> }
      : T;

/** The value in one language. */
export function inLanguage<T>(value: T, locale: Locale): In<T>;
export function inLanguage(value: unknown, locale: Locale): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => inLanguage(item, locale));
  if (typeof value !== 'object' || value === null) return value;
  if ('ko' in value && 'en' in value) return value[locale];
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, inLanguage<unknown>(item, locale)]),
  );
}

/** A telephone of Korea as it is dialled from where the language is read: `02-555-0142`, `+82-2-555-0142`. */
export const phoneIn = (phone: string, locale: Locale) =>
  locale === 'en' ? phone.replace(/^0/, '+82-') : phone;

/** People as GET /api/people answers with them: a card's absent fields are absent. */
export function cardsOf(people: Content['people'], locale: Locale): Record<PeopleGroup, PersonCard[]>;
export function cardsOf(people: PublicContent['people'], locale: Locale): People;
export function cardsOf(people: Partial<Content['people']>, locale: Locale): People {
  const groups = PEOPLE_GROUPS.flatMap((group) => {
    const list = people[group];
    return list
      ? [[group, list.map((each) => cardOf(inLanguage<Person>(each, locale), locale))] as const]
      : [];
  });
  return Object.fromEntries(groups);
}

function cardOf(
  { name, position, department, office, email, phone, links, interests, photograph }: In<Person>,
  locale: Locale,
): PersonCard {
  const known = Object.fromEntries(Object.entries(links).filter(([, address]) => address !== ''));
  return {
    name,
    position,
    department,
    ...(office !== '' && { office }),
    ...(email !== '' && { email }),
    ...(phone !== '' && { phone: phoneIn(phone, locale) }),
    ...(Object.keys(known).length > 0 && { links: known }),
    ...(interests.length > 0 && { interests }),
    ...(photograph && { photograph }),
  };
}
