import type { Content } from '#contract/content';
import { PEOPLE_GROUPS } from '#contract/people-groups';
import { PARTS, type Field } from './form-fields.ts';
import { itemName } from './entries.ts';
import { placeOf, valueAt, type Path } from './value.ts';

const LANGUAGES: Partial<Record<string, string>> = { ko: '한국어', en: 'English' };
/** Keys that belong to a photograph, which is one field of the form. */
const PICTURE: Partial<Record<string, string>> = { file: '파일', alt: '설명', group: '구분' };

/**
 * Describes a place in the content with the form's labels.
 * @param path `people.professors.0.name.ko` is 구성원 › 교수 › 김가람 › 이름 › 한국어; a path may also have an entry's id,
 *   and leave out the people's group
 */
export function placeText(path: string, content: Content): string {
  const keys = path.split('.');
  const [first = '', line] = keys;
  if (first === 'publications') {
    if (line === undefined) return '논문';
    return `논문 › ${line.startsWith('@') ? line.slice(1) : `${line}행`}`;
  }
  if (first === 'people' && line?.startsWith('i')) {
    const group = PEOPLE_GROUPS.find((each) => content.people[each].some(({ id }) => id === line));
    if (group) keys.splice(1, 0, group);
  }
  const part = PARTS.find(({ name }) => name === first);
  if (!part) return path;
  // A part with a single field is called by that field's name.
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
  // A photograph's values are stored in its item directly, without a key of its own.
  if (!field) return [PICTURE[key] ?? LANGUAGES[key] ?? key, ...wordsIn([], rest, at, content)];
  if (field.kind === 'group') return [field.label, ...wordsIn(field.fields, rest, at, content)];
  if (field.kind !== 'list') return [field.label, ...wordsIn([], rest, at, content)];
  const [index, ...inItem] = rest;
  if (index === undefined) return [field.label];
  const item = [...at, index];
  const list = valueAt(content, at);
  const place = Array.isArray(list) ? placeOf(list, index) : Number(index);
  const name = itemName(valueAt(content, item)) || `${place + 1}번째`;
  const itemFields = typeof field.item === 'string' ? [] : field.item;
  return [field.label, name, ...wordsIn(itemFields, inItem, item, content)];
}
