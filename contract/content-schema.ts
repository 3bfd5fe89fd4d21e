import * as z from 'zod';
import type { PeopleGroup } from './people.ts';
import { textSchema } from './texts.ts';

/* Apart from content.ts, because the first script of the public page has no room for zod. */

const TEXT_MAX = 2000;
const LIST_MAX = 200;

/** Characters that no page shows and that a feed, which is XML, must not hold; a line may end. */
const UNSHOWN = /[^\P{Cc}\n\t]|[\ufffe\uffff]/gu;
const text = textSchema(TEXT_MAX, `${TEXT_MAX}자까지 쓸 수 있습니다`).overwrite((given) =>
  given.replace(UNSHOWN, ''),
);
const bilingual = z.object({ ko: text, en: text });
const listOf = <T extends z.ZodType>(item: T) =>
  z.array(item).max(LIST_MAX, `${LIST_MAX}개까지 넣을 수 있습니다`);

/** Parts that came later are absent in what was stored before. */
const later = bilingual.default({ ko: '', en: '' });
const laterText = text.default('');

/** A file of content/photographs, or the id of a photograph that was uploaded, and what it shows for those who cannot see it. */
const photograph = z.object({ file: text.min(1), alt: bilingual });

export const personSchema = z.object({
  name: bilingual,
  position: bilingual,
  department: bilingual,
  office: bilingual,
  email: text,
  phone: text,
  links: z.object({ homepage: text, scholar: text, orcid: text, github: text }),
  interests: listOf(bilingual),
  /** When somebody was a member, `2018–2023`, and where somebody is who has left. */
  years: laterText,
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
    name: bilingual,
    affiliation: bilingual,
    /** The claim under the name, one sentence. */
    lead: bilingual,
    /** With AT in place of @, so that no address harvester finds it. */
    email: text,
    phone: text,
    address: listOf(bilingual),
    /** WGS 84 degrees. */
    place: z.object({
      name: bilingual,
      latitude: z.number('숫자로 쓰세요').min(-90).max(90),
      longitude: z.number('숫자로 쓰세요').min(-180).max(180),
    }),
  }),
  about: z.object({
    paragraphs: listOf(bilingual),
    topics: listOf(z.object({ name: bilingual, text: bilingual })),
    /** What the drawn figure shows. */
    figure: z.object({ alt: bilingual, caption: bilingual }),
    /** One thing that the laboratory has shown, as a number: written, or counted in days since a day. */
    result: z
      .object({ since: laterText, figure: bilingual, text: bilingual, source: bilingual, link: text })
      .nullable(),
    /** The drawing of the hardware on the first screen, and the parts that it numbers. */
    hardware: z.object({ alt: bilingual, caption: bilingual, parts: listOf(bilingual) }).nullable(),
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
      topic: text,
      name: bilingual,
      years: text,
      funder: bilingual,
      text: bilingual,
      link: text,
      /** On its own page: who works on it, keys of its papers with spaces between them, addresses and a picture. */
      people: listOf(bilingual).default([]),
      papers: laterText,
      code: laterText,
      data: laterText,
      photograph: photograph.nullable().default(null),
    }),
  ),
  /** In any order. */
  news: listOf(z.object({ date: text, text: bilingual, link: text })),
  /** Null when nobody is sought. */
  join: z
    .object({
      /** A few words for the first screen. */
      mark: bilingual,
      heading: bilingual,
      text: bilingual,
      positions: listOf(z.object({ who: bilingual, brings: bilingual, gets: bilingual })),
      /** How one applies, step by step. */
      steps: listOf(bilingual),
      /** What somebody asks who applies from abroad. */
      abroad: listOf(z.object({ question: bilingual, answer: bilingual })).default([]),
      /** The last day, in Seoul; empty for an invitation that stands until it is taken out. */
      until: text,
    })
    .nullable(),
  /** Of the hardware and where it works. */
  photographs: listOf(captioned),
  /** To the laboratory: by bus, on foot. */
  ways: listOf(z.object({ by: bilingual, text: bilingual })).default([]),
  /** Of the people, together and at work. */
  group: listOf(captioned).default([]),
  /** Seminars, topics for theses and the like. */
  lists: listOf(
    z.object({
      heading: bilingual,
      items: listOf(z.object({ when: text, what: bilingual, who: bilingual, link: text })),
    }),
  ).default([]),
  /** Who answers for personal data, and since when the notice stands: the document has the rest. */
  privacy: z
    .object({
      officer: bilingual,
      position: bilingual,
      /** With AT in place of @. */
      email: text,
      phone: text,
      /** A day, as are those of the earlier notices. */
      since: text,
      earlier: listOf(z.object({ since: text, text: bilingual, link: text })),
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
