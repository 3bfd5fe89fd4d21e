import * as z from 'zod';
import type { PeopleGroup } from './people-groups.ts';
import { textSchema } from './texts.ts';

/* Separate from content.ts, because the public page's first script must not load zod. */

/* Maximum length of each kind of field, in characters. */
const TEXT_MAX = 2000;
const NAME_MAX = 100;
const LINE_MAX = 200;
const WORD_MAX = 50;
const ADDRESS_MAX = 500;
const LIST_MAX = 200;

/** Control characters except tab and newline: no page shows them, and XML, as in feeds, forbids them. */
const UNSHOWN = /[^\P{Cc}\n\t]|[\ufffe\uffff]/gu;
const textOf = (max: number) =>
  textSchema(max, `${max}자까지 쓸 수 있습니다`).overwrite((given) => given.replace(UNSHOWN, ''));
const bothOf = (max: number) => z.object({ ko: textOf(max), en: textOf(max) });
const bilingual = bothOf(TEXT_MAX);
const name = bothOf(NAME_MAX);
const line = bothOf(LINE_MAX);
const word = textOf(WORD_MAX);
const address = textOf(ADDRESS_MAX);

/** The editor's id of an entry, shown to nobody; entries from files have none. */
const id = z
  .string()
  .max(40)
  .regex(/^[\w-]+$/)
  .optional();
const listOf = <Shape extends z.ZodRawShape>(item: z.ZodObject<Shape>) =>
  z.array(item.extend({ id })).max(LIST_MAX, `${LIST_MAX}개까지 넣을 수 있습니다`);

/** Fields that older stored content lacks. */
const later = line.default({ ko: '', en: '' });
const laterWord = word.default('');

/** A file of content/photographs or the id of an uploaded photograph, and the alternative text. */
const photograph = z.object({ file: address.min(1), alt: bilingual });

export const personSchema = z.object({
  name,
  position: line,
  department: line,
  office: line,
  email: address,
  phone: word,
  links: z.object({ homepage: address, scholar: address, orcid: address, github: address }),
  interests: listOf(line),
  /** `years`: years of membership, as `2018–2023`. `after`: where a former member is now. */
  years: laterWord,
  after: later,
  photograph: photograph.nullable(),
});
/** A photograph's file is public, so people whose names are not public have no photograph. */
const member = personSchema.extend({
  photograph: z.null('이 그룹의 이름과 사진은 공개되지 않으므로 사진을 넣을 수 없습니다'),
});

const captioned = photograph.extend({ caption: bilingual });

/** All content of the public pages, in both languages. A missing text is empty, a missing part null or []. */
export const contentSchema = z.object({
  lab: z.object({
    name,
    affiliation: line,
    /** The claim below the laboratory's name, one sentence. */
    lead: bilingual,
    email: address,
    phone: word,
    address: listOf(line),
    /** Coordinates in WGS 84 degrees. */
    place: z.object({
      name: line,
      latitude: z.number('숫자로 쓰세요').min(-90).max(90),
      longitude: z.number('숫자로 쓰세요').min(-180).max(180),
    }),
  }),
  about: z.object({
    paragraphs: listOf(bilingual),
    topics: listOf(z.object({ name: line, text: bilingual })),
    /** Alternative text and caption of the generated figure. */
    figure: z.object({ alt: bilingual, caption: bilingual }),
    /** One result of the laboratory as a number: a written figure, or the days since the date `since`. */
    result: z
      .object({ since: laterWord, figure: line, text: bilingual, source: line, link: address })
      .nullable(),
    /** The drawing of the hardware on the first screen, and the parts that are numbered in the drawing. */
    hardware: z.object({ alt: bilingual, caption: line, parts: listOf(line) }).nullable(),
  }),
  people: z.object({
    professors: listOf(personSchema),
    graduate_students: listOf(personSchema),
    undergraduate_students: listOf(member),
    graduate_alumnis: listOf(personSchema),
    undergraduate_alumnis: listOf(member),
  } satisfies Record<PeopleGroup, z.ZodType>),
  projects: listOf(
    /** `topic`: the English name of the project's research topic. */
    z.object({
      topic: textOf(LINE_MAX),
      name: line,
      years: word,
      funder: line,
      text: bilingual,
      link: address,
      /** For the project's own page: people, keys of papers, separated by blanks, links and a picture. */
      people: listOf(name).default([]),
      papers: textOf(TEXT_MAX).default(''),
      code: address.default(''),
      data: address.default(''),
      photograph: photograph.nullable().default(null),
    }),
  ),
  /** News in any order. */
  news: listOf(z.object({ date: word, text: bilingual, link: address })),
  /** The invitation to join; null if the laboratory seeks nobody. */
  join: z
    .object({
      /** `mark`: a few words for the first screen. */
      mark: line,
      heading: line,
      text: bilingual,
      positions: listOf(z.object({ who: line, brings: bilingual, gets: bilingual })),
      steps: listOf(bilingual),
      /** Questions and answers for applicants from abroad. */
      abroad: listOf(z.object({ question: bilingual, answer: bilingual })).default([]),
      /** The last day of the invitation, in Seoul; empty for an invitation without an end. */
      until: word,
    })
    .nullable(),
  /** Photographs of the hardware and of the places where it works. */
  photographs: listOf(captioned),
  /** Ways to the laboratory: by bus, on foot. */
  ways: listOf(z.object({ by: line, text: bilingual })).default([]),
  /** Photographs of the people, together and at work. */
  group: listOf(captioned).default([]),
  /** Lists of seminars, thesis topics and the like. */
  lists: listOf(
    z.object({
      heading: line,
      items: listOf(z.object({ when: word, what: bilingual, who: line, link: address })),
    }),
  ).default([]),
  /** Who is responsible for personal data, and the date of the notice; the document has the rest. */
  privacy: z
    .object({
      officer: name,
      position: line,
      email: address,
      phone: word,
      /** `since` is a date, here and in the earlier notices. */
      since: word,
      earlier: listOf(z.object({ since: word, text: bilingual, link: address })),
    })
    .default({
      officer: { ko: '', en: '' },
      position: { ko: '', en: '' },
      email: '',
      phone: '',
      since: '',
      earlier: [],
    }),
  /** The publications as BibTeX. */
  publications: z.string().max(500_000, '논문 목록이 너무 깁니다'),
});
