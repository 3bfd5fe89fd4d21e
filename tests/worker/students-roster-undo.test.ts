import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { RosterUndoResult } from '#contract/students';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import worker from '../../worker/src/app.ts';
import { propertyRuns } from '../support/counts.ts';
import { asAdmin, call } from './client.ts';
import { counts, course, last, list, listed, many, one, post, roster, row, undo } from './roster.ts';
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

  test('IMP-11 an empty cell keeps number, year and status, and its import is undone as if it had listed them', async () => {
    await post([row(0, { no: 4, year: 2 })]);
    await post([row(0, { no: 4, year: 3 })]);
    const before = await roster();
    const blank = row(0, { no: 0, year: 0, type: '', tel: '' });
    expect(await counts([blank])).toEqual({ added: 0, changed: 0, unchanged: 1 });
    expect(await roster()).toEqual(before);
    await undo((await listed())[1]?.id);
    expect(await one(row(0).id)).toMatchObject({ no: 4, year: 2, type: '재학' });
    await undo((await listed())[1]?.id);
    expect(await one(row(0).id)).toMatchObject({ no: 0, year: 0, type: '' });
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
    expect(await answer.json()).toEqual({
      ...counted,
      kept: [],
      gone: [5, 6].map((at) => ({ id: row(at).id, name: `가람${at}` })),
      altered: [
        {
          id: row(1).id,
          name: '가람1',
          enrolment: null,
          changes: [
            { field: 'tel', before: '010-2222-2222', after: row(1).tel },
            { field: 'no', before: 9, after: row(1).no },
          ],
        },
        { id: row(2).id, name: '가람2', enrolment: 'begun', changes: [] },
        { id: row(4).id, name: '가람4', enrolment: 'ended', changes: [] },
      ],
      stays: [],
    });
    expect(await roster()).toEqual(before);
    expect((await listed()).map(({ added }) => added)).toEqual([0, 5]);
  });

  test('IMP-11 values that only it brought and a later import kept are named as they stay', async () => {
    await post([row(0, { email: 'only@univ.test' })]);
    await post([row(0, { email: '' })]);
    const undone: RosterUndoResult = await (await undo((await listed()).at(-1)?.id)).json();
    expect(undone).toMatchObject({
      altered: [],
      stays: [{ id: row(0).id, name: '가람0', fields: ['email'] }],
    });
  });

  test('STU-6 IMP-11 is listed and undone by itself when it changed nothing', async () => {
    await post(many(3));
    const before = await roster();
    await post(many(3));
    expect(await listed()).toMatchObject([{ added: 0, changed: 0, removed: 0 }, { added: 3 }]);
    expect((await undo()).status).toBe(200);
    expect(await roster()).toEqual(before);
  });

  test('IMP-11 undone leaves everybody whom a later import lists too', async () => {
    await post(many(30));
    const first = await last();
    await post(many(32));
    expect((await undo(first?.id)).status).toBe(200);
    expect(await list()).toHaveLength(32);
    expect((await undo()).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  test('IMP-11 undone brings back no contact that an import before it had replaced', async () => {
    await post([row(0, { tel: 'A' })], { subject: '논리회로' });
    await post([row(0, { tel: 'B' })]);
    const second = await last();
    await post([row(0, { tel: 'B' }), row(1)]);
    expect((await undo(second?.id)).status).toBe(200);
    expect((await list())[0]).toMatchObject({ tel: 'B' });
  });

  test('IMP-11 takes its wrong name along where a later one lists another', async () => {
    await post([row(0, { name: '틀린이' })]);
    const wrong = await last();
    await post([row(0)], { subject: '운영체제' });
    expect((await undo(wrong?.id)).status).toBe(200);
    expect(await list()).toMatchObject([{ name: '가람0', subjects: ['운영체제'] }]);
  });

  test('IMP-11 loses no value that a later one said it keeps for its empty cell', async () => {
    await post([row(0)]);
    const first = await last();
    await post([row(0, { email: '' })], { subject: '운영체제' });
    expect((await undo(first?.id)).status).toBe(200);
    expect(await list()).toMatchObject([{ email: 's0@univ.test', subjects: ['운영체제'] }]);
    expect((await undo()).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  test.each([2026, 2025])(
    'IMP-11 brings no value over one typed by hand that the preview of a list said it does not take (class of %s)',
    async (year) => {
      await post([row(0)], { subject: '논리회로', year });
      const { name, department } = row(0);
      const typed = { name, department, tel: '010-8888-8888', email: 'hand@univ.test' };
      expect((await call('/students/202100000', 'PUT', typed)).status).toBe(200);
      await post([row(0)], { year: 2027 });
      const newer = await last();
      await post([row(0, { tel: '010-5555-5555', email: 'old@univ.test' })], { subject: '운영체제' });
      expect((await undo(newer?.id)).status).toBe(200);
      expect(await list()).toMatchObject([{ tel: typed.tel, email: typed.email }]);
    },
  );

  test('IMP-11 of an older term overwrites no newer contact of a class that was left', async () => {
    await post([row(0, { tel: '새 번호' })], { year: 2026 });
    const query = new URLSearchParams({ year: '2026', semester: '1', subject: course.subject });
    expect((await call(`/students/202100000/enrolment?${query}`, 'DELETE')).status).toBe(200);
    await post([row(0, { tel: '옛 번호' })], { year: 2025 });
    expect(await list()).toMatchObject([{ tel: '새 번호' }]);
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
  ])('IMP-4 IMP-11 goes before a later one that imported %s', async (_, again) => {
    await post(many(2));
    const first = await last();
    await again();
    expect((await undo(first?.id)).status).toBe(200);
    expect((await list()).map(({ id }) => id)).toEqual(['202100000']);
    expect((await undo()).status).toBe(200);
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
    // This one would take the student along, and the picture.
    const kept = [{ id: '202100000', name: '가람0', fields: ['picture'] }];
    expect(await (await undo()).json()).toMatchObject({ kept });
    expect(await list()).toMatchObject([{ picture: true, subjects: [] }]);
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
            expect(status).toBe(200);
            rest = await listed();
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
    'STU-6 IMP-4 IMP-11 is undone although %s since: that stays, and whose it is is said',
    async (what, meddle) => {
      await post(many(3));
      await meddle();
      const [, meddled] = await list();
      const { access_log: before = [] } = await contents();
      const answer = await undo();
      expect(answer.status).toBe(200);
      const name = field[what] === 'student' ? null : '가람1';
      const { kept, gone } = await answer.json<RosterUndoResult>();
      const { access_log: after = [] } = await contents();
      // Who has left the class goes with it, and so keeps nothing.
      const isGone = field[what] === 'enrolment';
      expect(kept).toEqual(isGone ? [] : [{ id: '202100001', name, fields: [field[what]] }]);
      expect(gone.some(({ id }) => id === '202100001')).toBe(isGone);
      // Who was deleted, or has left the class, does not come back.
      const isLeft = !['student', 'enrolment'].includes(field[what] ?? '');
      expect((await list()).map(({ id, tel }) => [id, tel])).toEqual(
        isLeft ? [['202100001', meddled?.tel]] : [],
      );
      expect(after.slice(before.length)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ action: 'change', subject: 'enrolment' }),
          expect.objectContaining({ action: 'read', subject: 'enrolment' }),
        ]),
      );
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
