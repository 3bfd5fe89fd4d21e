import { env } from 'cloudflare:workers';
import { normalizeText } from '#contract/printable-text';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Course } from '../../contract/courses.ts';
import { asAdmin, awkwardTexts, call, refusal } from './client.ts';
import { api, migrateDatabase } from './support.ts';
import { courseFields as form } from '../support/course.ts';

beforeAll(migrateDatabase);
asAdmin();

const list = async (): Promise<Course[]> => await (await call('/courses2')).json();
const create = async (fields: object = {}): Promise<Course> =>
  await (await call('/courses', 'POST', { ...form, ...fields })).json();

describe('a course', () => {
  test.each([undefined, null, 0, -1])('CRS-1 is created with 201 under the id %j', async (id) => {
    const before = await list();
    const answer = await call('/courses', 'POST', { ...form, ...(id !== undefined && { id }) });
    expect(answer.status).toBe(201);
    const course: Course = await answer.json();
    expect(course).toEqual({ ...form, id: expect.any(Number), version: 1 });
    expect(before.map((known) => known.id)).not.toContain(course.id);
    expect(await list()).toContainEqual(course);
  });

  test('CRS-1 is replaced whole with 201 under its own id', async () => {
    const { id } = await create({ target: 0, target_etc: '누구나', target_etc_en: 'Anyone' });
    const other = { ...form, id, year: 2027, semester: 3, subject: '운영체제', target: 7 };
    const answer = await call('/courses', 'POST', other);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ ...other, version: 2 });
    expect((await list()).filter((course) => course.id === id)).toEqual([{ ...other, version: 2 }]);
  });

  test('CRS-1 WORK-4 keeps what an older client does not know and does not send', async () => {
    const { id } = await create({ target: 0, target_etc: '누구나', target_etc_en: 'Anyone' });
    const { target_etc_en: _, ...older } = { ...form, target: 0, target_etc: '고교생' };
    const answer = await call('/courses', 'POST', { ...older, id });
    expect(await answer.json()).toMatchObject({ target_etc: '고교생', target_etc_en: 'Anyone' });
  });

  test('CRS-1 under an unknown id is not found, and nothing is created', async () => {
    const before = await list();
    expect((await call('/courses', 'POST', { ...form, id: 999_999 })).status).toBe(404);
    expect(await list()).toEqual(before);
  });

  test('WORK-4 is not written over by somebody who has not seen the last change', async () => {
    const { id, version } = await create();
    const first = await call('/courses', 'POST', { ...form, id, version, subject: '임베디드 시스템 1' });
    expect(await first.json()).toMatchObject({ subject: '임베디드 시스템 1', version: version + 1 });
    const second = await call('/courses', 'POST', { ...form, id, version, subject_en: 'Embedded' });
    expect(second.status).toBe(409);
    const current = { ...form, id, subject: '임베디드 시스템 1', version: version + 1 };
    expect(await second.json()).toEqual({
      error: { code: 'conflict', message: expect.stringMatching(/[가-힣]/), current },
    });
    expect(await list()).toContainEqual(current);
    const again = { ...current, subject_en: 'Embedded' };
    expect(await (await call('/courses', 'POST', again)).json()).toEqual({ ...again, version: version + 2 });
    // Without a version it replaces, as before there were versions.
    const blind = await call('/courses', 'POST', { ...form, id });
    expect(await blind.json()).toEqual({ ...form, id, version: version + 3 });
    expect((await call('/courses', 'POST', { ...form, id: 999_999, version })).status).toBe(404);
    expect((await call('/courses', 'POST', { ...form, id, version: 0 })).status).toBe(400);
  });

  test('WORK-4 of two simultaneous changes of one version is made once', async () => {
    const { id, version } = await create();
    const answers = await Promise.all(
      ['하나', '둘', '셋'].map((subject) => call('/courses', 'POST', { ...form, id, version, subject })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect((await list()).find((course) => course.id === id)?.version).toBe(version + 1);
  });

  test('CRS-1 is deleted once', async () => {
    const { id } = await create();
    expect((await call(`/courses/${id}`, 'DELETE')).status).toBe(200);
    expect((await list()).map((course) => course.id)).not.toContain(id);
    expect((await call(`/courses/${id}`, 'DELETE')).status).toBe(404);
  });

  test('CRS-1 shows in the list of its writer at once, while visitors share a cached one', async () => {
    const course = await create();
    const own = await call('/courses');
    expect(own.headers.get('cache-control')).toBe('private, no-cache');
    expect(await own.json()).toContainEqual(course);
    expect((await call('/courses2')).headers.get('cache-control')).toBe('no-store');
    expect((await api('/courses')).headers.get('cache-control')).toContain('s-maxage=60');
  });

  test.each([
    ['year', 2020],
    ['year', 2051],
    ['year', 2026.5],
    ['year', '2026'],
    ['semester', 0],
    ['semester', 5],
    ['subject', ''],
    ['subject_en', ''],
    ['subject', 7],
    ['target', 8],
    ['target', -1],
    ['target_etc', null],
    ['target_etc_en', null],
    ['target_etc_en', 'x'.repeat(201)],
    ['id', 'x'],
    ['id', 1.5],
  ])('CRS-2 with the %s %j is refused by name', async (field, value) => {
    const answer = await call('/courses', 'POST', { ...form, [field]: value });
    expect(await refusal(answer)).toMatchObject({ status: 400, field });
  });

  test('CRS-2 for others says for whom', async () => {
    const { target_etc: _, ...without } = form;
    for (const fields of [form, without]) {
      const answer = await call('/courses', 'POST', { ...fields, target: 0 });
      expect(await refusal(answer)).toMatchObject({ status: 400, field: 'target_etc' });
    }
  });

  test('CRS-2 for a year of studies needs no other words for whom', async () => {
    const { target_etc: _, target_etc_en: __, ...without } = form;
    const answer = await call('/courses', 'POST', without);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject(form);
  });

  test('PUB-13 PUB-7 keeps what it says in English for others, for visitors too', async () => {
    const fields = { target: 0, target_etc: '누구나', target_etc_en: 'Anyone' };
    const course = await create(fields);
    expect(course).toMatchObject(fields);
    for (const path of ['/courses', '/courses2']) {
      expect(await (await call(path)).json()).toContainEqual(course);
    }
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])('CRS-3 may have the target %i', async (target) => {
    expect(await create({ target, target_etc: target === 0 ? '누구나' : '' })).toMatchObject({ target });
  });
});

describe('whatever is sent', () => {
  test.each(awkwardTexts)(
    'SEC-26 IMP-8 the text %j comes back in its one spelling, or is refused',
    async (text) => {
      for (const field of ['subject', 'subject_en', 'target_etc', 'target_etc_en'] as const) {
        await env.DB.prepare('DELETE FROM courses').run();
        const answer = await call('/courses', 'POST', { ...form, [field]: text });
        const [stored] = await list();
        expect(stored?.[field]).toBe(answer.status === 400 ? undefined : normalizeText(text));
      }
      expect(await env.DB.prepare('SELECT count(*) AS n FROM users').first('n')).toBe(1);
    },
  );
});
