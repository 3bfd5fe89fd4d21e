import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { call } from './client.ts';
import { someEntryId, someUser } from './route-fixtures.ts';
import { contents } from './support.ts';
import { addNames, fourUsers, list, logged, pay, read, TERM, users } from './dues.ts';

fourUsers();

describe('a person who stands twice', () => {
  const join = (id: unknown, user_id: unknown, term = TERM) => pay({ id, user_id }, term);
  const named = async (name: string, isUser: boolean) =>
    (await list()).find((due) => due.name === name && (due.user_id !== null) === isUser);
  /** 다솜 with this payment is deleted and signs in again. */
  const returning = async (entry_id: number | null) => {
    await pay({ user_id: users['다솜'], entry_id: await someEntryId() });
    await pay({ user_id: users['다솜'], entry_id });
    expect((await call(`/users/${users['다솜']}`, 'DELETE')).status).toBe(200);
    const id = await someUser();
    await env.DB.prepare("UPDATE users SET name = '다솜', secure_level = 5 WHERE id = ?").bind(id).run();
    return id;
  };
  const dasoms = async () => (await list()).filter(({ name }) => name === '다솜');

  test('ACC-10 does so not when nothing was paid before they were deleted', async () => {
    const user_id = await returning(null);
    expect(await dasoms()).toEqual([{ id: null, user_id, name: '다솜', entry_id: null, amount: null }]);
    // The name is free to be typed, and what is hidden can be neither paid nor deleted.
    const [hidden] = (await contents())['dues'] ?? [];
    const id = Number(Reflect.get(Object(hidden), 'id'));
    expect((await pay({ id, entry_id: await someEntryId() })).status).toBe(404);
    expect((await call(`/account/dues/${id}`, 'DELETE')).status).toBe(404);
    await addNames('다솜');
    expect(await dasoms()).toHaveLength(2);
  });

  test('ACC-10 is made one by hand, and has paid what the deleted one had', async () => {
    const entry_id = await someEntryId();
    const user_id = await returning(entry_id);
    const left = await named('다솜', false);
    expect(await dasoms()).toHaveLength(2);
    const answer = await join(left?.id, user_id);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(await read());
    expect(await dasoms()).toEqual([{ id: left?.id, user_id, name: '다솜', entry_id, amount: null }]);
    expect(await contents()).toMatchObject({ dues: [{ user_deleted_at: null }] });
    expect((await pay({ user_id: users['나래'], entry_id })).status).toBe(409);
  });

  // What each has: nothing stored, a row without a payment, a payment.
  const having = ['nothing', 'a row', 'a payment'] as const;
  type Having = (typeof having)[number];
  const twice = async (typed: Having, own: Having) => {
    const user_id = users['나래'] ?? 0;
    await addNames('나래');
    const id = (await named('나래', false))?.id;
    const [typedEntry, ownEntry] = [await someEntryId(), await someEntryId()];
    if (typed === 'a payment') await pay({ id, entry_id: typedEntry });
    if (own !== 'nothing') await pay({ user_id, entry_id: ownEntry });
    if (own === 'a row') await pay({ user_id, entry_id: null });
    const before = own === 'a payment' ? ownEntry : null;
    return { id, user_id, before, after: typed === 'a payment' ? typedEntry : before };
  };

  test.each(
    having
      .flatMap((own) => having.slice(1).map((typed) => [typed, own] as const))
      .filter(([typed, own]) => typed !== 'a payment' || own !== 'a payment'),
  )('ACC-10 a typed name with %s and a user with %s become one', async (typed, own) => {
    const { id, user_id, before, after } = await twice(typed, own);
    expect((await join(id, user_id)).status).toBe(200);
    const change = await logged();
    expect((await list()).filter(({ name }) => name === '나래')).toMatchObject([
      { user_id, entry_id: after },
    ]);
    expect(change).toMatchObject({ action: 'change', subject: 'due', subject_id: String(user_id) });
    expect(JSON.parse(String(Reflect.get(Object(change), 'detail')))).toEqual({
      filter: { year: 2026, semester: 1 },
      due: id,
      entry: [before, after],
    });
  });

  test('ACC-10 a typed name and a user stay two when both have paid', async () => {
    const { id, user_id } = await twice('a payment', 'a payment');
    const before = await contents();
    expect((await join(id, user_id)).status).toBe(409);
    expect(await contents()).toEqual(before);
  });

  test('ACC-10 is never somebody of another name, another semester, or another user', async () => {
    await addNames('바다', '나래');
    const sea = await named('바다', false);
    const narae = await named('나래', false);
    const before = (await contents())['dues'];
    expect((await join(sea?.id, users['나래'])).status).toBe(409);
    expect((await join(narae?.id, users['나래'], '/account/dues/2026/2')).status).toBe(404);
    expect((await join(narae?.id, users['라온'])).status).toBe(404);
    expect((await join(999_999, users['나래'])).status).toBe(404);
    expect((await contents())['dues']).toEqual(before);
  });
});
