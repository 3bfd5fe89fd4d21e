import { firstVersion } from '#content/first-version';
import type { Content } from '#contract/content';
import { contentSchema } from '#contract/content-schema';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findDifferences } from '../../web/src/features/content/differences.ts';
import { flattenContent, withEntryIds, unflattenContent } from '../../web/src/features/content/entries.ts';
import { mergeContent, withoutEntry } from '../../web/src/features/content/merge.ts';
import { fieldPathText } from '../../web/src/features/content/form-parts.ts';
import { moveItem, pathByIds, valueAt, withValueAt } from '../../web/src/features/content/value-at-path.ts';

const base = withEntryIds(firstVersion);
const [model] = base.people.professors;
if (!model) throw new Error('the first version has no professor');
const person = (id: string, ko = id) => ({ ...model, id, name: { ko, en: id }, email: '', phone: '' });
const withStudents = (students: Content['people']['graduate_students']): Content => ({
  ...base,
  people: { ...base.people, graduate_students: students },
});

describe('EDIT-5 two contents made of one', () => {
  /** What somebody does to the entry `id`, or to a list. */
  type Deed = { kind: 'add' | 'delete' | 'move' | 'name' | 'phone' | 'leave'; who: number; to: number };
  const deeds = fc.array(
    fc.record<Deed>({
      kind: fc.constantFrom('add', 'delete', 'move', 'name', 'phone', 'leave'),
      who: fc.nat(9),
      to: fc.nat(9),
    }),
    { maxLength: 6 },
  );
  const did = (content: Content, all: readonly Deed[], by: string): Content =>
    all.reduce((before, { kind, who, to }, at) => {
      const { people, publications } = before;
      const { graduate_students: students, graduate_alumnis: alumni } = people;
      if (kind === 'add') {
        const key = `i${by}${at}`;
        const added = { ...before, publications: `${publications}@misc{${key}, title={${key}}}\n` };
        return withValueAt(added, ['people', 'graduate_students'], students.toSpliced(to, 0, person(key)));
      }
      const one = students[who];
      if (!one) return before;
      const others = students.filter((each) => each !== one);
      if (kind === 'move')
        return withValueAt(before, ['people', 'graduate_students'], moveItem(students, who, to));
      if (kind === 'delete') return withValueAt(before, ['people', 'graduate_students'], others);
      if (kind === 'leave')
        return {
          ...before,
          people: { ...people, graduate_students: others, graduate_alumnis: [...alumni, one] },
        };
      const path = ['people', 'graduate_students', who, ...(kind === 'name' ? ['name', 'ko'] : ['phone'])];
      return withValueAt(before, path, `${by}${at}`);
    }, content);
  const start = { ...withStudents(['ia', 'ib', 'ic', 'id'].map((id) => person(id))), publications: '' };

  test('hold the additions and changes of both, nobody twice, and nobody whom one has deleted and the other left alone', () => {
    fc.assert(
      fc.property(deeds, deeds, (mine, theirs) => {
        const [here, there] = [did(start, mine, 'm'), did(start, theirs, 't')];
        const { content, asked, lost } = mergeContent(start, here, there);
        const [was, one, other, both] = [start, here, there, content].map(
          (each) => new Map(flattenContent(each).people.map((entry) => [entry.id ?? '', entry])),
        );
        if (!was || !one || !other || !both) throw new Error('unreachable');
        expect(flattenContent(content).people).toHaveLength(both.size);
        const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
        const doubted = new Set<string>();
        for (const id of new Set([...was.keys(), ...one.keys(), ...other.keys()])) {
          const [before, left, right, result] = [was, one, other, both].map((each) => each.get(id));
          const kept = left ?? right;
          const isUntouched = before && isSame(kept, before);
          // Each value is that of who has changed it, mine where both have.
          const merged = (key: 'name' | 'phone' | 'group') =>
            isSame(left?.[key], before?.[key]) ? right?.[key] : left?.[key];
          const alone = isUntouched ? undefined : kept;
          const all = { name: merged('name'), phone: merged('phone'), group: merged('group') };
          expect(result).toEqual(left && right ? { ...result, ...all } : alone);
          if (before && !(left && right) && result) doubted.add(`people.${id}`);
        }
        expect(new Set(asked.map(({ path }) => path))).toEqual(doubted);
        for (const question of asked)
          expect(JSON.stringify(withoutEntry(content, question))).not.toContain(
            `"id":"${question.path.split('.')[1]}"`,
          );
        // No text of the other goes without a word.
        for (const { phone } of flattenContent(there).people)
          expect(JSON.stringify([content, lost, start])).toContain(JSON.stringify(phone));
        for (const key of [here, there].flatMap(({ publications }) => publications.match(/@misc.*/g) ?? []))
          expect(content.publications.split(key)).toHaveLength(2);
      }),
    );
  });

  test('are the one that was changed when the other was not', () => {
    fc.assert(
      fc.property(deeds, (all) => {
        const changed = did(start, all, 'm');
        expect(mergeContent(start, changed, start)).toEqual({ content: changed, lost: [], asked: [] });
        expect(mergeContent(start, start, changed)).toEqual({ content: changed, lost: [], asked: [] });
      }),
    );
  });

  test('keep both languages of a text and the papers of both, and tell what of the other is not taken', () => {
    const lead = (content: Content, language: 'ko' | 'en', words: string) =>
      withValueAt(content, ['lab', 'lead', language], words);
    const paper = (key: string) => `@article{${key}, author={A}, title={T}, year={2026}}`;
    const start = { ...base, publications: `${paper('one')}\n\n${paper('two')}` };
    const mine = { ...lead(start, 'ko', '내 글'), publications: `${start.publications}\n\n${paper('mine')}` };
    const theirs = lead(lead(start, 'ko', '남의 글'), 'en', 'theirs');
    theirs.publications = `${paper('theirs')}\n\n${paper('two')}`;
    const { content, lost, asked } = mergeContent(start, mine, theirs);
    expect(content.lab.lead).toEqual({ ko: '내 글', en: 'theirs' });
    expect(content.publications.match(/\{\w+(?=,)/g)).toEqual(['{theirs', '{two', '{mine']);
    expect(lost).toMatchObject([{ path: 'lab.lead.ko', after: '남의 글' }]);
    expect(asked).toEqual([]);
  });
});

test('EDIT-5 what was stored without ids gets the same ones everywhere, each but once, and papers keep their lines', () => {
  expect(withEntryIds(base)).toEqual(base);
  expect(withEntryIds(firstVersion)).toEqual(base);
  // Of the same words are two paragraphs, and one person who is in two groups.
  const nothing = { ko: '', en: '' };
  const paragraphs = [nothing, nothing, { ...nothing, id: 'ia' }];
  const twice = withStudents([{ ...model, id: undefined }]);
  const { about, people } = withEntryIds({ ...twice, about: { ...base.about, paragraphs } });
  const idsOf = (list: readonly { id?: string | undefined }[]) => list.map(({ id }) => id);
  const ids = [...idsOf(about.paragraphs), ...idsOf(people.professors), ...idsOf(people.graduate_students)];
  expect(new Set(ids).size).toBe(4 + people.professors.length);
  const again = unflattenContent(flattenContent(base));
  expect({ ...again, publications: '' }).toEqual({ ...base, publications: '' });
  const lines = ({ publications }: Content) => publications.split(/\n+/).filter(Boolean);
  expect(lines(again)).toEqual(lines(base));
});

test('EDIT-3 what differs is told by who it is: added, deleted, moved, of another group, and nothing else', () => {
  const [a, b, c] = ['ia', 'ib', 'ic'].map((id) => person(id));
  if (!a || !b || !c) throw new Error('unreachable');
  const before = withStudents([a, b, c]);
  expect(findDifferences(before, before)).toEqual([]);
  const told = (after: Content) =>
    findDifferences(before, after).map(({ path, kind, before: was, after: is }) => [
      fieldPathText(path, kind === 'removed' ? before : after),
      kind,
      kind === 'changed' || kind === 'order' ? `${was} → ${is}` : '',
    ]);
  const place = '구성원 › 대학원생';
  expect(told(withStudents([b, c]))).toEqual([[`${place} › ia`, 'removed', '']]);
  expect(told(withStudents([person('inew', '새 사람'), a, b, c]))).toEqual([
    [`${place} › 새 사람`, 'added', ''],
  ]);
  expect(told(withStudents([c, a, { ...b, phone: '1' }]))).toEqual([
    ['구성원', 'order', expect.stringMatching(/ia · ib · ic.* → .*ic · ia · ib/)],
    [`${place} › ib › 전화`, 'changed', ' → 1'],
  ]);
  const moved = withStudents([a, c]);
  moved.people.graduate_alumnis = [...moved.people.graduate_alumnis, b];
  expect(told(moved)).toEqual([
    ['구성원 › 대학원 졸업생 › ib › 구분', 'changed', '대학원생 → 대학원 졸업생'],
  ]);
  const papers = { ...before, publications: `${before.publications}\n@misc{new, title={Y}}` };
  expect(told(papers)).toEqual([['논문 › new', 'added', '']]);
});

test('EDIT-3 EDIT-5 what comes back without ids is compared and merged by name, in the group where it was', () => {
  const both = withStudents([person('ia', '가온'), person('ib', '나래')]);
  both.people.graduate_alumnis = [person('ic', '가온')];
  const withoutIds = JSON.stringify(both, (key, value: unknown) => (key === 'id' ? undefined : value));
  const bare = contentSchema.parse(JSON.parse(withoutIds));
  bare.people.graduate_students = bare.people.graduate_students.map((each) =>
    each.name.ko === '나래' ? { ...each, phone: '02-1' } : each,
  );
  expect(findDifferences(both, withEntryIds(bare, both)).map(({ path, after }) => [path, after])).toEqual([
    ['people.ib.phone', '02-1'],
  ]);
  const alone = { ...bare, people: { ...bare.people, graduate_students: [] } };
  expect(findDifferences(both, withEntryIds(alone, both)).map(({ path, kind }) => [path, kind])).toEqual([
    ['people.ia', 'removed'],
    ['people.ib', 'removed'],
  ]);
  const mine = withValueAt(both, ['people', 'graduate_students', 'ib', 'office', 'ko'], '101호');
  const { content, lost, asked } = mergeContent(both, mine, withEntryIds(bare));
  expect([lost, asked, flattenContent(content).people.length]).toEqual([
    [],
    [],
    flattenContent(both).people.length,
  ]);
  expect(content.people.graduate_students[1]).toMatchObject({
    id: 'ib',
    phone: '02-1',
    office: { ko: '101호' },
  });
});

test('EDIT-1 a place that is named by its number is that of who stands there', () => {
  const path = pathByIds('people.professors.0.interests.0.ko', base);
  expect(path).toMatch(/^people\.professors\.i[\w-]+\.interests\.i[\w-]+\.ko$/);
  expect(valueAt(base, path.split('.'))).toBe(model.interests[0]?.ko);
  expect(pathByIds('publications.12', base)).toBe('publications.12');
});

test('EDIT-3 every place that can be wrong or differ is called by the words of the form', () => {
  const content = firstVersion;
  expect(fieldPathText('people.professors.0.name.ko', content)).toBe(
    `구성원 › 교수 › ${content.people.professors[0]?.name.ko} › 이름 › 한국어`,
  );
  expect(fieldPathText('publications.12', content)).toBe('논문 › 12행');
  expect(fieldPathText('news.99.date', content)).toBe('소식 › 100번째 › 날짜');
  const leaves = (value: unknown, at: string): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inside]) => leaves(inside, `${at}.${key}`))
      : [at];
  const paths = Object.entries(content).flatMap(([key, value]) => leaves(value, key));
  for (const path of paths)
    expect(fieldPathText(path, content), path).not.toMatch(/[a-z]{3,}_|\b(?:ko|en|name|text|alt|file)\b/);
});

test('EDIT-1 an item of a list moves to its place, and all stay', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), fc.nat(), fc.nat(), (list, from, to) => {
      const [at, place] = [from % list.length, to % list.length];
      const after = moveItem(list, at, place);
      expect(after[place]).toBe(list[at]);
      const inOrder = (each: number[]) => each.toSorted((a, b) => a - b);
      expect(inOrder(after)).toEqual(inOrder(list));
    }),
  );
});
