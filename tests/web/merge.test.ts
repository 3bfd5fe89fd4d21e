import { expect, test } from 'vitest';
import {
  courseMergeFields,
  emptyCourseDraft as emptyCourse,
} from '../../web/src/features/courses/course-draft.ts';
import {
  emptyEntryDraft as emptyEntry,
  entryMergeFields,
} from '../../web/src/features/ledger/book/entry-draft.ts';
import {
  emptyStudentDraft as emptyStudent,
  studentMergeFields,
} from '../../web/src/features/students/list/student-draft.ts';
import { whoChangedField, mergeFields, type MergeField } from '../../web/src/lib/merge.ts';

type Plant = { dry: number; wet: number; name: string; version: number };
const fields: readonly MergeField<Plant>[] = [
  { names: ['dry', 'wet'], label: '보정', text: ({ dry, wet }) => `${dry} ${wet}` },
  { names: ['name'], label: '이름', text: ({ name }) => name },
];
const base: Plant = { dry: 900, wet: 300, name: 'fern', version: 1 };

test('WORK-4 what only one of two people changed is taken over, with the newer version', () => {
  const versions = { base, mine: { ...base, dry: 880 }, theirs: { ...base, name: 'moss', version: 2 } };
  expect(fields.map((field) => whoChangedField(field, versions))).toEqual(['mine', 'theirs']);
  const ask = () => {
    throw new Error('nothing has to be chosen');
  };
  expect(mergeFields(fields, versions, ask)).toEqual({ dry: 880, wet: 300, name: 'moss', version: 2 });
});

test('WORK-4 values that belong together are chosen together', () => {
  const versions = { base, mine: { ...base, dry: 880 }, theirs: { ...base, wet: 280, version: 2 } };
  expect(whoChangedField(fields[0] ?? { names: [] }, versions)).toBe('both');
  expect(mergeFields(fields, versions, () => true)).toEqual({ ...base, dry: 880, version: 2 });
  expect(mergeFields(fields, versions, () => false)).toEqual({ ...base, wet: 280, version: 2 });
});

test('WORK-4 of every pair of changes nothing is lost that nobody decided against', () => {
  const values = [0, 1, 2];
  const all = values.flatMap((dry) => values.map((wet): Plant => ({ dry, wet, name: 'fern', version: 1 })));
  const single: readonly MergeField<Plant>[] = (['dry', 'wet'] as const).map((name) => ({
    names: [name],
    label: name,
    text: (plant) => String(plant[name]),
  }));
  for (const start of all) {
    for (const mine of all) {
      for (const theirs of all) {
        const versions = { base: start, mine, theirs: { ...theirs, version: 2 } };
        const result = mergeFields(single, versions, ({ label }) => label === 'dry');
        expect(result.version).toBe(2);
        for (const field of single) {
          const [name = 'dry'] = field.names;
          const by = whoChangedField(field, versions);
          const chosen = by === 'mine' || (by === 'both' && name === 'dry') ? mine : theirs;
          expect(result[name]).toBe(chosen[name]);
          expect(by === undefined).toBe(mine[name] === theirs[name]);
        }
      }
    }
  }
});

test.each<[string, object, readonly { names: readonly string[] }[]]>([
  ['a course', emptyCourse(0), courseMergeFields],
  ['an entry', emptyEntry('2026-03-02'), entryMergeFields],
  ['a student', emptyStudent([], undefined), studentMergeFields],
])('WORK-4 no field of %s is forgotten when two versions are merged', (_, draft, all) => {
  // Nobody types the number of a course; that of a student is text.
  const names = Object.entries(draft).flatMap(([name, value]) =>
    name === 'version' || (name === 'id' && typeof value === 'number') ? [] : name,
  );
  expect(all.flatMap((field) => field.names).toSorted()).toEqual(names.toSorted());
});
