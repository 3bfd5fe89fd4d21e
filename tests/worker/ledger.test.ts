import { normalizeText } from '#contract/printable-text';
import { seoulDay } from '#contract/time';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AMOUNT_MAX, withBalances, type LedgerEntry } from '../../contract/ledger.ts';
import { propertyRuns } from '../support/counts.ts';
import { awkwardTexts, call, refusal } from './client.ts';
import { api, sessionOf } from './support.ts';
import { add, detailOf, emptyAccount, form, list, logged, post, sum } from './account.ts';

emptyAccount();

describe('an entry', () => {
  test('ACC-1 is created with 201 and listed as it was sent', async () => {
    const answer = await post(form);
    expect(answer.status).toBe(201);
    const entry: LedgerEntry = await answer.json();
    expect(entry).toEqual({ id: expect.any(Number), ...form, category: '', version: 1 });
    const listed = await call('/account');
    expect(listed.headers.get('cache-control')).toBe('no-store');
    expect(await listed.json()).toEqual([entry]);
  });

  test('ACC-3 stands by its day, newest first, those of one day in the order they came', async () => {
    const days = ['2026-03-02', '2026-03-01', '2026-03-02', '2025-12-31', '2026-03-02'];
    const ids: number[] = [];
    for (const day of days) ids.push((await add({ datetime: `${day}T13:00:00` })).id);
    expect((await list()).map(({ id }) => id)).toEqual([ids[4], ids[2], ids[0], ids[1], ids[3]]);
  });

  test('ACC-4 is deleted once, and its number never comes back', async () => {
    const { id } = await add();
    expect((await call(`/account/${id}`, 'DELETE')).status).toBe(200);
    expect(await list()).toEqual([]);
    expect((await call(`/account/${id}`, 'DELETE')).status).toBe(404);
    expect((await add()).id).toBeGreaterThan(id);
  });

  test('ACC-4 SEC-43 leaves what it was in the log when it comes and when it goes', async () => {
    const { id } = await add();
    await call(`/account/${id}`, 'DELETE');
    const [created, deleted] = (await logged()).slice(-2);
    expect(created).toMatchObject({ action: 'create', subject: 'ledger_entry', subject_id: String(id) });
    expect(deleted).toMatchObject({ action: 'delete', subject: 'ledger_entry', subject_id: String(id) });
    expect(detailOf(created)).toEqual({
      amount: [null, form.amount],
      datetime: [null, form.datetime],
    });
    expect(detailOf(deleted)).toMatchObject({ amount: [form.amount, null] });
    const shown: unknown[] = await (await call('/access_log')).json();
    expect(shown[0]).toMatchObject({ subject: 'ledger_entry', person: { id: String(id), name: null } });
  });

  test('ACC-4 that nobody has is not found, and nothing is logged', async () => {
    const before = await logged();
    expect((await call('/account/999999', 'DELETE')).status).toBe(404);
    expect(await logged()).toEqual(before);
  });

  test.each([1, -1, AMOUNT_MAX, -AMOUNT_MAX])('SEC-28 ACC-1 may be of %i won', async (amount) => {
    expect(await add({ amount })).toMatchObject({ amount });
    expect(await list()).toMatchObject([{ amount }]);
  });

  test.each([
    ['amount', 0],
    ['amount', -0],
    ['amount', 0.5],
    ['amount', 1.5],
    ['amount', '1'],
    ['amount', true],
    ['amount', null],
    ['amount', AMOUNT_MAX + 1],
    ['amount', -AMOUNT_MAX - 1],
    ['amount', 2 ** 53],
    ['datetime', '2026-03-02'],
    ['datetime', '2026-03-02T13:00'],
    ['datetime', '2026-03-02T12:00:00'],
    ['datetime', '2026-03-02T13:00:00Z'],
    ['datetime', '2026-3-2T13:00:00'],
    ['datetime', '2026-02-29T13:00:00'],
    ['datetime', '2026-04-31T13:00:00'],
    ['datetime', '2026-13-01T13:00:00'],
    ['datetime', '2026-03-00T13:00:00'],
    ['datetime', ' 2026-03-02T13:00:00'],
    ['datetime', ''],
    ['datetime', null],
    ['datetime', 1_772_000_000],
    ['description', '가'.repeat(201)],
    ['description', null],
  ])('SEC-28 ACC-3 with the %s %j is refused by name', async (field, value) => {
    expect(await refusal(await post({ ...form, [field]: value }))).toMatchObject({ status: 400, field });
    expect(await list()).toEqual([]);
  });

  test.each(['', ' ', '\t', '\u200b'])('ACC-16 may have no words, as %j', async (description) => {
    const entry = await add({ description });
    expect(entry).toMatchObject({ ...form, description: '' });
    expect(await list()).toEqual([entry]);
    expect((await call(`/account/${entry.id}`, 'DELETE')).status).toBe(200);
  });

  test('SEC-28 beyond all numbers is refused', async () => {
    const body = JSON.stringify(form).replace('-12000', '1e400');
    expect((await post(body)).status).toBe(400);
  });

  const thisYear = Number(seoulDay(Date.now()).slice(0, 4));
  test.each(['2024-02-29', '2004-02-29', '2000-03-01', `${thisYear + 1}-12-31`])(
    'ACC-3 ACC-17 may be of any day that the calendar has from March 2000 to the end of next year: %s',
    async (day) => {
      expect((await post({ ...form, datetime: `${day}T13:00:00` })).status).toBe(201);
    },
  );

  test.each(['0000-01-01', '0302-02-06', '2000-02-29', `${thisYear + 2}-01-01`, '2099-01-01', '9999-12-31'])(
    'ACC-17 of the day %s is refused by its date, with a key and without',
    async (day) => {
      for (const key of [undefined, 'odd-day']) {
        const answer = await post({ ...form, datetime: `${day}T13:00:00` }, key);
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({
          error: {
            field: 'datetime',
            message: `${day}: 2000-03-01부터 ${thisYear + 1}-12-31까지의 날짜를 입력하세요`,
          },
        });
      }
      expect(await list()).toEqual([]);
    },
  );

  test('ACC-17 of a day that an earlier version took stays readable and can be deleted', async () => {
    await env.DB.prepare(
      "INSERT INTO ledger_entries (amount, datetime, description) VALUES (5, '0302-02-06T13:00:00', '회비'), (7, '9999-12-31T13:00:00', '예정')",
    ).run();
    const entries = await list();
    expect(entries.map(({ datetime }) => datetime)).toEqual(['9999-12-31T13:00:00', '0302-02-06T13:00:00']);
    for (const { id } of entries) expect((await call(`/account/${id}`, 'DELETE')).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  test('ACC-2 comes with the rest of ten thousand, whatever their words', async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       INSERT INTO ledger_entries (amount, datetime, description)
       SELECT (i % 7 - 3) * 1000 + 500, date('2020-01-01', (i % 900) || ' days') || 'T13:00:00', '"\\' || char(i % 30 + 1) || i
       FROM n`,
    ).run();
    const entries = await list();
    expect(entries).toHaveLength(10_000);
    const order = entries.map(({ datetime, id }) => `${datetime} ${String(id).padStart(9, '0')}`);
    expect(order).toEqual(order.toSorted().toReversed());
    expect(await env.DB.prepare('SELECT sum(amount) AS n FROM ledger_entries').first('n')).toBe(
      Number(withBalances(entries)[0]?.balance),
    );
  });

  test.each([
    [3, 200],
    [5, 403],
    [8, 403],
    [10, 403],
  ])('ACC-7 level %i is answered with %i', async (level, status) => {
    const cookie = await sessionOf(`level-${level}@lab.test`, level);
    expect((await api('/account', { headers: { cookie } })).status).toBe(status);
    const answer = await api('/account', {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(form),
    });
    expect(answer.status).toBe(status === 200 ? 201 : 403);
    expect(await list()).toHaveLength(status === 200 ? 1 : 0);
  });
});

type Step = { do: 'add'; amount: number; key: number; times: number } | { do: 'delete'; which: number };

const amounts = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: AMOUNT_MAX - 9, max: AMOUNT_MAX }),
  fc.integer({ min: -AMOUNT_MAX, max: -1 }),
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('add' as const),
        amount: amounts,
        key: fc.nat(9),
        times: fc.integer({ min: 1, max: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat(5) }) },
  ),
  { maxLength: 25 },
);

test(
  'ACC-2 SEC-28 the balance is the sum of what is stored after any order of entries, retries and deletions',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        await env.DB.batch([
          env.DB.prepare('DELETE FROM ledger_entries'),
          env.DB.prepare('DELETE FROM ledger_keys'),
        ]);
        const expected = new Map<number, number>();
        const keys = new Map<number, { id: number; amount: number }>();
        for (const step of all) {
          if (step.do === 'delete') {
            const id = [...expected.keys()][step.which];
            if (id === undefined) continue;
            if ((await call(`/account/${id}`, 'DELETE')).ok) expected.delete(id);
            continue;
          }
          const { amount, key, times } = step;
          const sent = Array.from({ length: times }, () => post({ ...form, amount }, `key-${key}`));
          for (const answer of await Promise.all(sent)) {
            const known = keys.get(key);
            const isStored = !known || (known.amount === amount && expected.has(known.id));
            expect(answer.status).toBe(isStored ? 201 : 409);
            if (known) continue;
            const { id } = await answer.json<LedgerEntry>();
            keys.set(key, { id, amount });
            expected.set(id, amount);
          }
        }
        const booked = withBalances(await list());
        const stored = [...expected].map(([id, amount]) => ({ id, amount }));
        expect(booked.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(stored.map(({ id }) => id));
        expect(booked[0]?.balance ?? 0n).toBe(sum(stored));
        for (const [at, { amount, balance, type }] of booked.entries()) {
          expect(balance).toBe((booked[at + 1]?.balance ?? 0n) + BigInt(amount));
          expect(type).toBe(amount > 0 ? 'deposit' : 'withdraw');
        }
      }),
      propertyRuns(8, 300),
    );
  },
);

describe('whatever is sent', () => {
  test.each(awkwardTexts)(
    'SEC-26 IMP-8 the description %j comes back in its one spelling, or is refused',
    async (text) => {
      const answer = await post({ ...form, description: text });
      expect((await list())[0]?.description).toBe(answer.status === 400 ? undefined : normalizeText(text));
    },
  );
});

test('WORK-4 every change of an entry raises its version, whatever makes it', async () => {
  const { id, version } = await add();
  await env.DB.prepare("UPDATE ledger_entries SET description = '다른 내용' WHERE id = ?").bind(id).run();
  expect((await list()).find((entry) => entry.id === id)).toMatchObject({ version: version + 1 });
});
