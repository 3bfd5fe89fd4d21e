import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { normalizeText } from '#contract/printable-text';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RosterImportResult } from '../../contract/students.ts';
import { propertyRuns } from '../support/counts.ts';
import { asAdmin, askedBy, awkwardTexts, call, refusal } from './client.ts';
import { counts, course, list, many, one, post, roster, row, undo } from './roster.ts';
import { contents, migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();
beforeEach(async () => {
  await env.DB.batch([env.DB.prepare('DELETE FROM students'), env.DB.prepare('DELETE FROM imports')]);
});

describe('POST /api/students', () => {
  test.each(['/students', '/students/'])('STU-7 answers 201 with counts under %s', async (path) => {
    const answer = await call(path, 'POST', { ...course, data: many(3) });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ added: 3, changed: 0, unchanged: 0 });
    expect(await one('202100001')).toEqual({
      id: '202100001',
      name: '가람1',
      department: '컴퓨터공학부',
      tel: '010-0000-0000',
      email: 's1@univ.test',
      year: 3,
      type: '재학',
      no: 2,
      subjects: ['임베디드 시스템'],
      picture: false,
      version: expect.any(Number),
    });
  });

  test.each([1, 12, 13, 101, 1000, 5000])('SEC-27 STU-7 stores %i rows as one', async (howMany) => {
    expect(await counts(many(howMany))).toEqual({ added: howMany, changed: 0, unchanged: 0 });
    expect(await list()).toHaveLength(howMany);
    const before = await roster();
    expect(await counts(many(howMany))).toEqual({ added: 0, changed: 0, unchanged: howMany });
    expect(await roster()).toEqual(before);
  });

  test.each([0, 5001])('SEC-27 refuses %i rows', async (howMany) => {
    expect(await refusal(await post(many(howMany)))).toMatchObject({ status: 400, field: 'data' });
    expect(await list()).toEqual([]);
  });

  test.each<[object, string]>([
    [{ id: '2021 0001' }, 'id'],
    [{ id: 202_100_776 }, 'id'],
    [{ id: '２０２１' }, 'id'],
    [{ id: '123' }, 'id'],
    [{ id: '1'.repeat(21) }, 'id'],
    [{ name: '' }, 'name'],
    [{ name: null }, 'name'],
    [{ no: '777' }, 'no'],
    [{ no: -1 }, 'no'],
    [{ year: 3.5 }, 'year'],
    [{ year: 'three' }, 'year'],
    [{ tel: 1_012_345_678 }, 'tel'],
    [{ email: 'e'.repeat(201) }, 'email'],
  ])('SEC-27 STU-7 row 777 of 1000 with %j stores none and is named', async (fields, field) => {
    await post(many(5));
    const before = await contents();
    const data: object[] = many(1000);
    data[776] = { ...row(776), ...fields };
    expect(await refusal(await post(data))).toEqual({ status: 400, row: 777, field });
    expect(await contents()).toEqual(before);
  });

  test('STU-7 names the row of what is missing', async () => {
    const { tel: _, ...withoutTel } = row(1);
    expect(await refusal(await post([row(0), withoutTel]))).toEqual({ status: 400, row: 2, field: 'tel' });
  });

  test('STU-7 names the second row of one student, and who both stays and leaves', async () => {
    expect(await refusal(await post([...many(20), row(3)]))).toEqual({ status: 400, row: 21, field: 'id' });
    const leaving = await post(many(5), { remove: ['202100003'] });
    expect(await refusal(leaving)).toEqual({ status: 400, row: 4, field: 'id' });
    expect(await list()).toEqual([]);
  });

  test.each([
    [{ year: 2020 }, 'year'],
    [{ year: '2026' }, 'year'],
    [{ semester: 3 }, 'semester'],
    [{ subject: '' }, 'subject'],
    [{ remove: ['x'] }, 'remove'],
  ])('STU-4 with %j is refused by name', async (fields, field) => {
    const answer = await call('/students', 'POST', { ...course, data: many(1), ...fields });
    expect(await refusal(answer)).toMatchObject({ status: 400, field });
  });

  test('STU-6 counts a known student in a new course as changed', async () => {
    await post(many(4));
    const other = { subject: '운영체제' };
    expect(await counts(many(3, 2), other)).toEqual({ added: 1, changed: 2, unchanged: 0 });
    expect((await one('202100003'))?.subjects).toEqual(['운영체제', '임베디드 시스템']);
    expect(await counts([row(0, { type: '휴학' }), row(1)])).toEqual({ added: 0, changed: 1, unchanged: 1 });
  });

  test('STU-7 an empty cell or an older term never overwrites a contact', async () => {
    await post([row(0, { tel: '010-1111-1111', email: '' })]);
    await post([row(0, { tel: '', email: '', department: '' })]);
    expect(await one('202100000')).toMatchObject({ tel: '010-1111-1111', department: '컴퓨터공학부' });
    const older = { tel: '010-9999-9999', email: 'old@univ.test', name: '나래', year: 2, no: 40 };
    await post([row(0, older)], { year: 2025, semester: 2 });
    expect(await one('202100000')).toMatchObject({
      name: '가람0',
      tel: '010-1111-1111',
      // Nothing was known of it: the older term fills it in.
      email: 'old@univ.test',
      year: 3,
      no: 1,
    });
    await post([row(0, { ...older, year: 4 })], { year: 2026, semester: 2 });
    expect(await one('202100000')).toMatchObject({ name: '나래', tel: '010-9999-9999', year: 4, no: 40 });
  });

  test.each([
    ['가 과목', '나 과목'],
    ['나 과목', '가 과목'],
  ])(
    'STU-7 of two courses in a term the one imported last is the newer: %s, then %s',
    async (first, second) => {
      const shown = async () => {
        const [student] = await list();
        return { ...student, courses: await (await call('/students/courses')).json() };
      };
      await post([row(0, { no: 4, year: 2, type: '재학' })], { subject: first });
      await post([row(0, { no: 9, year: 3, type: '복학' })], { subject: second });
      expect(await shown()).toMatchObject({
        no: 9,
        year: 3,
        type: '복학',
        courses: [{ subject: second }, { subject: first }],
      });
      await post([row(0, { no: 5, year: 4, type: '휴학' })], { subject: first });
      expect(await shown()).toMatchObject({
        no: 5,
        year: 4,
        type: '휴학',
        courses: [{ subject: first }, {}],
      });
      await undo();
      expect(await shown()).toMatchObject({
        no: 9,
        year: 3,
        type: '복학',
        courses: [{ subject: second }, {}],
      });
    },
  );

  test('STU-7 ends the enrolments that `remove` names, in this course alone', async () => {
    await post(many(4));
    await post(many(4), { subject: '운영체제' });
    expect(await counts([row(0)], { remove: ['202100001', '202100002', '209999999'] })).toEqual({
      added: 0,
      changed: 0,
      unchanged: 1,
    });
    expect((await one('202100001'))?.subjects).toEqual(['운영체제']);
    expect((await one('202100003'))?.subjects).toEqual(['운영체제', '임베디드 시스템']);
  });

  test('STU-7 takes two queries for the session, before and behind the body, and one batch of six statements, the question who may and the log among them', async () => {
    const { queries, batches } = await askedBy('/students', {
      ...course,
      data: many(5),
      remove: ['202100009'],
    });
    expect([queries, batches]).toEqual([2, [6]]);
    const { access_log = [] } = await contents();
    expect(access_log.at(-1)).toMatchObject({ action: 'create', subject: 'enrolment', subject_id: null });
    expect(access_log.at(-1)).toHaveProperty(
      'detail',
      JSON.stringify({ filter: course, added: 5, changed: 0, unchanged: 0, removed: 0 }),
    );
  });

  test('STU-7 whatever is pasted in whatever order, the second time changes nothing', async () => {
    const cell = fc.constantFrom('', 'a', '가', '010-1', '"', '\\');
    const pasted = fc.uniqueArray(
      fc.record({
        no: fc.nat(100),
        id: fc.constantFrom('1000', '0100', '1001', 'ab-1', 'AB-1'),
        name: fc.constantFrom('가람', '나래'),
        department: cell,
        year: fc.nat(4),
        type: cell,
        tel: cell,
        email: cell,
      }),
      { minLength: 1, maxLength: 5, selector: ({ id }) => id },
    );
    const imports = fc.array(
      fc.record({
        data: pasted,
        year: fc.constantFrom(2025, 2026),
        semester: fc.constantFrom(1 as const, 2 as const),
      }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(imports, async (steps) => {
        for (const { data, ...term } of steps) {
          const before = await roster();
          const { added, changed, unchanged } = await (await post(data, term)).json<RosterImportResult>();
          expect(added + changed + unchanged).toBe(data.length);
          const after = await roster();
          expect(await counts(data, term)).toEqual({ added: 0, changed: 0, unchanged: data.length });
          expect(await roster()).toEqual(after);
          // Each of the two imports is one, though the second one changed nothing.
          expect((await undo()).status).toBe(200);
          expect(await roster()).toEqual(after);
          expect((await undo()).status).toBe(200);
          expect(await roster()).toEqual(before);
          await post(data, term);
          expect(unnumbered(await roster())).toEqual(unnumbered(after));
        }
      }),
      propertyRuns(5, 300),
    );
  }, 600_000);
});

/** The same import made again has another number. */
const unnumbered = (stored: object) => JSON.stringify(stored).replaceAll(/"last_import":\d+/g, '');

describe('whatever is sent', () => {
  test('SEC-25 as many bytes as a body may have are stored in full, and undone', async () => {
    const cells = { department: '긴'.repeat(100), type: '긴'.repeat(50), email: '긴'.repeat(200) };
    const data = Array.from({ length: 3400 }, (_, at) => row(at, cells));
    expect(new TextEncoder().encode(JSON.stringify(data)).length).toBeGreaterThan(3_800_000);
    expect(await counts(data)).toEqual({ added: 3400, changed: 0, unchanged: 0 });
    expect((await undo()).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  test.each(awkwardTexts)(
    'SEC-26 IMP-8 the text %j comes back in its one spelling, or is refused',
    async (text) => {
      for (const field of ['id', 'name', 'department', 'type', 'tel', 'email'] as const) {
        await env.DB.prepare('DELETE FROM students').run();
        const answer = await post([row(0, { [field]: text })]);
        const [stored] = await list();
        expect(stored?.[field]).toBe(answer.status === 400 ? undefined : normalizeText(text));
      }
      const answer = await post(many(1), { subject: text });
      expect((await list())[0]?.subjects.includes(normalizeText(text)) ?? false).toBe(answer.status === 201);
      expect(await env.DB.prepare('SELECT count(*) AS n FROM users').first('n')).toBe(1);
    },
  );
});
