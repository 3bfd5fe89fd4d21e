import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { RosterPreview, RosterRow } from '#contract/students';
import { asAdmin, call, refusal } from './client.ts';
import { course, many, one, post, roster, row } from './roster.ts';
import { contents, migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();
beforeEach(async () => {
  await env.DB.batch([env.DB.prepare('DELETE FROM students'), env.DB.prepare('DELETE FROM imports')]);
});

const seen = async (data: RosterRow[]): Promise<string> => {
  const answer = await call('/students/preview', 'POST', { ...course, data });
  return (await answer.json<RosterPreview>()).version;
};
const store = (data: RosterRow[], version: string) =>
  call('/students/', 'POST', { ...course, data }, { 'If-Match': `"${version}"` });

/** What a colleague does between a preview and the press of the button. */
const meanwhile: Record<string, () => Promise<unknown>> = {
  'corrects a phone': async () => {
    const { name, department, email } = row(0);
    const form = { name, department, email, tel: '010-9999-9999' };
    return await call(`/students/${row(0).id}`, 'PUT', form);
  },
  'deletes a student': () => call(`/students/${row(1).id}`, 'DELETE'),
  'purges the term': () =>
    call(`/students/terms/${course.year}/${course.semester}`, 'DELETE', { enrolments: 3 }),
  'imports another roster': () => post([row(2, { type: '휴학' })]),
};

test.each(Object.entries(meanwhile))(
  'STU-6 an import stores what its preview has shown, or nothing: a colleague %s',
  async (_what, change) => {
    await post(many(3));
    const pasted = many(4);
    const version = await seen(pasted);
    await change();
    const before = [await roster(), (await contents())['imports'], (await contents())['access_log']];
    const refused = await store(pasted, version);
    expect(await refusal(refused)).toEqual({ status: 409, row: undefined, field: 'If-Match' });
    expect([await roster(), (await contents())['imports'], (await contents())['access_log']]).toEqual(before);

    const stored = await store(pasted, await seen(pasted));
    expect(stored.status).toBe(201);
    expect((await one(row(0).id))?.tel).toBe(row(0).tel);
  },
);

test('STU-6 STU-7 an unchanged roster is stored as it was shown, once, and without a version as ever', async () => {
  const version = await seen(many(2));
  const first = await store(many(2), version);
  expect([first.status, await first.json()]).toEqual([201, { added: 2, changed: 0, unchanged: 0 }]);
  expect((await store(many(2), version)).status).toBe(409);
  expect((await post(many(2))).status).toBe(201);
});
