import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import worker from '../../worker/src/app.ts';
import { asAdmin, call } from './client.ts';
import { counts, course, last, list, many, post, roster, row, undo } from './roster.ts';
import { contents, migrateDatabase } from './support.ts';

const DAY = 86_400_000;

beforeAll(migrateDatabase);
asAdmin();
beforeEach(async () => {
  await env.DB.batch([env.DB.prepare('DELETE FROM students'), env.DB.prepare('DELETE FROM imports')]);
});

describe('the last import', () => {
  test('STU-6 is none at first, and its undo is not found', async () => {
    expect(await last()).toBeNull();
    expect((await undo()).status).toBe(404);
  });

  test('STU-6 is undone: who was added goes, what was changed comes back', async () => {
    await post(many(5), { subject: '운영체제' });
    await post(many(3));
    const before = await roster();
    const counted = { added: 2, changed: 2, unchanged: 1 };
    const data = [row(0), row(1, { tel: '010-2222-2222', no: 9 }), row(4), row(5), row(6)];
    expect(await counts(data, { remove: ['202100002'] })).toEqual(counted);
    expect(await last()).toEqual({ id: expect.any(Number), at: expect.any(String), ...course, ...counted });
    const answer = await undo();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(counted);
    expect(await roster()).toEqual(before);
    expect((await undo()).status).toBe(404);
  });

  test('STU-6 stays the last when another one changes nothing', async () => {
    await post(many(3));
    const first = await last();
    await post(many(3));
    expect(await last()).toEqual(first);
  });

  test('STU-6 is kept alone: a newer one takes its place', async () => {
    await post(many(3));
    await post(many(4));
    expect(await last()).toMatchObject({ added: 1, unchanged: 3 });
    expect((await contents())['import_rows']).toHaveLength(1);
    await undo();
    expect(await last()).toBeNull();
  });

  test('SEC-69 is undone only by whoever was shown it: a newer one that somebody else made stays', async () => {
    await post(many(3));
    const shown = (await last())?.id;
    await post(many(2, 3));
    const before = await roster();
    const refused = await undo(shown);
    expect(refused.status).toBe(409);
    expect(await roster()).toEqual(before);
    for (const query of ['', '?id=', '?id=0', '?id=-1', '?id=1e3', `?id=${shown}&id=${(shown ?? 0) + 1}`])
      expect((await call(`/students/imports/last${query}`, 'DELETE')).status, query).toBe(400);
    expect(await roster()).toEqual(before);
    expect((await undo((shown ?? 0) + 1)).status).toBe(200);
  });

  test('STU-6 is undone once by two undos at once', async () => {
    await post(many(5), { subject: '운영체제' });
    const before = await roster();
    await post(many(3));
    const answers = await Promise.all([undo(), undo()]);
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 404]));
    expect(await roster()).toEqual(before);
  });

  test('STU-6 is undone whole beside an import at the same time: the one or the other', async () => {
    await post(many(3));
    await post(many(2, 3));
    const seen = (await last())?.id;
    const [undone, imported] = await Promise.all([undo(seen), post(many(2, 5))]);
    expect([200, 409]).toContain(undone.status);
    expect(imported.status).toBe(201);
    const ids = (await list()).map(({ id }) => id);
    const [first, second, third] = [many(3), many(2, 3), many(2, 5)];
    expect(
      [
        [...first, ...second],
        [...first, ...third],
      ].map((rows) => rows.map(({ id }) => id)),
    ).toContainEqual(ids);
  });

  const meddling: Record<string, () => Promise<unknown>> = {
    'a student was deleted': () => call('/students/202100001', 'DELETE'),
    'a contact changed': () => env.DB.prepare("UPDATE students SET tel = '1' WHERE id = '202100001'").run(),
    'an enrolment changed': () =>
      env.DB.prepare("UPDATE enrolments SET no = 77 WHERE student_id = '202100001'").run(),
    'an enrolment ended': () => env.DB.prepare("DELETE FROM enrolments WHERE student_id = '202100001'").run(),
    'a picture of somebody new came': () =>
      env.DB.prepare(
        `INSERT INTO pictures (student_id, content_type, size, etag, width, height, uploaded_at)
         VALUES ('202100001', 'image/png', 1, 'x', 1, 1, 0)`,
      ).run(),
  };

  test.each(Object.entries(meddling))('STU-6 cannot be undone when %s since', async (_, meddle) => {
    await post(many(3));
    await meddle();
    const before = await contents();
    const answer = await undo();
    expect(answer.status).toBe(409);
    expect((await answer.json<{ error: { message: string } }>()).error.message).toContain(
      '되돌릴 수 없습니다',
    );
    expect(await contents()).toEqual(before);
  });

  test('SEC-44 keeps nothing of a student who was deleted', async () => {
    await post(many(2));
    await post([row(0, { tel: '010-3333-3333', email: 'new@univ.test' })]);
    await call('/students/202100000', 'DELETE');
    const kept = JSON.stringify((await contents())['import_rows']);
    for (const trace of ['가람0', '010-0000', '010-3333', '@univ.test']) expect(kept).not.toContain(trace);
  });
});

test('what an import replaced is forgotten after thirty days', async () => {
  const imported = (at: number) =>
    env.DB.prepare(
      `INSERT INTO imports (at, year, semester, subject, added, changed, unchanged, removed)
       VALUES (?, 2026, 1, 'x', 1, 0, 0, 0)`,
    )
      .bind(at)
      .run();
  await imported(Date.now() - 29 * DAY);
  await worker.scheduled(createScheduledController(), env);
  expect((await contents())['imports']).toHaveLength(1);
  await imported(Date.now() - 31 * DAY);
  await worker.scheduled(createScheduledController(), env);
  expect((await contents())['imports']).toEqual([]);
});
