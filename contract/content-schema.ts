import * as z from 'zod';
import type { PeopleGroup } from './people.ts';
import { textSchema } from './texts.ts';

/* Apart from content.ts, because the first script of the public page has no room for zod. */

/* How much each kind of field holds, in characters. */
const TEXT_MAX = 2000;
const NAME_MAX = 100;
const LINE_MAX = 200;
const WORD_MAX = 50;
const ADDRESS_MAX = 500;
const LIST_MAX = 200;

/** Characters that no page shows and that a feed, which is XML, must not hold; a line may end. */
const UNSHOWN = /[^\P{Cc}\n\t]|[\ufffe\uffff]/gu;
const textOf = (max: number) =>
  textSchema(max, `${max}자까지 쓸 수 있습니다`).overwrite((given) => given.replace(UNSHOWN, ''));
const bothOf = (max: number) => z.object({ ko: textOf(max), en: textOf(max) });
const bilingual = bothOf(TEXT_MAX);
const name = bothOf(NAME_MAX);
const line = bothOf(LINE_MAX);
const word = textOf(WORD_MAX);
const address = textOf(ADDRESS_MAX);

/** By which the editor knows an entry; what comes from files has none. Nobody else sees it. */
const id = z
  .string()
  .max(40)
  .regex(/^[\w-]+$/)
  .optional();
const listOf = <Shape extends z.ZodRawShape>(item: z.ZodObject<Shape>) =>
  z.array(item.extend({ id })).max(LIST_MAX, `${LIST_MAX}개까지 넣을 수 있습니다`);

/** Parts that came later are absent in what was stored before. */
const later = line.default({ ko: '', en: '' });
const laterWord = word.default('');

/** A file of content/photographs, or the id of a photograph that was uploaded, and what it shows for those who cannot see it. */
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
  /** When somebody was a member, `2018–2023`, and where somebody is who has left. */
  years: laterWord,
  after: later,
  photograph: photograph.nullable(),
});
/** The file of a photograph is public, so people whose names are not have none. */
const member = personSchema.extend({
  photograph: z.null('이 그룹의 이름과 사진은 공개되지 않으므로 사진을 넣을 수 없습니다'),
});

const captioned = photograph.extend({ caption: bilingual });

/** All that the public pages say of the laboratory, in both languages. An absent text is empty, an absent part null or an empty list. */
export const contentSchema = z.object({
  lab: z.object({
    name,
    affiliation: line,
    /** The claim under the name, one sentence. */
    lead: bilingual,
    email: address,
    phone: word,
    address: listOf(line),
    /** WGS 84 degrees. */
    place: z.object({
      name: line,
      latitude: z.number('숫자로 쓰세요').min(-90).max(90),
      longitude: z.number('숫자로 쓰세요').min(-180).max(180),
    }),
  }),
  about: z.object({
    paragraphs: listOf(bilingual),
    topics: listOf(z.object({ name: line, text: bilingual })),
    /** What the drawn figure shows. */
    figure: z.object({ alt: bilingual, caption: bilingual }),
    /** One thing that the laboratory has shown, as a number: written, or counted in days since a day. */
    result: z
      .object({ since: laterWord, figure: line, text: bilingual, source: line, link: address })
      .nullable(),
    /** The drawing of the hardware on the first screen, and the parts that it numbers. */
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
    /** `topic`: the English name of its research topic. */
    z.object({
      topic: textOf(LINE_MAX),
      name: line,
      years: word,
      funder: line,
      text: bilingual,
      link: address,
      /** On its own page: who works on it, keys of its papers with spaces between them, addresses and a picture. */
      people: listOf(name).default([]),
      papers: textOf(TEXT_MAX).default(''),
      code: address.default(''),
      data: address.default(''),
      photograph: photograph.nullable().default(null),
    }),
  ),
  /** In any order. */
  news: listOf(z.object({ date: word, text: bilingual, link: address })),
  /** Null when nobody is sought. */
  join: z
    .object({
      /** A few words for the first screen. */
      mark: line,
      heading: line,
      text: bilingual,
      positions: listOf(z.object({ who: line, brings: bilingual, gets: bilingual })),
      /** How one applies, step by step. */
      steps: listOf(bilingual),
      /** What somebody asks who applies from abroad. */
      abroad: listOf(z.object({ question: bilingual, answer: bilingual })).default([]),
      /** The last day, in Seoul; empty for an invitation that stands until it is taken out. */
      until: word,
    })
    .nullable(),
  /** Of the hardware and where it works. */
  photographs: listOf(captioned),
  /** To the laboratory: by bus, on foot. */
  ways: listOf(z.object({ by: line, text: bilingual })).default([]),
  /** Of the people, together and at work. */
  group: listOf(captioned).default([]),
  /** Seminars, topics for theses and the like. */
  lists: listOf(
    z.object({
      heading: line,
      items: listOf(z.object({ when: word, what: bilingual, who: line, link: address })),
    }),
  ).default([]),
  /** Who answers for personal data, and since when the notice stands: the document has the rest. */
  privacy: z
    .object({
      officer: name,
      position: line,
      email: address,
      phone: word,
      /** A day, as are those of the earlier notices. */
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
  /** BibTeX. */
  publications: z.string().max(500_000, '논문 목록이 너무 깁니다'),
});
