import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { BIN_DAYS, BULK_ENTRIES_MAX } from '../../contract/ledger.ts';
import { DAY_MS } from '../../contract/time.ts';
import { applyRetention } from '../../worker/src/retention.ts';
import { call } from './client.ts';
import { contents } from './support.ts';
import { add, detailOf, emptyAccount, form, list, logged } from './account.ts';

emptyAccount();

const bin = async () => await (await call('/account/bin')).json();
const remove = (...entries: object[]) => call('/account/deletions', 'POST', { entries });

describe('several entries', () => {
  test('ACC-14 STU-19 are deleted at once with payments, each told in the log, and their receipts wait in the bin', async () => {
    const [one, two, rest] = [await add({ amount: 50_000 }), await add(), await add({ amount: 7 })];
    const file = 'cd'.repeat(16);
    await env.FILES.put(`receipts/${file}`, 'x');
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO receipts (id, entry_id, name, content_type, size, uploaded_at) VALUES (?, ?, 'x.png', 'image/png', 1, 0)",
      ).bind(file, two.id),
      env.DB.prepare("INSERT INTO dues (year, semester, name, entry_id) VALUES (2026, 1, '하늘', ?)").bind(
        one.id,
      ),
    ]);
    expect((await remove(one, two)).status).toBe(200);
    expect(await list()).toEqual([rest]);
    expect(await contents()).toMatchObject({ receipts: [], dues: [{ entry_id: null }] });
    expect(await env.FILES.head(`receipts/${file}`)).not.toBeNull();
    expect(await bin()).toMatchObject([
      { id: two.id, receipts: 1 },
      { id: one.id, receipts: 0 },
    ]);
    const told = (await logged()).slice(-2);
    expect(told).toMatchObject(
      [one, two].map(({ id }) => ({ action: 'delete', subject: 'ledger_entry', subject_id: String(id) })),
    );
    expect(told.map(detailOf)).toEqual([
      { amount: [50_000, null], datetime: [form.datetime, null], receipts: 0, dues: 1 },
      { amount: [-12_000, null], datetime: [form.datetime, null], receipts: 1, dues: 0 },
    ]);
  });

  test.each(['is gone', 'has been corrected'])('ACC-14 stay all when one of them %s', async (what) => {
    const [one, two] = [await add(), await add()];
    if (what === 'is gone') await call(`/account/${two.id}`, 'DELETE');
    else await call(`/account/${two.id}`, 'PUT', { ...form, amount: 5 });
    const before = await contents();
    expect((await remove(one, two)).status).toBe(409);
    expect(await contents()).toEqual(before);
  });

  test('ACC-14 are as many as a request may name', async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO ledger_entries (amount, datetime, description) SELECT i, '2026-03-02T13:00:00', '' FROM n`,
    )
      .bind(BULK_ENTRIES_MAX)
      .run();
    const all = (await list()).map(({ id, version }) => ({ id, version }));
    expect((await remove(...all, { id: 1, version: 1 })).status).toBe(400);
    expect((await remove(...all)).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  test.each([[[]], [[{ id: 1 }]], [[{ id: 0, version: 1 }]], [[{ id: '1', version: 1 }]]])(
    'ACC-14 SEC-24 are not %j',
    async (entries) => {
      expect((await remove(...entries)).status).toBe(400);
    },
  );

  test('ACC-14 SEC-24 are each named once', async () => {
    const one = await add();
    expect((await remove(one, one)).status).toBe(400);
    expect(await list()).toEqual([one]);
  });
});

describe('a deleted entry', () => {
  const file = 'ab'.repeat(16);

  /** One with a correction, a receipt and a payment, deleted. */
  const deleted = async () => {
    const { id } = await add({ amount: 50_000 });
    await call(`/account/${id}`, 'PUT', { ...form, amount: 60_000 });
    await env.FILES.put(`receipts/${file}`, 'x');
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO receipts (id, entry_id, name, content_type, size, uploaded_at) VALUES (?, ?, 'x.png', 'image/png', 1, 0)",
      ).bind(file, id),
      env.DB.prepare("INSERT INTO dues (year, semester, name, entry_id) VALUES (2026, 1, '하늘', ?)").bind(
        id,
      ),
    ]);
    const { dues, ...before } = await contents();
    expect((await call(`/account/${id}`, 'DELETE')).status).toBe(200);
    return { id, before, dues };
  };
  const parts = ({ ledger_entries, ledger_history, receipts }: Record<string, unknown[]>) => ({
    ledger_entries,
    receipts,
    ledger_history: ledger_history?.map((step) => ({ ...Object(step), id: 0 })),
  });

  test('STU-19 comes back from the bin as it was, with receipts and history, its dues unpaid', async () => {
    const { id, before } = await deleted();
    expect(await list()).toEqual([]);
    expect((await call(`/account/bin/${id}`, 'POST')).status).toBe(200);
    const now = await contents();
    expect(parts(now)).toEqual(parts(before));
    expect(now).toMatchObject({ deleted_entries: [], dues: [{ entry_id: null }] });
    expect((await logged()).at(-1)).toMatchObject({ action: 'create', subject_id: String(id) });
    expect((await call(`/account/bin/${id}`, 'POST')).status).toBe(404);
  });

  test('STU-19 keeps its receipts for 30 days, or until it is removed from the bin', async () => {
    const { id } = await deleted();
    const night = async (days: number) => {
      await env.DB.prepare('UPDATE deleted_entries SET deleted_at = ?')
        .bind(Date.now() - days * DAY_MS)
        .run();
      return await applyRetention(env, { id: 'run', now: Date.now() });
    };
    await night(BIN_DAYS - 1);
    expect(await bin()).toMatchObject([{ id }]);
    expect(await env.FILES.head(`receipts/${file}`)).not.toBeNull();
    expect(await night(BIN_DAYS + 1)).toMatchObject({ binned: 1 });
    expect(await bin()).toEqual([]);
    expect(await env.FILES.head(`receipts/${file}`)).toBeNull();

    const other = await deleted();
    expect((await call(`/account/bin/${other.id}`, 'DELETE')).status).toBe(200);
    expect(await env.FILES.head(`receipts/${file}`)).toBeNull();
    expect((await call(`/account/bin/${other.id}`, 'DELETE')).status).toBe(404);
    expect((await call(`/account/bin/${other.id}`, 'POST')).status).toBe(404);
    expect(await bin()).toEqual([]);
    const { datetime } = form;
    expect(await (await call('/account/originals')).json()).toEqual([
      { id: other.id, amount: 50_000, datetime, description: '', is_deleted: true },
    ]);
    expect(await night(BIN_DAYS + 1)).toMatchObject({ binned: 0 });
    expect(await contents()).toMatchObject({ deleted_entries: [] });
  });
});
