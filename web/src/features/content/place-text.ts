import type { Content } from '#contract/content';
import { PARTS, type Field } from './form-fields.ts';
import { textOf, valueAt, type Path } from './value.ts';

const LANGUAGES: Partial<Record<string, string>> = { ko: '한국어', en: 'English' };
/** Keys of a photograph, which is one field of the form. */
const PICTURE: Partial<Record<string, string>> = { file: '파일', alt: '설명' };

/**
 * A place of the content in the form's words.
 * @param path `people.professors.0.name.ko` is 구성원 › 교수 › 김가람 › 이름 › 한국어
 */
export function placeText(path: string, content: Content): string {
  const keys = path.split('.');
  const [first = '', line] = keys;
  if (first === 'publications') return line === undefined ? '논문' : `논문 › ${line}행`;
  const part = PARTS.find(({ name }) => name === first);
  if (!part) return path;
  // A part of one field is called as that field.
  const inside =
    part.field === undefined
      ? part.fields
      : [{ ...part, kind: 'group', key: first, label: part.title } as const];
  return wordsIn(inside, keys, [], content).join(' › ');
}

function wordsIn(
  fields: readonly Field[],
  [key, ...rest]: string[],
  before: Path,
  content: Content,
): string[] {
  if (key === undefined) return [];
  const at = [...before, key];
  const field = fields.find((each) => each.key === key);
  // A photograph stands in its item without a key of its own.
  if (!field) return [PICTURE[key] ?? LANGUAGES[key] ?? key, ...wordsIn([], rest, at, content)];
  if (field.kind === 'group') return [field.label, ...wordsIn(field.fields, rest, at, content)];
  if (field.kind !== 'list') return [field.label, ...wordsIn([], rest, at, content)];
  const [index, ...inItem] = rest;
  if (index === undefined) return [field.label];
  const item = [...at, index];
  const name = itemName(valueAt(content, item)) || `${Number(index) + 1}번째`;
  const itemFields = typeof field.item === 'string' ? [] : field.item;
  return [field.label, name, ...wordsIn(itemFields, inItem, item, content)];
}

/** What an item is called in a list: its first Korean text. */
export function itemName(item: unknown): string {
  if (typeof item !== 'object' || item === null) return '';
  const { date = '', name, text, who, caption }: Record<string, unknown> = { ...item };
  const words = [name, text, who, caption].find((each) => textOf(valueAt(each, ['ko'])) !== '');
  return `${textOf(date)} ${textOf(valueAt(words, ['ko']))}`.trim();
}
