import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { call, refusal } from './client.ts';
import { someEntryId } from './route-fixtures.ts';
import { contents } from './support.ts';
import { addNames, fourUsers, list, logged, paidBy, pay, read, TERM, users, withdrawal } from './dues.ts';

fourUsers();

describe('the dues of a semester', () => {
  test('ACC-10 are owed by the users of the lab, named by id and name alone', async () => {
    expect(await list()).toEqual([
      { id: null, user_id: expect.any(Number), name: '가람', entry_id: null, amount: null },
      { id: null, user_id: users['나래'], name: '나래', entry_id: null, amount: null },
      { id: null, user_id: users['다솜'], name: '다솜', entry_id: null, amount: null },
    ]);
    expect(await logged()).toMatchObject({
      action: 'read',
      subject: 'due',
      subject_id: null,
      detail: '{"filter":{"year":2026,"semester":1},"count":3}',
    });
  });

  test('ACC-10 are paid by a deposit, in that semester alone', async () => {
    const entry = await someEntryId();
    const answer = await pay({ user_id: users['다솜'], entry_id: entry });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(await read());
    expect(await paidBy()).toEqual({ 가람: null, 나래: null, 다솜: entry });
    const next = await read('/account/dues/2026/2');
    expect(next.dues.map(({ entry_id }) => entry_id)).toEqual([null, null, null]);
    // What the deposit has paid is known there too.
    expect(next.payments).toEqual([
      { due_id: expect.any(Number), entry_id: entry, amount: null, year: 2026, semester: 1, name: '다솜' },
    ]);
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

  test.each([[''], [' \u200b'], ['바다\n하늘'], ['바'.repeat(51)], [7], [null]])(
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

describe('a deposit', () => {
  const NEXT_TERM = '/account/dues/2026/2';
  const stored = async () => (await contents())['dues'];
  /** Everybody whose dues could be paid: two users, two typed names, in two semesters. */
  const payers = async () => {
    const all: { name: string; term: string; whose: object }[] = [];
    for (const term of [TERM, NEXT_TERM]) {
      await call(term, 'POST', { names: ['바다', '하늘'] });
      for (const { id, user_id, name } of await list(term)) {
        if (name !== '가람') all.push({ name, term, whose: user_id === null ? { id } : { user_id } });
      }
    }
    expect(all).toHaveLength(8);
    return all;
  };

  test('ACC-13 pays one person’s dues of one semester: whoever has it, nobody else gets it', async () => {
    const all = await payers();
    for (const first of all) {
      const entry_id = await someEntryId();
      expect((await pay({ ...first.whose, entry_id }, first.term)).status).toBe(200);
      // Said again it is the same.
      expect((await pay({ ...first.whose, entry_id }, first.term)).status).toBe(200);
      const before = await stored();
      for (const other of all.filter((each) => each !== first)) {
        const semester = first.term.endsWith('1') ? 1 : 2;
        const refused = await pay({ ...other.whose, entry_id }, other.term);
        expect(refused.status).toBe(409);
        expect(await refused.json()).toMatchObject({
          error: {
            field: 'entry_id',
            message: `이미 ${first.name} 님의 2026년 ${semester}학기 회비로 쓰인 입금입니다`,
          },
        });
      }
      expect(await stored()).toEqual(before);
    }
  });

  test('ACC-13 that many ask for at once goes to one of them', async () => {
    const all = await payers();
    for (let turn = 0; turn < 5; turn++) {
      const entry_id = await someEntryId();
      const answers = await Promise.all(all.map(({ whose, term }) => pay({ ...whose, entry_id }, term)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200,
        ...Array.from({ length: 7 }, () => 409),
      ]);
      const { payments } = await read();
      expect(payments.filter((payment) => payment.entry_id === entry_id)).toHaveLength(1);
    }
  });

  test('ACC-13 is free again when the payment is taken back, changed, or its name leaves the list', async () => {
    const [dasom, narae] = [users['다솜'], users['나래']];
    const entry_id = await someEntryId();
    const isFree = async () => {
      const { status } = await pay({ user_id: narae, entry_id });
      await pay({ user_id: narae, entry_id: null });
      return status === 200;
    };
    await pay({ user_id: dasom, entry_id });
    expect(await isFree()).toBe(false);
    await pay({ user_id: dasom, entry_id: null });
    expect(await isFree()).toBe(true);
    await pay({ user_id: dasom, entry_id });
    await pay({ user_id: dasom, entry_id: await someEntryId() });
    expect(await isFree()).toBe(true);
    await addNames('하늘');
    const id = (await list()).find(({ name }) => name === '하늘')?.id;
    await pay({ id, entry_id });
    expect(await isFree()).toBe(false);
    await call(`/account/dues/${id}`, 'DELETE');
    expect(await isFree()).toBe(true);
  });

  test('ACC-13 that was taken twice before stays so, is told, and each of the two can be mended', async () => {
    const entry_id = await someEntryId();
    await env.DB.batch(
      ['나래', '다솜'].map((name) =>
        env.DB.prepare(
          'INSERT INTO dues (year, semester, user_id, name, entry_id) VALUES (2026, 1, ?, ?, ?)',
        ).bind(users[name] ?? 0, name, entry_id),
      ),
    );
    const { dues, payments } = await read();
    expect(payments.map((payment) => payment.name)).toEqual(['나래', '다솜']);
    expect(dues.filter((due) => due.entry_id === entry_id)).toHaveLength(2);
    expect((await pay({ user_id: users['나래'], entry_id: await someEntryId() })).status).toBe(200);
    expect((await pay({ user_id: users['다솜'], entry_id })).status).toBe(200);
    expect((await read()).payments).toHaveLength(2);
  });
});
