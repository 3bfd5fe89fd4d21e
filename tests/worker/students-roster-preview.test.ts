import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { RosterPreview, RosterRow } from '#contract/students';
import { countRowKinds, previewImport } from '../../web/src/features/students/import/roster-preview.ts';
import { rosterFieldLabel } from '../../web/src/features/students/import/roster-kind.ts';
import { propertyRuns } from '../support/counts.ts';
import { asAdmin, call, refusal } from './client.ts';
import { course, many, post, roster, row } from './roster.ts';
import { contents, migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();
beforeEach(async () => {
  await env.DB.batch([env.DB.prepare('DELETE FROM students'), env.DB.prepare('DELETE FROM imports')]);
});

type Body = { year: number; semester: 1 | 2; subject: string; data: RosterRow[] };
const preview = async (body: Body): Promise<RosterPreview> =>
  await (await call('/students/preview', 'POST', body)).json();

const OF_PERSON = ['name', 'department', 'tel', 'email'] as const;
const OF_ENROLMENT = ['no', 'year', 'type'] as const;

/** Everyone in the course of the body, and everyone's own fields, as stored. */
async function stored({ year, semester, subject }: Body) {
  const people = await env.DB.prepare('SELECT * FROM students').all<RosterRow>();
  const enrolled = await env.DB.prepare(
    `SELECT student_id AS id, no, school_year AS year, type FROM enrolments
     WHERE (year, semester, subject) = (?, ?, ?) ORDER BY no, id`,
  )
    .bind(year, semester, subject)
    .all<RosterRow>();
  return {
    people: new Map(people.results.map((person) => [person.id, person])),
    enrolled: new Map(enrolled.results.map((enrolment) => [enrolment.id, enrolment])),
  };
}

test('STU-6 the preview says of each row and field what the import then does', async () => {
  const cell = fc.constantFrom('', 'a', '010-1', '010-2');
  const data = fc.uniqueArray(
    fc.record({
      no: fc.nat(2),
      id: fc.constantFrom('1000', '0100', '1001', 'ab-1'),
      name: fc.constantFrom('가람', '나래'),
      department: cell,
      year: fc.nat(2),
      type: fc.constantFrom('', '재학'),
      tel: cell,
      email: cell,
    }),
    { minLength: 1, maxLength: 4, selector: ({ id }) => id },
  );
  const body = fc.record({
    data,
    year: fc.constantFrom(2025, 2026, 2027),
    semester: fc.constantFrom(1 as const, 2 as const),
    // The same name in several terms is what the browser once took for the same course.
    subject: fc.constantFrom('운영체제', '회로'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 5 }), async (bodies) => {
      await env.DB.batch([env.DB.prepare('DELETE FROM students'), env.DB.prepare('DELETE FROM imports')]);
      for (const each of bodies) {
        const before = await stored(each);
        const answer = await preview(each);
        const told = previewImport(each.data, answer);
        const result = await (await post(each.data, each)).json();
        const after = await stored(each);

        const done = each.data.map((pasted) => {
          const { id } = pasted;
          const [was, is] = [before.people.get(id), after.people.get(id)];
          const [took, takes] = [before.enrolled.get(id), after.enrolled.get(id)];
          const changes = [
            ...(was && !took ? [{ field: '수강', from: '', to: '추가' }] : []),
            ...OF_PERSON.filter((field) => was && was[field] !== is?.[field]).map((field) => ({
              field: rosterFieldLabel(field),
              from: was?.[field],
              to: is?.[field],
              isTyped: false,
            })),
            ...OF_ENROLMENT.filter((field) => was && took && took[field] !== takes?.[field]).map((field) => ({
              field: rosterFieldLabel(field),
              from: String(took?.[field]),
              to: String(takes?.[field]),
            })),
          ];
          const kept = OF_PERSON.filter((field) => was && pasted[field] !== is?.[field]).map((field) => ({
            field: rosterFieldLabel(field),
            pasted: pasted[field],
            stored: is?.[field],
          }));
          const keptCells = OF_ENROLMENT.filter((field) => took && !pasted[field] && took[field]).map(
            (field) => ({
              field: rosterFieldLabel(field),
              pasted: '',
              stored: String(takes?.[field]),
            }),
          );
          const kind = !was ? 'new' : changes.length > 0 ? 'changed' : 'unchanged';
          return { id, kind, changes, kept: [...kept, ...keptCells] };
        });
        expect([...told].map(([id, { kind, changes, kept }]) => ({ id, kind, changes, kept }))).toEqual(done);
        // What is kept against a value, is kept for a newer term.
        expect(
          [...told.values()].filter(({ kept, newer }) => !newer && kept.some(({ pasted }) => pasted !== '')),
        ).toEqual([]);
        const { new: added, changed, unchanged } = countRowKinds(told, each.data);
        expect({ added, changed, unchanged }).toEqual(result);
        const pastedIds = new Set<string>(each.data.map(({ id }) => id));
        expect(answer.missing.map(({ id }) => id)).toEqual(
          [...before.enrolled.keys()].filter((id) => !pastedIds.has(id)),
        );
      }
    }),
    propertyRuns(15, 500),
  );
}, 900_000);

test('STU-6 a course of the same name in a newer term does not make somebody else’s term newer', async () => {
  await post([row(0)], { year: 2027, semester: 2 });
  await post([row(1)], { year: 2026, semester: 1 });
  const data = [row(0, { tel: '010-9999-9999' }), row(1, { tel: '010-9999-9999' })];
  const { rows } = await preview({ ...course, year: 2026, semester: 2, data });
  expect(rows.map(({ newer, after }) => [newer, after.tel])).toEqual([
    [{ year: 2027, semester: 2 }, '010-0000-0000'],
    [null, '010-9999-9999'],
  ]);
});

test('IMP-3 who was taken out of a class since an import is told, in that class alone', async () => {
  await post(many(2));
  const { year, semester, subject } = course;
  const query = new URLSearchParams({ year: `${year}`, semester: `${semester}`, subject });
  expect((await call(`/students/${row(1).id}/enrolment?${query}`, 'DELETE')).ok).toBe(true);
  const droppedOf = async (of: Omit<Body, 'data'>) =>
    (await preview({ ...of, data: many(3) })).rows.map(({ dropped }) => dropped);
  expect(await droppedOf(course)).toEqual([false, true, false]);
  expect(await droppedOf({ ...course, subject: '회로' })).toEqual([false, false, false]);
});

test('STU-6 SEC-43 a preview stores nothing but one row of the log, with a count and nobody’s name', async () => {
  await post(many(3));
  const before = await roster();
  const imports = (await contents())['imports'];
  await preview({ ...course, data: [row(1), row(7)] });
  expect(await roster()).toEqual(before);
  const { access_log = [], ...rest } = await contents();
  expect(rest['imports']).toEqual(imports);
  expect(access_log.at(-1)).toMatchObject({
    action: 'read',
    subject: 'enrolment',
    subject_id: null,
    detail: JSON.stringify({ count: 3, filter: course }),
  });
});

test('STU-6 STU-7 a preview of 5,000 rows is one, and what an import would refuse is refused', async () => {
  const { rows, missing } = await preview({ ...course, data: many(5000) });
  expect([rows.length, missing]).toEqual([5000, []]);
  expect(rows.every(({ before, enrolment }) => before === null && enrolment === null)).toBe(true);
  const twice = await call('/students/preview', 'POST', { ...course, data: [row(1), row(1)] });
  expect(await refusal(twice)).toEqual({ status: 400, row: 2, field: 'id' });
  const empty = await call('/students/preview', 'POST', { ...course, data: [] });
  expect(await refusal(empty)).toMatchObject({ status: 400, field: 'data' });
});

test('IMP-3 a number that nobody has but for hyphens and leading zeros is told with who is meant', async () => {
  await post([row(0, { id: '00201234' }), row(1, { id: '20201002' }), row(2, { id: '20201003' })]);
  const data = [
    row(0, { id: '201234' }),
    row(7, { id: '2020-1002', email: 'S1@univ.test' }),
    // Somebody else of that number, and one who is known as written.
    row(8, { id: '02020-1003' }),
    row(2, { id: '20201003' }),
  ];
  const { alike } = await preview({ ...course, data });
  expect(alike).toEqual([
    { id: '201234', stored: '00201234', name: '가람0', corrected: false },
    { id: '2020-1002', stored: '20201002', name: '가람1', corrected: false },
  ]);
});

test('IMP-3 an unknown number of a person with the name and a contact of a student who is not listed is told', async () => {
  await post([row(0), row(1), row(2)]);
  const [first, second, third] = [row(0), row(1), row(2)];
  const data = [
    { ...first, id: '20219998' },
    { ...second, id: '20219997', email: '' },
    // Of a namesake only the name is the same; the third student is listed too.
    { ...third, id: '20219996', tel: '010-9999-9999', email: 'other@univ.test' },
  ];
  const { alike } = await preview({ ...course, data });
  expect(alike).toEqual([
    { id: '20219997', stored: second.id, name: second.name, corrected: false },
    { id: '20219998', stored: first.id, name: first.name, corrected: false },
  ]);
  expect((await preview({ ...course, data: [...data, first] })).alike).toEqual([alike[0]]);
});

test('STU-20 IMP-3 a number from before a correction is told with who has it now, twice corrected too', async () => {
  const person = row(1);
  await post([person]);
  const correct = async (from: string, number: string) => {
    const { name, department, tel, email } = person;
    const form = { name, department, tel, email, number };
    expect((await call(`/students/${from}`, 'PUT', form)).status).toBe(200);
  };
  const alike = async (...data: RosterRow[]) => (await preview({ ...course, data })).alike;
  await correct(person.id, '20219991');
  await correct('20219991', '20219992');
  const told = { stored: '20219992', name: person.name, corrected: true };
  expect(await alike(person, row(1, { id: '20219991' }), row(2))).toEqual(
    [
      { id: '20219991', ...told },
      { id: person.id, ...told },
    ].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  // Somebody else may have got the number since.
  expect(await alike(row(1, { name: '남궁마루', email: '' }))).toEqual([]);
  await correct('20219992', person.id);
  expect(await alike(person)).toEqual([]);
});

test('IMP-3 STU-15 the preview says which values somebody has typed, as long as they stand', async () => {
  await post([row(0), row(1)]);
  const { name, department, email } = row(0);
  const form = { name, department, tel: '010-8888-8888', email };
  expect((await call('/students/202100000', 'PUT', form)).status).toBe(200);
  const typed = async () => {
    const { rows } = await preview({ ...course, data: [row(0), row(1), row(2)] });
    return rows.map(({ by_hand: fields }) => fields);
  };
  expect(await typed()).toEqual([['tel'], [], []]);
  expect((await call('/students/202100000', 'PUT', { ...form, email: 'hand@univ.test' })).status).toBe(200);
  expect((await typed())[0]).toEqual(['tel', 'email']);
  await post([row(0)]);
  expect((await typed())[0]).toEqual([]);
  const added = { name: '손수', department: '', tel: '', email: '' };
  expect((await call('/students/202100002', 'POST', added)).status).toBe(201);
  expect((await typed())[2]).toEqual(['name']);
});
