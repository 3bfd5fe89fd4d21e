import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AccessLogEntry } from '../../contract/access-log.ts';
import type { Student } from '../../contract/students.ts';
import { asAdmin, askedBy, call, refusal } from './client.ts';
import { contents, migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();
beforeEach(async () => {
  await env.DB.batch(
    [
      'DELETE FROM students',
      `INSERT INTO students (id, name, department, tel, email)
       VALUES ('20211111', '가람', '컴퓨터공학부', '010-1111-1111', 'a@univ.test'),
         ('20212222', '나래', '', '', ''), ('0042', '다솜', '', '', '')`,
      `INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type)
       VALUES ('20211111', 2025, 2, '운영체제', 7, 2, '재학'),
         ('20211111', 2026, 1, '사물인터넷', 3, 3, '휴학'), ('20211111', 2024, 1, '운영체제', 1, 1, '재학'),
         ('20212222', 2026, 1, '사물인터넷', 1, 4, '재학')`,
    ].map((statement) => env.DB.prepare(statement)),
  );
});

const nobody = {
  department: '',
  tel: '',
  email: '',
  year: null,
  type: '',
  no: null,
  subjects: [],
  picture: false,
  version: expect.any(Number),
};
const list = async (): Promise<Student[]> => await (await call('/students')).json();
const log = async (query = ''): Promise<AccessLogEntry[]> => (await call(`/access_log?${query}`)).json();
/** The newest entry but for the reading of the log itself. */
const logged = async () => (await log()).find(({ subject }) => subject !== 'access_log');

describe('GET /api/students', () => {
  test('STU-2 lists everybody by number, with what they are in their newest term and all their courses', async () => {
    expect(await list()).toEqual([
      { ...nobody, id: '0042', name: '다솜' },
      {
        id: '20211111',
        name: '가람',
        department: '컴퓨터공학부',
        tel: '010-1111-1111',
        email: 'a@univ.test',
        year: 3,
        type: '휴학',
        no: 3,
        subjects: ['운영체제', '사물인터넷'],
        picture: false,
        version: expect.any(Number),
      },
      expect.objectContaining({ id: '20212222', year: 4, no: 1, subjects: ['사물인터넷'] }),
    ]);
  });

  test('STU-2 is an empty array when there is nobody', async () => {
    await env.DB.prepare('DELETE FROM students').run();
    expect(await list()).toEqual([]);
  });

  test('SEC-40 may be kept by this browser alone, and asks each time', async () => {
    const { headers } = await call('/students');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Cookie');
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
  });

  test('SEC-40 is 304 while nothing has changed, reads no student for it, and is logged all the same', async () => {
    await env.DB.batch(
      Array.from({ length: 500 }, (_, at) =>
        env.DB.prepare('INSERT INTO students (id, name) VALUES (?, ?)').bind(`9000${at}`, '라온'),
      ),
    );
    const tag = (await call('/students')).headers.get('etag') ?? '';
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const { answer, rowsRead, queries, batches } = await askedBy('/students', undefined, {
        'if-none-match': known,
      });
      expect(answer.status).toBe(304);
      expect(await answer.text()).toBe('');
      expect(answer.headers.get('etag')).toBe(tag);
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
      expect(rowsRead).toBeLessThan(10);
      expect([queries, batches]).toEqual([1, [2]]);
      expect(await logged()).toMatchObject({ action: 'read', subject: 'student', detail: { count: 503 } });
    }
  });

  test('SEC-40 is read from the database once after each change, and for all who ask', async () => {
    const first = await askedBy('/students');
    expect([first.queries, first.batches]).toEqual([1, [2, 2]]);
    const second = await askedBy('/students');
    expect([second.queries, second.batches]).toEqual([1, [2]]);
    expect(await second.answer.text()).toBe(await first.answer.text());
    await env.DB.prepare("UPDATE students SET name = '마루' WHERE id = '0042'").run();
    expect(await (await askedBy('/students')).answer.text()).toContain('마루');
  });

  const changes: Record<string, string> = {
    'a new student': "INSERT INTO students (id, name) VALUES ('7777', '마루')",
    'another name': "UPDATE students SET name = '마루' WHERE id = '0042'",
    'a student less': "DELETE FROM students WHERE id = '0042'",
    'a new enrolment': `INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type)
       VALUES ('0042', 2026, 1, '운영체제', 1, 1, '')`,
    'another status': "UPDATE enrolments SET type = '졸업' WHERE student_id = '20212222'",
    'an enrolment less': "DELETE FROM enrolments WHERE student_id = '20212222'",
    'a new picture': `INSERT INTO pictures (student_id, content_type, size, etag, width, height, uploaded_at)
       VALUES ('0042', 'image/png', 1, 'x', 1, 1, 0)`,
  };

  test.each(Object.entries(changes))('SEC-40 is sent anew after %s', async (_, change) => {
    const first = await call('/students');
    const before = await first.json();
    await env.DB.prepare(change).run();
    const answer = await call('/students', 'GET', undefined, {
      'if-none-match': first.headers.get('etag') ?? '',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).not.toBe(first.headers.get('etag'));
    expect(await answer.json()).not.toEqual(before);
    expect(await logged()).toMatchObject({ action: 'read', detail: { count: (await list()).length } });
  });

  test('SEC-40 who may not see it is not told that it has not changed', async () => {
    const tag = (await call('/students')).headers.get('etag') ?? '';
    const headers = { cookie: '', 'if-none-match': tag };
    expect((await call('/students', 'GET', undefined, headers)).status).toBe(401);
  });
});

describe('GET /api/students of a class', () => {
  const of = (year: number, semester: number, subject: string) =>
    `/students?${new URLSearchParams({ year: String(year), semester: String(semester), subject })}`;

  test('STU-14 lists its students by serial number, with what they are in it, and logs the class as the filter', async () => {
    const answer = await call(of(2025, 2, '운영체제'));
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(await answer.json()).toEqual([
      {
        id: '20211111',
        name: '가람',
        department: '컴퓨터공학부',
        tel: '010-1111-1111',
        email: 'a@univ.test',
        year: 2,
        type: '재학',
        no: 7,
        subjects: ['운영체제', '사물인터넷'],
        picture: false,
        version: expect.any(Number),
      },
    ]);
    expect(await logged()).toMatchObject({
      action: 'read',
      subject: 'student',
      person: null,
      detail: { count: 1, filter: { year: 2025, semester: 2, subject: '운영체제' } },
    });
    const both: Student[] = await (await call(of(2026, 1, '사물인터넷'))).json();
    expect(both.map(({ no, id }) => [no, id])).toEqual([
      [1, '20212222'],
      [3, '20211111'],
    ]);
  });

  test('STU-14 is empty for a class that nobody takes, whose words are not logged', async () => {
    expect(await (await call(of(2026, 2, '가람의 번호'))).json()).toEqual([]);
    expect(await logged()).toMatchObject({
      detail: { count: 0, filter: { year: 2026, semester: 2, subject: null } },
    });
  });

  test('STU-14 SEC-40 is 304 until something changes, and no class is given out as another or as everybody', async () => {
    const first = await call(of(2026, 1, '사물인터넷'));
    const tag = first.headers.get('etag') ?? '';
    const again = () => call(of(2026, 1, '사물인터넷'), 'GET', undefined, { 'if-none-match': tag });
    expect((await again()).status).toBe(304);
    expect(await logged()).toMatchObject({ detail: { count: 2, filter: { subject: '사물인터넷' } } });
    expect(await list()).toHaveLength(3);
    expect(await (await call(of(2024, 1, '운영체제'))).json()).toMatchObject([{ id: '20211111', no: 1 }]);
    expect(await list()).toHaveLength(3);
    await env.DB.prepare("UPDATE enrolments SET no = 9 WHERE student_id = '20212222'").run();
    const changed = await again();
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject([{ no: 3 }, { no: 9 }]);
  });

  test.each([
    ['year=2026', 'semester'],
    ['semester=1&subject=x', 'year'],
    ['year=2026&semester=1', 'subject'],
    ['year=2020&semester=1&subject=x', 'year'],
    ['year=2026&semester=3&subject=x', 'semester'],
  ])('STU-14 asked for as %j is refused by name', async (query, field) => {
    expect(await refusal(await call(`/students?${query}`))).toMatchObject({ status: 400, field });
  });

  test('STU-14 STU-2 what the list does not know changes nothing', async () => {
    expect(await (await call('/students?page=2')).json()).toHaveLength(3);
  });
});

describe('a course', () => {
  test('STU-6 is in the list of courses with its number of students, newest first', async () => {
    expect(await (await call('/students/courses')).json()).toEqual([
      { year: 2026, semester: 1, subject: '사물인터넷', students: 2 },
      { year: 2025, semester: 2, subject: '운영체제', students: 1 },
      { year: 2024, semester: 1, subject: '운영체제', students: 1 },
    ]);
  });
});

describe('one student', () => {
  test('STU-8 SEC-44 is deleted with enrolments; the log keeps the number alone', async () => {
    expect((await call('/students/20211111', 'DELETE')).status).toBe(200);
    const { students, enrolments } = await contents();
    expect(JSON.stringify([students, enrolments])).not.toContain('20211111');
    expect(await log('person=20211111&action=delete')).toMatchObject([
      { subject: 'student', person: { id: '20211111', name: null, email: null }, detail: {} },
    ]);
    expect((await call('/students/20211111', 'DELETE')).status).toBe(404);
  });

  test.each(['99999999', 'x', 'a_b_c_d', '1'.repeat(21), '1'.repeat(2048)])(
    'STU-8 %s is not found, and nothing is logged',
    async (id) => {
      const before = await contents();
      expect((await call(`/students/${id}`, 'DELETE')).status).toBe(404);
      expect((await call(`/students/${id}/export`, 'POST', { reason: '열람 요청' })).status).toBe(404);
      expect(await contents()).toEqual(before);
    },
  );

  test('STU-12 SEC-44 is exported whole, with the reason in the log', async () => {
    await env.DB.prepare(
      `INSERT INTO pictures (student_id, content_type, size, etag, width, height, uploaded_at)
       VALUES ('20211111', 'image/png', 9, 'x', 1, 1, 1000)`,
    ).run();
    const answer = await call('/students/20211111/export', 'POST', { reason: ' 열람 요청 ' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      student: {
        id: '20211111',
        name: '가람',
        department: '컴퓨터공학부',
        tel: '010-1111-1111',
        email: 'a@univ.test',
        last_term: 20261,
        by_hand: '{}',
      },
      enrolments: [
        { year: 2024, semester: 1, subject: '운영체제', no: 1, school_year: 1, type: '재학' },
        { year: 2025, semester: 2, subject: '운영체제', no: 7, school_year: 2, type: '재학' },
        { year: 2026, semester: 1, subject: '사물인터넷', no: 3, school_year: 3, type: '휴학' },
      ],
      picture: { content_type: 'image/png', size: 9, uploaded_at: '1970-01-01T00:00:01.000Z' },
      imports: expect.any(Array),
      log: expect.arrayContaining([
        { at: expect.any(String), action: 'export', detail: { reason: '열람 요청' } },
      ]),
    });
    expect(await logged()).toMatchObject({
      action: 'export',
      subject: 'student',
      person: { id: '20211111', name: '가람', email: 'a@univ.test' },
      detail: { reason: '열람 요청' },
    });
    expect(await log('person=가람&action=export')).toHaveLength(1);
  });

  test.each([{}, { reason: '' }, { reason: ' ' }, { reason: 7 }, { reason: '긴'.repeat(201) }])(
    'STU-12 is not exported for the reason %j',
    async (body) => {
      const answer = await call('/students/20211111/export', 'POST', body);
      expect(await refusal(answer)).toMatchObject({ status: 400, field: 'reason' });
    },
  );
});

describe('an export of the list', () => {
  test('STU-11 is logged with reason, number and kind of filter', async () => {
    const form = { reason: '출석부 작성', count: 12, search: true };
    expect((await call('/students/exports', 'POST', form)).status).toBe(200);
    expect(await logged()).toMatchObject({
      action: 'export',
      subject: 'student',
      person: null,
      detail: form,
    });
  });

  test('STU-14 of the email addresses of a class says so', async () => {
    const course = { year: 2026, semester: 1, subject: '사물인터넷' };
    const form = { reason: '휴강 안내', count: 2, course, emails: true };
    expect((await call('/students/exports', 'POST', form)).status).toBe(200);
    expect(await logged()).toMatchObject({
      action: 'export',
      detail: { reason: '휴강 안내', count: 2, filter: course, emails: true },
    });
  });

  test('STU-18 onto paper says so', async () => {
    const form = { reason: '시험 감독', count: 45, printed: true };
    expect((await call('/students/exports', 'POST', form)).status).toBe(200);
    expect(await logged()).toMatchObject({ action: 'export', detail: form });
  });

  test('STU-11 without a reason is refused', async () => {
    const answer = await call('/students/exports', 'POST', { reason: '', count: 1, filter: '' });
    expect(await refusal(answer)).toMatchObject({ status: 400, field: 'reason' });
  });
});

describe('a term', () => {
  test('STU-12 is purged after its number of enrolments was confirmed; whoever has another term stays', async () => {
    expect(await (await call('/students/terms/2026/1')).json()).toEqual({
      enrolments: 2,
      students: 1,
      left: 0,
    });
    const answer = await call('/students/terms/2026/1', 'DELETE', { enrolments: 2 });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ enrolments: 2, students: 1, left: 0 });
    expect(await logged()).toMatchObject({
      action: 'delete',
      subject: 'enrolment',
      detail: { filter: { year: 2026, semester: 1 }, enrolments: 2, students: 1 },
    });
    expect((await list()).map(({ id, subjects }) => ({ id, subjects }))).toEqual([
      { id: '0042', subjects: [] },
      { id: '20211111', subjects: ['운영체제'] },
    ]);
  });

  test.each([0, 1, 3])('STU-12 is not purged for %i enrolments when there are others', async (enrolments) => {
    const before = await contents();
    expect((await call('/students/terms/2026/1', 'DELETE', { enrolments })).status).toBe(409);
    expect(await contents()).toEqual(before);
  });

  test.each(['2020/1', '2026/3', 'x/1', '2026/x'])('STU-12 does not exist as %s', async (path) => {
    expect((await call(`/students/terms/${path}`)).status).toBe(400);
    expect((await call(`/students/terms/${path}`, 'DELETE', { enrolments: 0 })).status).toBe(400);
  });

  test.each([{}, { enrolments: '2' }, { enrolments: -1 }])('STU-12 is not purged for %j', async (body) => {
    const answer = await call('/students/terms/2026/1', 'DELETE', body);
    expect(await refusal(answer)).toMatchObject({ status: 400, field: 'enrolments' });
  });
});
