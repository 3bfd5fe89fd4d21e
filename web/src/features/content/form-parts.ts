import type { Content } from '#contract/content';
import { contentModel, type FieldModels } from '#contract/content-model';
import { PEOPLE_GROUPS } from '#contract/people-groups';
import { itemName } from './entries.ts';
import { indexOfEntry, valueAt, type ValuePath } from './value-at-path.ts';

export type FormPart = {
  name: string;
  title: string;
  /** Id of the section of the public page that shows these fields. */
  section: string;
  path: ValuePath;
  fields: FieldModels;
};

const partOf = (name: 'lab' | 'about' | 'people' | 'privacy', section: string): FormPart => {
  const { label, fields } = contentModel[name];
  return { name, title: label, section, path: [name], fields };
};
const listsOf = (name: string, section: string, title: string, fields: FieldModels): FormPart => ({
  name,
  title,
  section,
  path: [],
  fields,
});
const { news, projects, join, photographs, group, ways, lists } = contentModel;

/** The parts of the form, in their order on screen. */
export const FORM_PARTS: readonly FormPart[] = [
  partOf('lab', 'title'),
  partOf('about', 'about'),
  partOf('people', 'people'),
  listsOf('news', 'title', '소식', { news }),
  listsOf('projects', 'about', '과제', { projects }),
  listsOf('join', 'join', '모집', { join }),
  listsOf('photographs', 'about', '사진', { photographs, group }),
  listsOf('ways', 'contact', '오시는 길', { ways }),
  listsOf('lists', 'about', '세미나·논문 주제', { lists }),
  // This part has no fields, because `BibtexField` edits the publications.
  listsOf('publications', 'publications', '논문', {}),
  partOf('privacy', 'privacy'),
];

/** Labels of keys that are not fields of the content model. */
const KEYS: Partial<Record<string, string>> = { ko: '한국어', en: 'English', group: '구분' };

/**
 * The labels of a path in the content: `people.professors.0.name.ko` is 구성원 › 교수 › 김가람 › 이름 › 한국어.
 * @param path may have an entry's id instead of the index, and may lack the people's group
 */
export function fieldPathText(path: string, content: Content): string {
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
  return wordsIn(contentModel, keys, [], content).join(' › ');
}

function wordsIn(
  fields: FieldModels,
  [key, ...rest]: string[],
  before: ValuePath,
  content: Content,
): string[] {
  if (key === undefined) return [];
  const at = [...before, key];
  const field = fields[key];
  if (!field) return [KEYS[key] ?? key, ...wordsIn({}, rest, at, content)];
  if (field.kind === 'group') return [field.label, ...wordsIn(field.fields, rest, at, content)];
  const [index, ...inItem] = rest;
  if (field.kind !== 'list' || index === undefined) return [field.label, ...wordsIn({}, rest, at, content)];
  const item = [...at, index];
  const list = valueAt(content, at);
  const place = Array.isArray(list) ? indexOfEntry(list, index) : Number(index);
  const name = itemName(valueAt(content, item)) || (place >= 0 ? `${place + 1}번째` : '삭제된 항목');
  const itemFields = field.item.kind === 'group' ? field.item.fields : {};
  return [field.label, name, ...wordsIn(itemFields, inItem, item, content)];
}
