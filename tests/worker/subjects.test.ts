import { env } from 'cloudflare:workers';
import { normalizeText } from '#contract/printable-text';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Subject, SubjectsById } from '../../contract/subjects.ts';
import { asAdmin, awkwardTexts, call, refusal } from './client.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();

const subject = (id: string, fields: Partial<Subject> = {}): Subject => ({
  id,
  name: '사물인터넷',
  year: 4,
  type: '전공선택',
  score: 3,
  prof: '나린솔',
  time: '월1,2,3 화(10:00-11:50)',
  classroom: '공5호관 301',
  etc: '',
  ...fields,
});
const many = (howMany: number) => Array.from({ length: howMany }, (_, at) => subject(`S${at}`));
const put = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  call(`/subjects/${path}`, 'PUT', body, headers);
const read = async (path: string): Promise<SubjectsById> => await (await call(`/subjects/${path}`)).json();

describe('the timetable of a term', () => {
  test('SUB-1 that nobody has saved is an empty object', async () => {
    const answer = await call('/subjects/ai/2026/winter');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.json()).toEqual({});
  });

  test('SUB-4 is replaced whole and keyed by id, and other terms stay', async () => {
    await put('cs/2025/fall', [subject('A1')]);
    await put('cs/2026/fall', [subject('A1'), subject('A2')]);
    const graduate = subject('G1', { year: 0, score: 1.5 });
    const answer = await put('cs/2026/fall', [graduate, subject('A2', { name: '운영체제' })]);
    expect(answer.status).toBe(200);
    const saved = { G1: graduate, A2: subject('A2', { name: '운영체제' }) };
    expect(await answer.json()).toEqual(saved);
    expect(await read('cs/2026/fall')).toEqual(saved);
    expect(Object.keys(await read('cs/2025/fall'))).toEqual(['A1']);
    expect(await read('aics/2026/fall')).toEqual({});
  });

  test('SUB-4 may be emptied', async () => {
    await put('sw/2026/spring', [subject('A1')]);
    expect(await (await put('sw/2026/spring', [])).json()).toEqual({});
    expect(await read('sw/2026/spring')).toEqual({});
  });

  test.each([1, 12, 13, 101, 1000, 5000])('SUB-4 may have %i subjects', async (howMany) => {
    const answer = await put('csg/2026/summer', many(howMany));
    expect(Object.values(await answer.json<SubjectsById>())).toHaveLength(howMany);
  });

  test.each(['math/2026/spring', 'CS/2026/spring', 'cs/2026/autumn', 'cs/2020/spring', 'cs/2051/spring'])(
    'SUB-4 does not exist as %s',
    async (path) => {
      expect((await call(`/subjects/${path}`)).status).toBe(400);
      expect((await put(path, [])).status).toBe(400);
    },
  );

  test.each([
    [{ year: '1' }, 'year'],
    [{ year: 7 }, 'year'],
    [{ score: '3' }, 'score'],
    [{ score: -1 }, 'score'],
    [{ name: '' }, 'name'],
    [{ prof: null }, 'prof'],
    [{ classroom: 7 }, 'classroom'],
  ])('SUB-4 with %j names the row and the field, and nothing is stored', async (fields, field) => {
    const before = await (await put('swg/2026/fall', many(3))).json();
    const rows: object[] = [...many(40), { ...subject('bad'), ...fields }, subject('last')];
    expect(await refusal(await put('swg/2026/fall', rows))).toEqual({ status: 400, row: 41, field });
    expect(await read('swg/2026/fall')).toEqual(before);
  });

  test('SUB-4 with one id twice names the second row', async () => {
    const answer = await put('cs/2026/winter', [...many(5), subject('S2')]);
    expect(await refusal(answer)).toEqual({ status: 400, row: 6, field: 'id' });
    expect(await read('cs/2026/winter')).toEqual({});
  });
});

describe('whatever is sent', () => {
  test('SEC-25 as many bytes as a body may have are stored in full', async () => {
    const rows = Array.from({ length: 2200 }, (_, at) => subject(`S${at}`, { etc: '긴'.repeat(500) }));
    expect(JSON.stringify(rows).length).toBeLessThan(4 * 1024 * 1024);
    const answer = await put('cs/2024/spring', rows);
    expect(Object.values(await answer.json<SubjectsById>())).toHaveLength(2200);
  });

  test.each(awkwardTexts)(
    'SEC-26 IMP-8 the text %j comes back in its one spelling, or is refused',
    async (text) => {
      for (const field of ['id', 'name', 'type', 'prof', 'time', 'classroom', 'etc'] as const) {
        await put('ai/2026/spring', []);
        const answer = await put('ai/2026/spring', [subject('A1', { [field]: text })]);
        const [stored] = Object.values(await read('ai/2026/spring'));
        expect(stored?.[field]).toBe(answer.status === 400 ? undefined : normalizeText(text));
      }
      expect(await env.DB.prepare('SELECT count(*) AS n FROM users').first('n')).toBe(1);
    },
  );

  test('SEC-30 a number that reaches for prototypes is a number', async () => {
    expect((await put('ai/2026/fall', [subject('__proto__')])).status).toBe(200);
    expect(Object.keys(await read('ai/2026/fall'))).toEqual(['__proto__']);
  });
});
