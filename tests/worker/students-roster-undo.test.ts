import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import worker from '../../worker/src/app.ts';
import { propertyRuns } from '../support/counts.ts';
import { asAdmin, call } from './client.ts';
import { counts, course, last, list, listed, many, post, roster, row, undo } from './roster.ts';
import { contents, migrateDatabase, NAME } from './support.ts';

const DAY = 86_400_000;

beforeAll(migrateDatabase);
asAdmin();
beforeEach(async () => {
  await env.DB.batch([env.DB.prepare('DELETE FROM students'), env.DB.prepare('DELETE FROM imports')]);
});

describe('an import', () => {
  test('IMP-4 is none at first, and its undo is not found', async () => {
    expect(await listed()).toEqual([]);
    expect((await undo()).status).toBe(404);
  });

  test('STU-6 is undone: who was added goes, what was changed comes back', async () => {
    await post(many(5), { subject: '운영체제' });
    await post(many(3));
    const before = await roster();
    const counted = { added: 2, changed: 2, unchanged: 1 };
    const data = [row(0), row(1, { tel: '010-2222-2222', no: 9 }), row(4), row(5), row(6)];
    expect(await counts(data, { remove: ['202100002'] })).toEqual(counted);
    expect(await last()).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      by: NAME,
      ...course,
      added: 2,
      changed: 2,
      removed: 1,
    });
    const answer = await undo();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(counted);
    expect(await roster()).toEqual(before);
    expect((await listed()).map(({ added }) => added)).toEqual([0, 5]);
  });

  test('STU-6 stays the last when another one changes nothing', async () => {
    await post(many(3));
    const first = await last();
    await post(many(3));
    expect(await last()).toEqual(first);
  });

  test('IMP-4 is listed with those before it, and each is undone by itself', async () => {
    await post(many(3));
    const before = await roster();
    await post(many(2), { subject: '운영체제' });
    const [second, first] = await listed();
    await post(many(4, 10), { subject: '논리회로' });
    expect(await listed()).toMatchObject([{ added: 4 }, { changed: 2 }, { added: 3 }]);
    expect((await undo(second?.id)).status).toBe(200);
    expect((await roster()).enrolments).toHaveLength(7);
    expect((await undo(first?.id)).status).toBe(200);
    expect((await listed()).map(({ subject }) => subject)).toEqual(['논리회로']);
    expect((await undo()).status).toBe(200);
    expect((await roster()).students).toEqual([]);
    expect(before.students).toHaveLength(3);
  });

  test('IMP-4 of a student whom a later import knows leaves the student, who then goes with that one', async () => {
    await post(many(2));
    const first = await last();
    await post([row(0)], { subject: '운영체제' });
    await post([row(0)], { subject: '논리회로' });
    expect((await undo(first?.id)).status).toBe(200);
    expect((await list()).map(({ id, subjects }) => [id, subjects.toSorted()])).toEqual([
      ['202100000', ['논리회로', '운영체제']],
    ]);
    const [third, second] = await listed();
    expect((await undo(second?.id)).status).toBe(200);
    expect((await undo(third?.id)).status).toBe(200);
    expect((await roster()).students).toEqual([]);
  });

  test.each([
    ['the same class again', () => post([row(0, { no: 9 })])],
    ['the person’s contact in another class', () => post([row(0, { tel: '1' })], { subject: '운영체제' })],
  ])('IMP-4 waits for a later one that imported %s', async (_, again) => {
    await post(many(2));
    const first = await last();
    await again();
    const before = await contents();
    const answer = await undo(first?.id);
    expect(answer.status).toBe(409);
    expect((await answer.json<{ error: { message: string } }>()).error.message).toContain('나중 것부터');
    expect(await contents()).toEqual(before);
    expect((await undo()).status).toBe(200);
    expect((await undo(first?.id)).status).toBe(200);
    expect((await roster()).students).toEqual([]);
  });

  test('IMP-4 of a class is undone although a contact that it did not touch was corrected since', async () => {
    await post([row(0)], { subject: '운영체제' });
    await post([row(0)]);
    await env.DB.prepare("UPDATE students SET tel = '1'").run();
    expect((await undo()).status).toBe(200);
    expect(await list()).toMatchObject([{ tel: '1', subjects: ['운영체제'] }]);
  });

  test('SEC-69 is undone only as it was shown: an id that is none is not found', async () => {
    await post(many(3));
    const before = await roster();
    for (const id of ['0', '-1', '1e3', 'last', String(((await last())?.id ?? 0) + 1)])
      expect((await call(`/students/imports/${id}`, 'DELETE')).status, id).toBe(404);
    expect(await roster()).toEqual(before);
  });

  test('STU-6 is undone once by two undos at once', async () => {
    await post(many(5), { subject: '운영체제' });
    const before = await roster();
    await post(many(3));
    const answers = await Promise.all([undo(), undo()]);
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 404]));
    expect(await roster()).toEqual(before);
  });

  test('STU-6 is undone whole beside an import at the same time', async () => {
    await post(many(3));
    await post(many(2, 3));
    const seen = (await last())?.id;
    const [undone, imported] = await Promise.all([undo(seen), post(many(2, 5))]);
    expect(undone.status).toBe(200);
    expect(imported.status).toBe(201);
    const ids = (await list()).map(({ id }) => id);
    expect(ids).toEqual([...many(3), ...many(2, 5)].map(({ id }) => id));
  });

  test('IMP-4 whatever was imported, undoing all of it in any order leaves nothing', async () => {
    const pasted = fc.uniqueArray(
      fc.record({ at: fc.nat(3), tel: fc.constantFrom('1', '2'), no: fc.nat(2) }),
      { minLength: 1, maxLength: 3, selector: ({ at }) => at },
    );
    const imported = fc.record({
      data: pasted,
      subject: fc.constantFrom('가', '나'),
      year: fc.constantFrom(2025, 2026),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(imported, { maxLength: 5 }),
        fc.infiniteStream(fc.nat(4)),
        async (all, order) => {
          for (const { data, ...of } of all)
            await post(
              data.map(({ at, ...fields }) => row(at, fields)),
              of,
            );
          let rest = await listed();
          while (rest.length > 0) {
            const [asked] = rest.splice((order.next().value ?? 0) % rest.length, 1);
            const { status } = await undo(asked?.id);
            expect([200, 409]).toContain(status);
            // The newest of them can always go.
            if (status === 200) rest = await listed();
          }
          expect(await roster()).toEqual({ students: [], enrolments: [] });
        },
      ),
      propertyRuns(20, 500),
    );
  });

  test('SEC-91 leaves no last term of an import that was undone before a later one', async () => {
    await env.DB.prepare("INSERT INTO students (id, name, tel) VALUES ('202100000', '가람0', '1')").run();
    const before = await roster();
    await post([row(0)], { year: 2050 });
    const wrong = await last();
    await post([row(0)], { subject: '운영체제', year: 2026 });
    expect((await undo(wrong?.id)).status).toBe(200);
    expect((await roster()).students).toMatchObject([{ last_term: 20261 }]);
    expect((await undo()).status).toBe(200);
    expect(await roster()).toEqual(before);
  });

  test('SEC-91 brings back no older contact than a later class lists, and that one with the later class', async () => {
    await post([row(0, { tel: '010-0000-0001' })], { subject: '논리회로', year: 2025 });
    await post([row(0, { tel: '010-0000-0002' })]);
    const [changing] = await listed();
    await post([row(0, { tel: '010-0000-0002' })], { subject: '운영체제' });
    expect((await undo(changing?.id)).status).toBe(200);
    expect(await list()).toMatchObject([{ tel: '010-0000-0002' }]);
    expect((await undo()).status).toBe(200);
    expect(await list()).toMatchObject([{ tel: '010-0000-0001', subjects: ['논리회로'] }]);
  });

  test('SEC-91 of who was added is undone although a picture came, where the student stays for another class', async () => {
    await post([row(0)]);
    const adding = await last();
    await post([row(0)], { subject: '운영체제' });
    await env.DB.prepare(
      `INSERT INTO pictures (student_id, content_type, size, etag, width, height, uploaded_at)
       VALUES ('202100000', 'image/png', 1, 'x', 1, 1, 0)`,
    ).run();
    expect((await undo(adding?.id)).status).toBe(200);
    expect(await list()).toMatchObject([{ picture: true, subjects: ['운영체제'] }]);
    // Now this one would take the student along, and the picture.
    expect((await undo()).status).toBe(409);
  });

  test('SEC-91 whatever was there before, undoing all of it in any order leaves that', async () => {
    const pasted = fc.uniqueArray(
      fc.record({ at: fc.nat(3), tel: fc.constantFrom('1', '2'), no: fc.nat(2) }),
      { minLength: 1, maxLength: 3, selector: ({ at }) => at },
    );
    const imported = fc.record({
      data: pasted,
      subject: fc.constantFrom('가', '나', '다'),
      year: fc.constantFrom(2025, 2026, 2027),
    });
    const asPosted = ({ data, ...of }: { data: { at: number }[]; subject: string; year: number }) =>
      post(
        data.map(({ at, ...fields }) => row(at, fields)),
        of,
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(imported, { maxLength: 2 }),
        fc.array(imported, { maxLength: 5 }),
        fc.infiniteStream(fc.nat(4)),
        async (first, all, order) => {
          await env.DB.prepare('DELETE FROM students').run();
          for (const each of first) await asPosted(each);
          await env.DB.prepare('DELETE FROM imports').run();
          const before = await roster();
          for (const each of all) await asPosted(each);
          let rest = await listed();
          while (rest.length > 0) {
            const [asked] = rest.splice((order.next().value ?? 0) % rest.length, 1);
            const { status } = await undo(asked?.id);
            expect([200, 409]).toContain(status);
            if (status === 200) rest = await listed();
          }
          expect(await roster()).toEqual(before);
        },
      ),
      propertyRuns(10, 500),
    );
  });

  const field: Record<string, string> = {
    'a student was deleted': 'student',
    'a contact changed': 'tel',
    'an enrolment changed': 'no',
    'an enrolment ended': 'enrolment',
    'a picture of somebody new came': 'picture',
  };
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

  test.each(Object.entries(meddling))(
    'STU-6 IMP-4 cannot be undone when %s since, and whose row it was is said',
    async (what, meddle) => {
      await post(many(3));
      await meddle();
      const asked = (await last())?.id;
      const { access_log: before = [], ...stored } = await contents();
      const answer = await undo(asked);
      expect(answer.status).toBe(409);
      const { error } = await answer.json<{ error: { message: string; current: unknown } }>();
      expect(error.message).toContain('되돌릴 수 없습니다');
      const name = field[what] === 'student' ? null : '가람1';
      expect(error.current).toEqual({ hindrances: [{ id: '202100001', name, fields: [field[what]] }] });
      const { access_log: after = [], ...left } = await contents();
      expect(left).toEqual(stored);
      expect(after.slice(before.length)).toMatchObject([{ action: 'read', subject: 'enrolment' }]);
    },
  );

  test('SEC-44 keeps nothing of a student who was deleted', async () => {
    await post(many(1));
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
  expect((await contents())['imports']).toHaveLength(1);
});
