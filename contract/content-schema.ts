import * as z from 'zod';
import type { Content } from './content.ts';
import {
  contentModel,
  emptyValue,
  type BilingualFieldModel,
  type FieldModel,
  type FieldModels,
  type GroupFieldModel,
} from './content-model.ts';
import { textSchema } from './texts.ts';

/* Separate from content-model.ts, because neither the public page nor the editor loads zod. */

const LIST_MAX = 200;

/** Control characters except tab and newline: no page shows them, and the XML of feeds forbids them. */
const UNSHOWN = /[^\P{Cc}\n\t]|[\ufffe\uffff]/gu;
const textOf = (max: number) =>
  textSchema(max, `${max}자까지 쓸 수 있습니다`).overwrite((given) => given.replace(UNSHOWN, ''));

/** The editor's id of an entry, which no page shows; entries from files have no id. */
const id = z
  .string()
  .max(40)
  .regex(/^[\w-]+$/)
  .optional();

/** A field that may be empty may also be missing, because older releases stored content without it. */
function schemaOf(field: FieldModel): z.ZodType {
  if (field.kind === 'null')
    return z.null('이 그룹의 이름과 사진은 공개되지 않으므로 사진을 넣을 수 없습니다').default(null);
  if (field.kind === 'number') return z.number('숫자로 쓰세요').min(-field.most).max(field.most);
  if (field.kind === 'text') return textOf(field.max).default('');
  if (field.kind === 'list')
    return z
      .array(objectOf(field.item).extend({ id }))
      .max(LIST_MAX, `${LIST_MAX}개까지 넣을 수 있습니다`)
      .default([]);
  const schema = objectOf(field);
  if (field.kind === 'both') return field.isOptional ? schema.default({ ko: '', en: '' }) : schema;
  return field.isNullable ? schema.nullable().default(null) : schema;
}

const objectOf = (field: BilingualFieldModel | GroupFieldModel) =>
  field.kind === 'both'
    ? z.object({ ko: textOf(field.max), en: textOf(field.max) })
    : z.object(shapeOf(field.fields));
const shapeOf = (fields: FieldModels) =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, schemaOf(field)]));

/** All content of the public pages, in both languages. A missing text is empty, a missing part null or []. */
export const contentSchema = contentSchemaOf(contentModel);
function contentSchemaOf(model: typeof contentModel): z.ZodType<Content>;
function contentSchemaOf(model: FieldModels): z.ZodType {
  return z.object({ ...shapeOf(model), publications: z.string().max(500_000, '논문 목록이 너무 깁니다') });
}

/** Stored content with all parts of the model: what an older release did not store is empty. */
export function completeContent(stored: unknown): Content;
export function completeContent(stored: unknown): unknown {
  return filled({ kind: 'group', label: '', fields: contentModel, isNullable: false }, stored);
}

function filled(field: FieldModel, value: unknown): unknown {
  if (field.kind === 'null' || (field.kind === 'group' && field.isNullable && value === null)) return null;
  if (field.kind === 'list')
    return Array.isArray(value) ? value.map((item: unknown) => filledFields(field.item, item)) : [];
  if (field.kind === 'both' || (field.kind === 'group' && value !== undefined))
    return filledFields(field, value);
  const empty = emptyValue(field);
  return typeof value === typeof empty ? value : empty;
}

const TEXT: FieldModel = { kind: 'text', label: '', max: 0 };

/** The items of lists keep their ids. */
function filledFields(field: BilingualFieldModel | GroupFieldModel, value: unknown) {
  const given = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const fields: FieldModels = field.kind === 'both' ? { ko: TEXT, en: TEXT } : field.fields;
  const all = Object.entries(fields).map(([key, inside]) => [key, filled(inside, given.get(key))]);
  return Object.fromEntries(given.has('id') ? [...all, ['id', given.get('id')]] : all);
}
