import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Due } from '../../worker/contract/dues.ts';
import { asAdmin, call, refusal } from './client.ts';
import { someEntryId, someUser } from './route-fixtures.ts';
import { contents, migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();

const users: Record<string, number> = {};
beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM dues'),
    env.DB.prepare('DELETE FROM ledger_entries'),
    env.DB.prepare("DELETE FROM users WHERE email <> 'admin@lab.test'"),
    env.DB.prepare("UPDATE users SET name = '가람' WHERE email = 'admin@lab.test'"),
  ]);
  for (const [name, level] of [
    ['나래', 3],
    ['다솜', 5],
    ['라온', 8],
    ['마루', 10],
  ] as const) {
    const id = await someUser();
    await env.DB.prepare('UPDATE users SET name = ?, secure_level = ? WHERE id = ?')
      .bind(name, level, id)
      .run();
    users[name] = id;
  }
});

const TERM = '/account/dues/2026/1';
const list = async (term = TERM): Promise<Due[]> => await (await call(term)).json();
const pay = (body: unknown, term = TERM) => call(term, 'PUT', body);
const addNames = (...names: string[]) => call(TERM, 'POST', { names });
const paidBy = async (term = TERM) =>
  Object.fromEntries((await list(term)).map(({ name, entry_id }) => [name, entry_id]));
const logged = async () => (await contents())['access_log']?.at(-1);
const withdrawal = async () =>
  (await env.DB.prepare(
    "INSERT INTO ledger_entries (amount, datetime, description) VALUES (-1, '2026-03-02T13:00:00', 'x') RETURNING id",
  ).first<number>('id')) ?? -1;

describe('the dues of a semester', () => {
  test('ACC-10 are owed by the users of the lab, named by id and name alone', async () => {
    expect(await list()).toEqual([
      { id: null, user_id: expect.any(Number), name: '가람', entry_id: null },
      { id: null, user_id: users['나래'], name: '나래', entry_id: null },
      { id: null, user_id: users['다솜'], name: '다솜', entry_id: null },
    ]);
    expect(await logged()).toMatchObject({
      action: 'read',
      subject: 'due',
      subject_id: null,
      detail: '{"filter":{"year":2026,"semester":1},"count":3}',
    });
  });

  test('ACC-10 are paid by a deposit, which may pay for several, in that semester alone', async () => {
    const entry = await someEntryId();
    const answer = await pay({ user_id: users['다솜'], entry_id: entry });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(await list());
    await pay({ user_id: users['나래'], entry_id: entry });
    expect(await paidBy()).toEqual({ 가람: null, 나래: entry, 다솜: entry });
    expect(await paidBy('/account/dues/2026/2')).toEqual({ 가람: null, 나래: null, 다솜: null });
  });

  test('ACC-10 SEC-43 leave before and after in the log', async () => {
    const [one, other] = [await someEntryId(), await someEntryId()];
    for (const entry_id of [one, other, null]) {
      await pay({ user_id: users['다솜'], entry_id });
      expect(await logged()).toMatchObject({
        action: 'change',
        subject: 'due',
        subject_id: String(users['다솜']),
      });
    }
    const details = (await contents())['access_log']
      ?.slice(-3)
      .map((row) => Reflect.get(Object(row), 'detail'));
    const filter = { year: 2026, semester: 1 };
    expect(details?.map((detail) => JSON.parse(String(detail)))).toEqual([
      { filter, entry: [null, one] },
      { filter, entry: [one, other] },
      { filter, entry: [other, null] },
    ]);
    const [shown]: unknown[] = await (await call('/access_log')).json();
    expect(shown).toMatchObject({ person: { id: users['다솜'], name: '다솜' } });
  });

  test('ACC-10 are unpaid again when the entry is deleted', async () => {
    const entry = await someEntryId();
    await pay({ user_id: users['다솜'], entry_id: entry });
    await call(`/account/${entry}`, 'DELETE');
    expect(await paidBy()).toEqual({ 가람: null, 나래: null, 다솜: null });
  });

  test('ACC-10 hold typed names too, each once', async () => {
    const answer = await addNames('바다', '하늘', '바다');
    expect(answer.status).toBe(201);
    expect(await logged()).toMatchObject({
      action: 'create',
      subject: 'due',
      detail: '{"filter":{"year":2026,"semester":1},"added":2}',
    });
    await addNames('하늘');
    const sky = (await list()).find(({ name }) => name === '하늘');
    expect((await list()).map(({ name }) => name)).toEqual(['가람', '나래', '다솜', '바다', '하늘']);
    const entry = await someEntryId();
    expect((await pay({ id: sky?.id, entry_id: entry })).status).toBe(200);
    expect(await paidBy()).toMatchObject({ 바다: null, 하늘: entry });
    expect((await call(`/account/dues/${sky?.id}`, 'DELETE')).status).toBe(200);
    expect((await call(`/account/dues/${sky?.id}`, 'DELETE')).status).toBe(404);
    expect(await paidBy()).not.toHaveProperty('하늘');
  });

  test('ACC-10 keep who has paid and left the lab, not who left without', async () => {
    const entry = await someEntryId();
    await pay({ user_id: users['다솜'], entry_id: entry });
    await env.DB.prepare('UPDATE users SET secure_level = 10 WHERE name IN (?, ?)')
      .bind('다솜', '나래')
      .run();
    expect(await paidBy()).toEqual({ 가람: null, 다솜: entry });
    await env.DB.prepare('DELETE FROM users WHERE name = ?').bind('다솜').run();
    expect(await paidBy()).toEqual({ 가람: null, 다솜: entry });
  });

  test('ACC-10 are not paid by a withdrawal or by nothing', async () => {
    for (const entry_id of [await withdrawal(), 999_999]) {
      expect((await pay({ user_id: users['다솜'], entry_id })).status).toBe(409);
    }
    expect(await paidBy()).toMatchObject({ 다솜: null });
  });

  test('ACC-10 are owed by nobody else', async () => {
    const entry_id = await someEntryId();
    for (const user_id of [users['라온'], users['마루'], 999_999]) {
      expect((await pay({ user_id, entry_id })).status).toBe(404);
    }
    expect((await pay({ id: 999_999, entry_id })).status).toBe(404);
    expect((await contents())['dues']).toEqual([]);
  });

  test.each([
    {},
    { entry_id: null },
    { user_id: 1 },
    { user_id: 1, id: 1, entry_id: null },
    { user_id: '1', entry_id: null },
    { user_id: 1.5, entry_id: null },
    { user_id: 0, entry_id: null },
    { user_id: 1, entry_id: 0 },
  ])('ACC-10 SEC-24 of %j are refused', async (body) => {
    expect((await pay(body)).status).toBe(400);
  });

  test.each([[''], [' 바다'], ['바다 '], ['바'.repeat(51)], [7], [null]])(
    'ACC-10 have nobody of the name %j',
    async (name) => {
      expect(await refusal(await call(TERM, 'POST', { names: [name] }))).toMatchObject({ status: 400 });
    },
  );

  test.each(['2020/1', '2051/1', '2026/0', '2026/3', '2026/01', 'x/1', '2026/1e0'])(
    'ACC-10 are of no semester %s',
    async (term) => {
      expect((await call(`/account/dues/${term}`)).status).toBe(400);
    },
  );

  test('ACC-10 SEC-43 leave the system with a reason', async () => {
    expect((await call(`${TERM}/exports`, 'POST', { reason: '' })).status).toBe(400);
    expect((await call(`${TERM}/exports`, 'POST', { reason: '감사 제출' })).status).toBe(200);
    expect(await logged()).toMatchObject({
      action: 'export',
      subject: 'due',
      detail: '{"filter":{"year":2026,"semester":1},"reason":"감사 제출"}',
    });
  });
});
