import type { contentModel } from './content-model.ts';
import type { Locale } from './locale.ts';

/** The same text in both languages of the page. Both are empty if an optional text is missing. */
export type Bilingual = { ko: string; en: string };

type ValueOf<Field> = Field extends { kind: 'both' }
  ? Bilingual
  : Field extends { kind: 'text' }
    ? string
    : Field extends { kind: 'number' }
      ? number
      : Field extends { kind: 'list'; item: infer Item }
        ? (ValueOf<Item> & { id?: string | undefined })[]
        : Field extends { kind: 'group'; fields: infer Fields; isNullable: infer IsNullable }
          ? ValuesOf<Fields> | (IsNullable extends true ? null : never)
          : null;
type ValuesOf<Fields> = { [Key in keyof Fields]: ValueOf<Fields[Key]> };

export type Content = ValuesOf<typeof contentModel>;
export type Person = Content['people']['professors'][number];

/** Maximum bytes of a draft as JSON. */
export const CONTENT_BYTES_MAX = 2_000_000;
/** How many published versions are stored; one row takes some 50 KB. */
export const CONTENT_VERSIONS_MAX = 50;

/** Response of GET and PUT /api/content. `published` is the content that visitors see. */
export type ContentState = {
  draft: Content;
  /** Rises with each change of the draft; 0 is the content that was part of the build. */
  version: number;
  published: Content;
  publishedVersion: number;
};

/** One row of GET /api/content/versions, newest first. Version 0 is part of the build. */
export type PublishedVersion = {
  version: number;
  /** ISO 8601, UTC. */ at: string | null;
  by: string | null;
};

/** The same type with a string in place of every `Bilingual`. */
export type Localized<T> = T extends Bilingual
  ? string
  : T extends (infer Item)[]
    ? Localized<Item>[]
    : T extends object
      ? { [Key in keyof T]: Localized<T[Key]> }
      : T;

export function localize<T>(value: T, locale: Locale): Localized<T>;
export function localize(value: unknown, locale: Locale): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => localize(item, locale));
  if (typeof value !== 'object' || value === null) return value;
  if ('ko' in value && 'en' in value) return value[locale];
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, localize<unknown>(item, locale)]),
  );
}

/** A Korean telephone number as readers of a language dial it: `02-555-0142`, `+82-2-555-0142`. */
export const localizePhone = (phone: string, locale: Locale) =>
  locale === 'en' ? phone.replace(/^0/, '+82-') : phone;
