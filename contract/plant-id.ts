import { cleanText } from './visible-text.ts';
import * as z from 'zod';

/** What a plant is called, and by which its board and bridge know it: one level of an MQTT topic. */
const NAME = /^[^\p{Cc}\p{Bidi_Control}/+#]+$/u;

export const plantIdSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(NAME, 'a plant has no control or bidirectional character, slash, plus or hash in its name')
  // A lone surrogate has no UTF-8 encoding, so the database would store a different name.
  .refine((name) => !/\p{Surrogate}/u.test(name), 'not well-formed Unicode');

/** What is drawn as nothing; `cleanText` judges the joiners of pictures and the letters of flags. */
const UNSEEN =
  /(?!\u200d|[\u{e0020}-\u{e007f}]|(?<=\p{Extended_Pictographic})(?<!\p{Emoji_Presentation})\ufe0f)[\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Letters of full and half width. */
const OTHER_WIDTH = /[\uff01-\uffee]+/g;

/**
 * The one spelling of a plant's name, so that no two look alike: as `cleanText`, without letters that are drawn as
 * nothing, other widths and several spaces. It is empty when nothing of it would be seen.
 */
export const cleanPlantName = (name: string): string =>
  cleanText(name.replace(OTHER_WIDTH, (letters) => letters.normalize('NFKC')).replace(UNSEEN, '')).replace(
    /\s+/g,
    ' ',
  );

/**
 * What people call a plant that there is. Ingest puts a `#` into the name of a plant whose topic is the name of another
 * one, so that nobody can choose that name.
 */
export const givenNameSchema = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[^\p{Cc}\p{Bidi_Control}/+]+$/u);

/** What a board speaks about: the last level of its topics. */
export const SUBJECTS = ['soil_moisture', 'availability'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** The topic of a plant; `+` means that of every one. */
export const plantTopic = (id: string, subject: Subject): string => `lab/plants/${id}/${subject}`;

const TOPICS = SUBJECTS.map((subject) => ({
  subject,
  topic: new RegExp(`^${plantTopic('([^/]+)', subject)}$`),
}));

/** The plant and subject of a topic; undefined when it is no plant's. The opposite of `plantTopic`. */
export function plantOfTopic(name: string): { plant: string; subject: Subject } | undefined {
  for (const { subject, topic } of TOPICS) {
    const plant = plantIdSchema.safeParse(topic.exec(name)?.[1]);
    if (plant.success) return { plant: plant.data, subject };
  }
  return undefined;
}
