import type { StoredLedgerImport } from '#contract/ledger';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type ImportRun,
  newImportRun,
  sendImportRun,
} from '../../web/src/features/ledger/import/import-plan.ts';
import { add, emptyAccount, form, list, logged } from './account.ts';
import { call } from './client.ts';
import { png } from './sample-images.ts';
import { api, contents, NAME, sessionOf } from './support.ts';
import { formOf } from './uploads.ts';

emptyAccount();
beforeEach(async () => {
  await env.DB.prepare('DELETE FROM ledger_imports').run();
});

const entries = [1, 2, 3].map((at) => ({
  description: '회비',
  category: '',
  amount: 1000 * at,
  datetime: `2026-03-0${at}T13:00:00`,
}));
const send = async (entry: object, key: string, run: string) => {
  const answer = await call('/account', 'POST', entry, { 'idempotency-key': key, 'import-run': run });
  expect(answer.status).toBe(201);
};
async function imported(forms = entries): Promise<ImportRun> {
  const run = newImportRun(forms);
  await sendImportRun(run, send, () => {});
  return run;
}
const listed = async (): Promise<StoredLedgerImport[]> => await (await call('/account/imports')).json();
async function undo(each: StoredLedgerImport | undefined) {
  const { id = 0, entries: left = 0, receipts = 0, dues = 0 } = each ?? {};
  return await call(`/account/imports/${id}?entries=${left}&receipts=${receipts}&dues=${dues}`, 'DELETE');
}

describe('an import of entries', () => {
  test('IMP-4 is listed as one: who, when, how many, how much', async () => {
    await add();
    await imported();
    expect(await listed()).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(String),
        by: NAME,
        added: 3,
        corrected: 0,
        entries: 3,
        sum: 6000,
        first: '2026-03-01T13:00:00',
        last: '2026-03-03T13:00:00',
        receipts: 0,
        dues: 0,
      },
    ]);
  });

  test('IMP-4 is undone whole, and nothing else goes: each entry stands in the log', async () => {
    const other = await add();
    await imported();
    await imported(entries.slice(0, 1));
    const before = (await logged()).length;
    const [second, first] = await listed();
    expect((await undo(first)).status).toBe(200);
    expect((await list()).map(({ amount }) => amount)).toEqual([other.amount, 1000]);
    expect(await logged()).toHaveLength(before + 3);
    expect(await listed()).toEqual([second]);
    expect((await undo(first)).status).toBe(404);
    expect(await (await call('/account/originals')).json()).toEqual([]);
  });

  test('IMP-4 goes with receipts and dues only as they were confirmed', async () => {
    await imported();
    const [newest] = await list();
    const receipt = await call(
      `/account/${newest?.id}/receipts`,
      'POST',
      formOf([['영수증.png', png]], 'receipt'),
    );
    const { id } = await receipt.json<{ id: string }>();
    await env.DB.prepare("INSERT INTO dues (year, semester, name, entry_id) VALUES (2026, 1, '가온', ?)")
      .bind(newest?.id)
      .run();
    const [told] = await listed();
    expect(told).toMatchObject({ entries: 3, receipts: 1, dues: 1 });
    const before = await contents();
    for (const outdated of [{ receipts: 0 }, { dues: 0 }, { entries: 2 }, { entries: 4 }]) {
      expect((await undo(Object.assign({}, told, outdated))).status).toBe(409);
      expect(await contents()).toEqual(before);
    }
    expect((await undo(told)).status).toBe(200);
    const { receipts, dues } = await contents();
    expect([receipts, dues]).toEqual([[], [expect.objectContaining({ name: '가온', entry_id: null })]]);
    expect(await env.FILES.head(`receipts/${id}`)).not.toBeNull();
  });

  test('IMP-4 of which an entry was deleted since is undone by what is left', async () => {
    await imported();
    const [newest] = await list();
    await call(`/account/${newest?.id}`, 'DELETE');
    const [told] = await listed();
    expect(told).toMatchObject({ added: 3, entries: 2, sum: 3000 });
    expect((await undo(told)).status).toBe(200);
    expect(await list()).toEqual([]);
    expect(await listed()).toEqual([]);
  });

  test('IMP-4 ACC-5 that broke off is one with its rest, and its entries count once', async () => {
    const run = newImportRun(entries);
    let kept = run;
    let left = 2;
    const breaking = async (entry: object, key: string, id: string) => {
      await send(entry, key, id);
      left -= 1;
      if (left === 0) throw new Error('broken off');
    };
    const keep = (next: ImportRun) => {
      kept = next;
    };
    await expect(sendImportRun(run, breaking, keep)).rejects.toThrow('broken off');
    expect(await listed()).toMatchObject([{ added: 2 }]);
    await sendImportRun(kept, send, keep);
    expect(await listed()).toMatchObject([{ added: 3, entries: 3 }]);
    // A late retry of what was undone brings back neither the entry nor the import.
    await undo((await listed())[0]);
    await call('/account', 'POST', entries[0], {
      'idempotency-key': run.items[0]?.key ?? '',
      'import-run': run.id,
    });
    expect([await list(), await listed()]).toEqual([[], []]);
  });

  test('IMP-4 is each user’s own, also under the same name, and may be undone by whoever may delete', async () => {
    const cookie = await sessionOf('other@lab.test', 3);
    for (const headers of [{}, { cookie }])
      await call('/account', 'POST', form, { 'idempotency-key': 'k', 'import-run': 'same', ...headers });
    const both = await listed();
    expect(both.map(({ added }) => added)).toEqual([1, 1]);
    for (const { id } of both) {
      const path = `/account/imports/${id}?entries=1&receipts=0&dues=0`;
      expect((await api(path, { method: 'DELETE', headers: { cookie } })).status).toBe(200);
    }
    expect(await list()).toEqual([]);
  });

  test.each([
    [{ 'import-run': 'x' }, 400],
    [{ 'import-run': 'x', 'idempotency-key': 'k' }, 201],
    [{ 'import-run': 'x'.repeat(64), 'idempotency-key': 'k' }, 201],
    [{ 'import-run': 'x'.repeat(65), 'idempotency-key': 'k' }, 400],
    [{ 'import-run': 'a b', 'idempotency-key': 'k' }, 400],
  ])('IMP-4 is named by visible ASCII beside a key: %j is %i', async (headers, status) => {
    expect((await call('/account', 'POST', form, headers)).status).toBe(status);
  });

  test.each(['', '?entries=1', '?entries=1&receipts=0&dues=x', '?entries=-1&receipts=0&dues=0'])(
    'IMP-4 is not undone without what was confirmed: %j',
    async (query) => {
      await imported(entries.slice(0, 1));
      const [told] = await listed();
      expect((await call(`/account/imports/${told?.id}${query}`, 'DELETE')).status).toBe(400);
      expect(await list()).toHaveLength(1);
    },
  );

  test('IMP-4 stays in the list when its user is deleted, without the name', async () => {
    await imported();
    await env.DB.prepare('UPDATE ledger_imports SET user_id = NULL').run();
    const [told] = await listed();
    expect(told).toMatchObject({ by: null, entries: 3 });
    expect((await undo(told)).status).toBe(200);
  });
});
