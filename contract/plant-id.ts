import { normalizeText } from './printable-text.ts';
import * as z from 'zod';

/** A plant's topic level: the name by which its board and its bridge know it. */
const NAME = /^[^\p{Cc}\p{Bidi_Control}/+#]+$/u;

export const plantIdSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(NAME, 'a plant has no control or bidirectional character, slash, plus or hash in its name')
  // A lone surrogate has no UTF-8 encoding, so the database would store a different name.
  .refine((name) => !/\p{Surrogate}/u.test(name), 'not well-formed Unicode');

/** Invisible characters, except joiners in emoji and the letters of flags: `normalizeText` handles these. */
const UNSEEN =
  /(?!\u200d|[\u{e0020}-\u{e007f}]|(?<=\p{Extended_Pictographic})(?<!\p{Emoji_Presentation})\ufe0f)[\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Full-width and half-width letters. */
const OTHER_WIDTH = /[\uff01-\uffee]+/g;

/**
 * The normalized spelling of a plant's name, so that no two names look alike: `normalizeText` is applied, and
 * invisible letters, other widths and repeated spaces are removed. Empty if nothing visible is left.
 */
export const normalizePlantName = (name: string): string =>
  normalizeText(
    name.replace(OTHER_WIDTH, (letters) => letters.normalize('NFKC')).replace(UNSEEN, ''),
  ).replace(/\s+/g, ' ');

/**
 * The name that people give to an existing plant. Ingest puts a `#` into the name of a new plant whose topic
 * equals another plant's name, so nobody may choose such a name.
 */
export const plantNameSchema = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}\p{Bidi_Control}/+]+$/u);

/** The subject of a board's message: the last level of its topic. */
export const TOPIC_SUBJECTS = ['soil_moisture', 'availability'] as const;
export type TopicSubject = (typeof TOPIC_SUBJECTS)[number];

/** The topic of a plant; with `+` as the id, a filter for all plants. */
export const plantTopic = (id: string, subject: TopicSubject): string => `lab/plants/${id}/${subject}`;

const TOPICS = TOPIC_SUBJECTS.map((subject) => ({
  subject,
  topic: new RegExp(`^${plantTopic('([^/]+)', subject)}$`),
}));

/** The plant and subject of a topic, as `plantTopic` builds it; undefined if the topic is not a plant's. */
export function parsePlantTopic(name: string): { plant: string; subject: TopicSubject } | undefined {
  for (const { subject, topic } of TOPICS) {
    const plant = plantIdSchema.safeParse(topic.exec(name)?.[1]);
    if (plant.success) return { plant: plant.data, subject };
  }
  return undefined;
}
