import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { call } from './client.ts';
import { contents } from './support.ts';
import { propertyRuns } from '../support/counts.ts';
import { addNames, fourUsers, list, logged, pay, read, TERM, users } from './dues.ts';

fourUsers();

const deposit = async (amount: number) =>
  (await env.DB.prepare(
    "INSERT INTO ledger_entries (amount, datetime, description) VALUES (?, '2026-03-02T13:00:00', '회비') RETURNING id",
  )
    .bind(amount)
    .first<number>('id')) ?? -1;
const payAll = (...payments: object[]) => call(`${TERM}/payments`, 'PUT', { payments });
const paid = async () =>
  Object.fromEntries((await list()).map(({ name, entry_id, amount }) => [name, [entry_id, amount]]));
const messageOf = async (answer: Response) =>
  (await answer.json<{ error: { message: string } }>()).error.message;

describe('a divided deposit', () => {
  test('ACC-13 pays several people, each a share that is told', async () => {
    const entry_id = await deposit(100_000);
    expect((await pay({ user_id: users['나래'], entry_id, amount: 50_000 })).status).toBe(200);
    expect((await pay({ user_id: users['다솜'], entry_id, amount: 50_000 })).status).toBe(200);
    expect(JSON.parse(String(Reflect.get(Object(await logged()), 'detail')))).toMatchObject({ paid: 50_000 });
    expect(await paid()).toMatchObject({ 나래: [entry_id, 50_000], 다솜: [entry_id, 50_000] });
    expect((await read()).payments).toMatchObject([{ amount: 50_000 }, { amount: 50_000 }]);
  });

  test('ACC-13 is refused beyond its amount, with whose the rest is', async () => {
    const entry_id = await deposit(100_000);
    const [narae, dasom] = [users['나래'], users['다솜']];
    expect(await messageOf(await pay({ user_id: narae, entry_id, amount: 100_001 }))).toBe(
      '입금액 100,000원보다 많이 나눌 수 없습니다',
    );
    await pay({ user_id: narae, entry_id, amount: 60_000 });
    const before = (await contents())['dues'];
    const refused = await pay({ user_id: dasom, entry_id, amount: 50_000 });
    expect(refused.status).toBe(409);
    expect(await messageOf(refused)).toBe('나래 님의 2026년 1학기 회비로 쓰이고 40,000원만 남은 입금입니다');
    // Without a share the whole is meant.
    expect((await pay({ user_id: dasom, entry_id })).status).toBe(409);
    expect((await contents())['dues']).toEqual(before);
    expect((await pay({ user_id: dasom, entry_id, amount: 40_000 })).status).toBe(200);
  });

  test('ACC-13 lets a share be changed as far as the others leave room', async () => {
    const entry_id = await deposit(100_000);
    const [narae, dasom] = [users['나래'], users['다솜']];
    await pay({ user_id: narae, entry_id });
    expect((await pay({ user_id: dasom, entry_id, amount: 1 })).status).toBe(409);
    await pay({ user_id: narae, entry_id, amount: 70_000 });
    expect((await pay({ user_id: dasom, entry_id, amount: 30_000 })).status).toBe(200);
    expect((await pay({ user_id: narae, entry_id, amount: 70_001 })).status).toBe(409);
    await pay({ user_id: dasom, entry_id: null });
    expect(await paid()).toMatchObject({ 나래: [entry_id, 70_000], 다솜: [null, null] });
    expect((await pay({ user_id: narae, entry_id })).status).toBe(200);
  });

  test('ACC-13 that many ask for at once is never used beyond its amount', async () => {
    await addNames('바다', '하늘', '노을');
    const all = (await list()).map(({ id, user_id }) => (user_id === null ? { id } : { user_id }));
    const entry_id = await deposit(100_000);
    const answers = await Promise.all(all.map((whose) => pay({ ...whose, entry_id, amount: 30_000 })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
    expect((await read()).payments).toHaveLength(3);
  });

  test.each([0, -1, 1.5, '1', null])('ACC-13 SEC-24 has no share of %j', async (amount) => {
    expect((await pay({ user_id: users['나래'], entry_id: await deposit(9), amount })).status).toBe(400);
  });
});

describe('the payments of many', () => {
  test('ACC-13 are recorded by one call, each in the log', async () => {
    await addNames('바다', '하늘');
    const all = await list();
    const whole = await Promise.all(all.slice(0, 3).map(() => deposit(50_000)));
    const shared = await deposit(100_000);
    const payments = all.map(({ id, user_id }, at) =>
      Object.assign(
        user_id === null ? { id } : { user_id },
        at < 3 ? { entry_id: whole[at] } : { entry_id: shared, amount: 50_000 },
      ),
    );
    const answer = await payAll(...payments);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(await read());
    expect((await list()).map(({ entry_id, amount }) => [entry_id, amount])).toEqual([
      ...whole.map((id) => [id, null]),
      [shared, 50_000],
      [shared, 50_000],
    ]);
    const changes = ((await contents())['access_log'] ?? []).filter(
      (row) => Reflect.get(Object(row), 'action') === 'change',
    );
    expect(changes.slice(-5)).toHaveLength(5);
  });

  test.each([
    ['one deposit is used up', 409],
    ['one entry is no deposit', 409],
    ['one person owes nothing', 404],
  ])('ACC-13 are all refused when %s', async (what, status) => {
    const [narae, dasom] = [users['나래'], users['다솜']];
    const [entry_id, other] = [await deposit(50_000), await deposit(50_000)];
    const before = await contents();
    const second = {
      'one deposit is used up': { user_id: dasom, entry_id, amount: 1 },
      'one entry is no deposit': { user_id: dasom, entry_id: 999_999 },
      'one person owes nothing': { user_id: users['라온'], entry_id: other },
    }[what];
    const answer = await payAll({ user_id: narae, entry_id }, second ?? {});
    expect(answer.status).toBe(status);
    expect(await contents()).toEqual({ ...before, access_log: expect.anything() });
  });

  test('ACC-13 SEC-24 name each person once, and somebody', async () => {
    const entry_id = await deposit(50_000);
    const one = { user_id: users['나래'], entry_id, amount: 1 };
    expect((await payAll(one, one)).status).toBe(400);
    expect((await payAll()).status).toBe(400);
    expect((await payAll({ entry_id })).status).toBe(400);
  });

  test(
    'ACC-13 in any order and number never take more of a deposit than it is',
    { timeout: 600_000 },
    async () => {
      await addNames('바다', '하늘', '노을');
      const people = (await list()).map(({ id, user_id }) => (user_id === null ? { id } : { user_id }));
      const payment = fc.record({
        who: fc.nat(people.length - 1),
        entry: fc.nat(1),
        amount: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
      });
      const calls = fc.array(
        fc.uniqueArray(payment, { selector: ({ who }) => who, minLength: 1, maxLength: 4 }),
        {
          minLength: 1,
          maxLength: 6,
        },
      );
      await fc.assert(
        fc.asyncProperty(calls, async (all) => {
          await env.DB.prepare('UPDATE dues SET entry_id = NULL').run();
          const deposits = [await deposit(100), await deposit(30)];
          for (const payments of all) {
            const before = await paid();
            const answer = await payAll(
              ...payments.map(({ who, entry, amount }) =>
                Object.assign({ entry_id: deposits[entry], amount }, people[who]),
              ),
            );
            expect([200, 409]).toContain(answer.status);
            const after = await paid();
            expect(answer.ok ? after : before).toEqual(after);
          }
          for (const [at, most] of [100, 30].entries()) {
            const { payments } = await read();
            const own = payments.filter(({ entry_id }) => entry_id === deposits[at]);
            expect(own.reduce((sum, { amount }) => sum + (amount ?? most), 0)).toBeLessThanOrEqual(most);
          }
        }),
        propertyRuns(8, 200),
      );
    },
  );
});
