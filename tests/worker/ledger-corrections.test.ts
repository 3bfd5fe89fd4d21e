import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { RELEASE_DUES_FIELD, type EntryRevision } from '../../contract/ledger.ts';
import { call, refusal } from './client.ts';
import { contents } from './support.ts';
import { add, detailOf, emptyAccount, form, list, logged, post } from './account.ts';

emptyAccount();
beforeEach(() => env.DB.prepare('DELETE FROM dues').run());

const correct = (id: number, body: object) => call(`/account/${id}`, 'PUT', { ...form, ...body });
const historyOf = async (id: number): Promise<EntryRevision[]> =>
  await (await call(`/account/${id}/history`)).json();

describe('a correction', () => {
  test('ACC-11 changes amount, date, words and category, under the number that the entry has', async () => {
    const { id } = await add();
    const other = { amount: 7, datetime: '2026-04-01T13:00:00', description: '회비', category: '수입' };
    const answer = await correct(id, { ...other, version: 1 });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ id, ...other, version: 2 });
    expect(await list()).toEqual([{ id, ...other, version: 2 }]);
    // An older client knows no categories.
    const { category } = other;
    expect(await (await correct(id, { description: '프린터' })).json()).toMatchObject({
      description: '프린터',
      category,
    });
  });

  test('ACC-11 keeps what the entry was each time, by whom and when', async () => {
    const { id } = await add();
    const before = Date.now();
    await correct(id, { amount: -13_000 });
    await correct(id, { amount: -13_000, description: '토너' });
    const history = await historyOf(id);
    const by = { id: expect.any(Number), name: expect.any(String) };
    expect(history).toEqual([
      {
        ...form,
        amount: -13_000,
        category: '',
        version: 2,
        replaced_at: expect.any(String),
        replaced_by: by,
      },
      { ...form, category: '', version: 1, replaced_at: expect.any(String), replaced_by: by },
    ]);
    for (const { replaced_at } of history) expect(Date.parse(replaced_at)).toBeGreaterThanOrEqual(before);
  });

  test('IMP-9 ACC-11 what corrected or deleted entries were at first is told, and logged', async () => {
    const { id } = await add();
    await add();
    const [gone, mended] = [await add(), await add()];
    for (const each of [id, mended.id]) {
      await correct(each, { amount: -13_000 });
      await correct(each, { amount: -13_000, description: '토너' });
    }
    for (const each of [gone, mended]) await call(`/account/${each.id}`, 'DELETE');
    const { amount, datetime, description } = form;
    const original = { amount, datetime, description };
    expect(await (await call('/account/originals')).json()).toEqual([
      { id, ...original, is_deleted: false },
      { id: gone.id, ...original, is_deleted: true },
      { id: mended.id, ...original, is_deleted: true },
    ]);
    const row = await env.DB.prepare(
      'SELECT action, subject, detail FROM access_log ORDER BY id DESC',
    ).first();
    expect(row).toEqual({ action: 'read', subject: 'ledger_entry', detail: '{"count":3}' });
  });

  test('ACC-11 that changes nothing leaves nothing behind', async () => {
    const { id } = await add();
    const log = await logged();
    expect(await (await correct(id, { version: 1 })).json()).toMatchObject({ version: 1 });
    expect(await historyOf(id)).toEqual([]);
    expect(await logged()).toEqual(log);
  });

  test('ACC-11 SEC-43 leaves amounts and dates before and after in the log, and no words', async () => {
    const { id } = await add();
    await correct(id, { amount: -13_000, description: '한별하 간식' });
    await correct(id, { amount: -13_000, description: '한별하 간식', datetime: '2026-03-03T13:00:00' });
    const [first, second] = (await logged()).slice(-2);
    expect(first).toMatchObject({ action: 'change', subject: 'ledger_entry', subject_id: String(id) });
    expect(detailOf(first)).toEqual({ amount: [-12_000, -13_000], words: true });
    expect(detailOf(second)).toEqual({ datetime: [form.datetime, '2026-03-03T13:00:00'] });
  });

  test('ACC-11 keeps receipts and payments', async () => {
    const { id } = await add({ amount: 50_000 });
    const receipt = 'ab'.repeat(16);
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO receipts (id, entry_id, name, content_type, size, uploaded_at) VALUES (?, ?, 'x.png', 'image/png', 1, 0)",
      ).bind(receipt, id),
      env.DB.prepare("INSERT INTO dues (year, semester, name, entry_id) VALUES (2026, 1, '하늘', ?)").bind(
        id,
      ),
    ]);
    expect((await correct(id, { amount: 40_000, description: '회비' })).status).toBe(200);
    expect(await contents()).toMatchObject({
      receipts: [{ id: receipt, entry_id: id }],
      dues: [{ name: '하늘', entry_id: id }],
    });
  });

  test.each([
    ['less than the shares', 90_000],
    ['a withdrawal', -100_000],
  ])('ACC-11 to %s asks before it makes dues unpaid', async (_, amount) => {
    const { id } = await add({ amount: 100_000 });
    await env.DB.prepare(
      `INSERT INTO dues (year, semester, name, entry_id, amount)
       VALUES (2026, 1, '하늘', ?1, 50000), (2026, 1, '바다', ?1, 45000)`,
    )
      .bind(id)
      .run();
    const before = await contents();
    const refused = await correct(id, { amount });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      error: {
        field: RELEASE_DUES_FIELD,
        message: '하늘 님의 2026년 1학기, 바다 님의 2026년 1학기 회비를 이 내역으로 낼 수 없게 됩니다',
      },
    });
    expect(await contents()).toEqual({ ...before, access_log: expect.anything() });
    expect((await correct(id, { amount, release_dues: true })).status).toBe(200);
    expect((await contents())['dues']).toMatchObject([
      { entry_id: null, amount: null },
      { entry_id: null, amount: null },
    ]);
    expect(detailOf((await logged()).at(-1))).toEqual({ amount: [100_000, amount], dues: 2 });
  });

  test('ACC-11 from a version that is no more writes nothing, and is told what is there now', async () => {
    const { id } = await add();
    await correct(id, { amount: -13_000, version: 1 });
    const before = await contents();
    const late = await correct(id, { amount: -14_000, version: 1 });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ error: { current: { id, amount: -13_000, version: 2 } } });
    expect(await contents()).toEqual({ ...before, access_log: expect.anything() });
  });

  test('ACC-11 of many at once from one version is made once', async () => {
    const { id } = await add();
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((more) => correct(id, { amount: -12_000 - more, version: 1 })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
    expect(await historyOf(id)).toHaveLength(1);
  });

  test('ACC-11 of an entry that nobody has is not found, and nothing is logged', async () => {
    const before = await logged();
    expect((await correct(999_999, {})).status).toBe(404);
    expect((await call('/account/999999/history')).status).toBe(404);
    expect(await logged()).toEqual(before);
  });

  test.each([
    ['amount', 0],
    ['amount', '1'],
    ['datetime', '0302-02-06T13:00:00'],
    ['description', '가'.repeat(201)],
    ['category', '가'.repeat(31)],
    ['version', 0],
    ['release_dues', 1],
  ])('ACC-11 SEC-28 with the %s %j is refused by name', async (field, value) => {
    const { id } = await add();
    expect(await refusal(await correct(id, { [field]: value }))).toMatchObject({ status: 400, field });
    expect(await list()).toMatchObject([form]);
  });
});

describe('what an entry was', () => {
  test('ACC-11 can be neither changed nor deleted, and goes with its entry', async () => {
    const { id } = await add();
    await correct(id, { amount: 5 });
    const run = (sql: string) => env.DB.prepare(sql).run();
    await expect(run("UPDATE ledger_history SET description = 'x'")).rejects.toThrow('append-only');
    await expect(run('DELETE FROM ledger_history')).rejects.toThrow('append-only');
    expect((await call(`/account/${id}`, 'DELETE')).status).toBe(200);
    expect((await contents())['ledger_history']).toEqual([]);
  });
});

test('ACC-11 ACC-5 a key that comes again after a correction is answered with the entry as it is', async () => {
  const { id } = await (await post(form, 'corrected')).json<{ id: number }>();
  await correct(id, { amount: -13_000 });
  const again = await post(form, 'corrected');
  expect(again.status).toBe(201);
  expect(await again.json()).toMatchObject({ id, amount: -13_000, version: 2 });
  expect(await list()).toHaveLength(1);
});

test('ACC-14 ACC-5 a category is part of what a key stands for', async () => {
  await post({ ...form, category: '사무용품' }, 'with-category');
  expect((await post({ ...form, category: '사무용품' }, 'with-category')).status).toBe(201);
  expect((await post(form, 'with-category')).status).toBe(409);
  expect(await list()).toMatchObject([{ ...form, category: '사무용품' }]);
});
