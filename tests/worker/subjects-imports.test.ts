import type { StoredTimetableImport, Subject } from '#contract/subjects';
import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import worker from '../../worker/src/app.ts';
import { asAdmin, call } from './client.ts';
import { contents, migrateDatabase, NAME } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();
beforeEach(async () => {
  await env.DB.batch([env.DB.prepare('DELETE FROM subjects'), env.DB.prepare('DELETE FROM subject_imports')]);
});

const subject = (id: string, fields: Partial<Subject> = {}): Subject => ({
  id,
  name: '사물인터넷',
  year: 4,
  type: '전공선택',
  score: 1.5,
  prof: '나린솔',
  time: '월1,2,3',
  classroom: '공5호관 301',
  etc: '',
  ...fields,
});
const put = (list: Subject[], term = 'cs/2026/fall') => call(`/subjects/${term}`, 'PUT', list);
const read = async (term = 'cs/2026/fall') => await (await call(`/subjects/${term}`)).json();
const listed = async (): Promise<StoredTimetableImport[]> => await (await call('/subjects/imports')).json();
const undo = (id = 0) => call(`/subjects/imports/${id}`, 'DELETE');

describe('a change of a timetable', () => {
  test('IMP-4 is listed with who and when, and undone whole', async () => {
    await put([subject('A1'), subject('A2', { etc: '격주' })]);
    const before = await read();
    await put([subject('A2'), subject('B1'), subject('B2')]);
    const [last] = await listed();
    expect(last).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      by: NAME,
      department: 'cs',
      year: 2026,
      semester: 'fall',
      subjects: 3,
      before: 2,
    });
    expect((await undo(last?.id)).status).toBe(200);
    expect(await read()).toEqual(before);
    expect((await undo(last?.id)).status).toBe(404);
    const [first] = await listed();
    expect(first).toMatchObject({ subjects: 2, before: 0 });
    await undo(first?.id);
    expect([await read(), await listed()]).toEqual([{}, []]);
    expect((await contents())['replaced_subjects']).toEqual([]);
  });

  test('IMP-4 of a term without a timetable leaves it without one again', async () => {
    await put([subject('A1')]);
    expect(await listed()).toMatchObject([{ subjects: 1, before: 0 }]);
    await undo((await listed())[0]?.id);
    expect(await read()).toEqual({});
  });

  test('IMP-4 is undone from the last one back, and each term by itself', async () => {
    await put([subject('A1')]);
    const first = (await listed())[0]?.id;
    await put([subject('A2')]);
    await put([subject('A3')], 'cs/2026/spring');
    expect(await listed()).toMatchObject([{ semester: 'spring' }, { semester: 'fall' }]);
    expect((await undo(first)).status).toBe(404);
    expect(Object.keys(Object(await read()))).toEqual(['A2']);
    await undo((await listed())[1]?.id);
    expect([Object.keys(Object(await read())), Object.keys(Object(await read('cs/2026/spring')))]).toEqual([
      ['A1'],
      ['A3'],
    ]);
    expect((await undo(first)).status).toBe(200);
    expect(await read()).toEqual({});
    expect(await listed()).toMatchObject([{ semester: 'spring' }]);
  });

  test('IMP-4 the same list saved again takes no undo away', async () => {
    await put([subject('A1'), subject('A2')]);
    await put([subject('A1', { score: 3 })]);
    const before = await listed();
    await put([subject('A1', { score: 3 })]);
    expect(await listed()).toEqual(before);
    await undo(before[0]?.id);
    expect(Object.keys(Object(await read()))).toEqual(['A1', 'A2']);
  });

  test('IMP-4 is forgotten after thirty days, and the timetable stays', async () => {
    await put([subject('A1')]);
    await env.DB.prepare('UPDATE subject_imports SET at = ?')
      .bind(Date.now() - 31 * 86_400_000)
      .run();
    await worker.scheduled(createScheduledController(), env);
    expect(await listed()).toEqual([]);
    expect(Object.keys(Object(await read()))).toEqual(['A1']);
  });
});
