import type { AccessLogEntry } from '#contract/access-log';
import { studentRecordSchema, type Student, type StudentExport, type StudentForm } from '#contract/students';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asAdmin, call, refusal } from './client.ts';
import { many, post, undo } from './roster.ts';
import { png } from './sample-images.ts';
import { formOf } from './uploads.ts';
import { contents, migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();

const course = { year: 2026, semester: 1, subject: '사물인터넷' } as const;
const ID = '20211111';
const person = { name: '가람', department: '컴퓨터공학부', tel: '010-1111-1111', email: 'a@univ.test' };
const enrolment = { course, no: 3, year: 3, type: '휴학' };

beforeEach(async () => {
  await env.DB.batch(
    [
      'DELETE FROM students',
      `INSERT INTO students (id, name, department, tel, email)
       VALUES ('20211111', '가람', '컴퓨터공학부', '010-1111-1111', 'a@univ.test'), ('20212222', '나래', '', '', '')`,
      `INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type)
       VALUES ('20211111', 2025, 2, '운영체제', 7, 2, '재학'), ('20211111', 2026, 1, '사물인터넷', 3, 3, '휴학')`,
    ].map((statement) => env.DB.prepare(statement)),
  );
});

const list = async (): Promise<Student[]> => await (await call('/students')).json();
const one = async (id = ID) => (await list()).find((student) => student.id === id);
const versionOf = async (id = ID) => (await one(id))?.version ?? 0;
const correct = (form: Partial<StudentForm>, id = ID) =>
  call(`/students/${id}`, 'PUT', { ...person, ...form });
const add = (id: string, form: Partial<StudentForm> = {}) =>
  call(`/students/${id}`, 'POST', { ...person, ...form });
const logOf = async (id = ID): Promise<AccessLogEntry[]> =>
  (await (await call(`/access_log?person=${id}`)).json<AccessLogEntry[]>()).filter(
    ({ subject }) => subject === 'student',
  );

describe('the end of one enrolment', () => {
  const leave = (id = ID, subject = '사물인터넷') =>
    call(
      `/students/${id}/enrolment?${String(new URLSearchParams({ year: '2026', semester: '1', subject }))}`,
      'DELETE',
    );

  test('STU-15 takes a student out of one class, and out of nothing else', async () => {
    const version = await versionOf();
    expect((await leave()).status).toBe(200);
    expect(await one()).toMatchObject({ name: '가람', tel: '010-1111-1111', subjects: ['운영체제'] });
    expect(await versionOf()).toBeGreaterThan(version);
    expect(await (await call('/students?year=2026&semester=1&subject=사물인터넷')).json()).toEqual([]);
    const [row] = await (await call(`/access_log?person=${ID}`)).json<AccessLogEntry[]>();
    expect(row).toMatchObject({
      action: 'delete',
      subject: 'enrolment',
      person: { id: ID },
      detail: { filter: { year: 2026, semester: 1, subject: '사물인터넷' } },
    });
  });

  test('STU-15 of a class that they are not in is 404, and leaves no row', async () => {
    const before = await contents();
    expect((await leave(ID, '운영체제')).status).toBe(404);
    expect((await leave('20212222')).status).toBe(404);
    expect((await leave('20219999')).status).toBe(404);
    expect(await contents()).toEqual(before);
  });
});

describe('a correction', () => {
  test('STU-15 changes the person and the enrolment of one class, and answers with what is stored', async () => {
    const version = await versionOf();
    const answer = await correct({
      tel: '010-2222-2222',
      enrolment: { ...enrolment, type: '재학' },
      version,
    });
    expect(answer.status).toBe(200);
    const record = studentRecordSchema.parse(await answer.json());
    expect(record).toEqual({
      id: ID,
      ...person,
      tel: '010-2222-2222',
      enrolment: { no: 3, year: 3, type: '재학' },
      version: await versionOf(),
    });
    expect(record.version).toBeGreaterThan(version);
    expect(await one()).toMatchObject({
      tel: '010-2222-2222',
      type: '재학',
      subjects: ['운영체제', '사물인터넷'],
    });
    const { enrolments } = await contents();
    expect(enrolments).toContainEqual(expect.objectContaining({ year: 2025, no: 7, type: '재학' }));
  });

  test('STU-15 SEC-44 is in the log with who, when and which fields, and without a value', async () => {
    await correct({ tel: '010-2222-2222', email: 'b@univ.test', enrolment: { ...enrolment, no: 9 } });
    const [entry] = await logOf();
    expect(entry).toMatchObject({
      action: 'change',
      actor: { email: 'admin@lab.test' },
      person: { id: ID },
      detail: { fields: ['tel', 'email', 'no'], filter: course },
    });
    expect(JSON.stringify(entry?.detail)).not.toMatch(/2222|univ/);
    expect(Date.now() - Date.parse(entry?.at ?? '')).toBeLessThan(60_000);
  });

  test('STU-15 WORK-4 of an older version changes nothing and answers 409 with the student as they are now', async () => {
    const version = await versionOf();
    expect((await correct({ department: '물리학과', version })).status).toBe(200);
    const before = await contents();
    const late = await correct({ tel: '010-9999-9999', enrolment: { ...enrolment, no: 99 }, version });
    expect(late.status).toBe(409);
    const { error } = await late.json<{ error: { message: string; current: unknown } }>();
    expect(studentRecordSchema.parse(error.current)).toEqual({
      id: ID,
      ...person,
      department: '물리학과',
      enrolment: { no: 3, year: 3, type: '휴학' },
      version: await versionOf(),
    });
    expect(await contents()).toEqual({ ...before, access_log: expect.anything() });
    expect((await logOf())[0]).toMatchObject({ action: 'read' });
    expect((await logOf())[1]).toMatchObject({ detail: { fields: ['department'] } });
  });

  test.each([
    ['the person', "UPDATE students SET tel = '1' WHERE id = '20211111'"],
    ['an enrolment', "UPDATE enrolments SET type = '재학' WHERE student_id = '20211111' AND year = 2026"],
    [
      'a new enrolment',
      `INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type)
       VALUES ('20211111', 2026, 2, '운영체제', 1, 3, '')`,
    ],
    ['an enrolment that ended', "DELETE FROM enrolments WHERE student_id = '20211111' AND year = 2025"],
  ])('STU-15 WORK-4 a change of %s makes another version', async (_, change) => {
    const version = await versionOf();
    const other = await versionOf('20212222');
    await env.DB.prepare(change).run();
    expect(await versionOf()).toBeGreaterThan(version);
    expect(await versionOf('20212222')).toBe(other);
  });

  test('STU-15 without a version replaces, and the same again makes no other version', async () => {
    await correct({ enrolment });
    const version = await versionOf();
    expect((await correct({ enrolment })).status).toBe(200);
    expect(await versionOf()).toBe(version);
  });

  test('STU-15 joins a student to a class, and touches none when the body names none', async () => {
    const answer = await correct({ name: '나래', enrolment: { ...enrolment, no: 8 } }, '20212222');
    expect(await answer.json()).toMatchObject({ enrolment: { no: 8, year: 3, type: '휴학' } });
    expect(await (await correct({ name: '나래솔' }, '20212222')).json()).toMatchObject({ enrolment: null });
    expect(await one('20212222')).toMatchObject({ name: '나래솔', no: 8, subjects: ['사물인터넷'] });
  });

  test('STU-15 verifies a user’s number by the corrected address, as an import does', async () => {
    await env.DB.prepare(
      `INSERT INTO users (sub, email, name, univ_id, secure_level, created_at)
       VALUES ('s', 'New@univ.test', '가람', '20211111', 8, 0)`,
    ).run();
    await correct({ email: 'new@univ.test' });
    const user = await env.DB.prepare("SELECT univ_id_verified_at FROM users WHERE sub = 's'").first();
    expect(user?.['univ_id_verified_at']).toBeGreaterThan(0);
  });

  test('STU-20 of the number moves enrolments, picture and imports, and leaves its trail', async () => {
    await post(many(1));
    const { id } = many(1)[0] ?? { id: '' };
    expect((await call('/upload', 'POST', formOf([[`${id}.png`, png]]))).status).toBe(200);
    const before = await one(id);
    const answer = await correct({ tel: '010-2222-2222', number: '20219999', version: before?.version }, id);
    expect(answer.status).toBe(200);
    expect(studentRecordSchema.parse(await answer.json())).toMatchObject({
      id: '20219999',
      tel: '010-2222-2222',
    });
    expect(await one(id)).toBeUndefined();
    const { subjects, no, picture } = before ?? {};
    expect(await one('20219999')).toMatchObject({ subjects, no, picture });
    const shown = await call('/students/pictures/20219999');
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(png);
    expect((await env.FILES.list({ prefix: 'pictures/' })).objects).toHaveLength(1);
    const number = [id, '20219999'];
    expect(await logOf(id)).toMatchObject([
      { action: 'change', detail: { fields: expect.arrayContaining(['tel']), number } },
    ]);
    const exported = await call('/students/20219999/export', 'POST', { reason: '본인 요청' });
    const { log, imports } = await exported.json<StudentExport>();
    expect(imports).toHaveLength(1);
    expect(log).toContainEqual(expect.objectContaining({ action: 'create', detail: { replaced: false } }));
    expect((await undo()).status).toBe(200);
    // What was typed by hand stays.
    expect(await one('20219999')).toMatchObject({ tel: '010-2222-2222' });
  });

  test('STU-20 of the number to one that somebody has, or from an older version, moves nothing', async () => {
    const version = await versionOf();
    const before = await contents();
    const taken = await correct({ number: '20212222', version });
    expect(await refusal(taken)).toMatchObject({ status: 409, field: 'number' });
    expect((await correct({ number: '20219999', version: version + 1 })).status).toBe(409);
    expect((await correct({ number: '학번' })).status).toBe(400);
    expect(await contents()).toEqual({ ...before, access_log: expect.anything() });
  });

  test('STU-15 of nobody is 404, and nothing is logged', async () => {
    const before = await contents();
    for (const id of ['20219999', 'x', '..%2f..']) expect((await correct({}, id)).status).toBe(404);
    expect(await contents()).toEqual(before);
  });

  test('STU-15 IMP-11 stays when the import before it is taken back', async () => {
    await post(many(1));
    const { id } = many(1)[0] ?? { id: '' };
    await correct({ tel: '010-7777-7777' }, id);
    expect((await undo()).status).toBe(200);
    expect(await one(id)).toMatchObject({ tel: '010-7777-7777' });
  });
});

describe('a new student', () => {
  test('STU-15 is added with what they are in the class, and logged', async () => {
    const answer = await add('20213333', { enrolment });
    expect(answer.status).toBe(201);
    expect(studentRecordSchema.parse(await answer.json())).toMatchObject({
      id: '20213333',
      ...person,
      enrolment: { no: 3, year: 3, type: '휴학' },
    });
    expect(await one('20213333')).toMatchObject({ no: 3, year: 3, subjects: ['사물인터넷'] });
    expect(await logOf('20213333')).toMatchObject([
      { action: 'create', person: { id: '20213333' }, detail: { filter: course } },
    ]);
  });

  test('STU-15 may be in no class yet', async () => {
    expect(await (await add('20214444')).json()).toMatchObject({ enrolment: null });
    expect(await one('20214444')).toMatchObject({ no: null, year: null, subjects: [] });
  });

  test('STU-15 with a number that is taken stores nothing and answers 409 with who has it', async () => {
    const before = await contents();
    const taken = await add(ID, { name: '다른 사람', enrolment: { ...enrolment, no: 99 } });
    expect(taken.status).toBe(409);
    expect(await taken.json()).toMatchObject({
      error: { message: '이미 등록된 학번입니다', current: { id: ID, name: '가람', enrolment: { no: 3 } } },
    });
    expect(await contents()).toEqual({ ...before, access_log: expect.anything() });
  });
});

test.each([
  [{ name: '' }, 'name'],
  [{ tel: 'x'.repeat(51) }, 'tel'],
  [{ version: 0 }, 'version'],
  [{ enrolment: { ...enrolment, no: -1 } }, 'enrolment.no'],
  [{ enrolment: { ...enrolment, course: { ...course, semester: 3 } } }, 'enrolment.course.semester'],
])('STU-15 %j is refused by name', async (form, field) => {
  const body = { ...person, ...form };
  for (const answer of [
    await call(`/students/${ID}`, 'PUT', body),
    await call('/students/20215555', 'POST', body),
  ])
    expect(await refusal(answer)).toMatchObject({ status: 400, field });
});

test('STU-15 a number that is none is refused', async () => {
  expect(await refusal(await add('a_b_c'))).toMatchObject({ status: 400, field: 'id' });
});
