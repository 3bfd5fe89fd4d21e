import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import {
  type ImportRun,
  newImportRun,
  sendImportRun,
} from '../../web/src/features/ledger/import/import-plan.ts';
import { type LedgerEntry, type LedgerEntryForm, withBalances } from '../../contract/ledger.ts';
import { errorBodySchema } from '../../contract/errors.ts';
import { ApiError } from '../../web/src/lib/api-error.ts';
import { propertyRuns } from '../support/counts.ts';
import { asAdmin, call } from './client.ts';
import { migrateDatabase } from './support.ts';

const ROWS = 300;

beforeAll(migrateDatabase);
asAdmin();

/** Equal rows among them: two of the same are two. */
const entries: LedgerEntryForm[] = Array.from({ length: ROWS }, (_, at) => ({
  amount: (at % 2 === 0 ? 1 : -1) * (1000 + (at % 40)),
  datetime: `2026-${String((at % 12) + 1).padStart(2, '0')}-02T13:00:00`,
  description: `내역 ${at % 50}`,
  category: '',
}));

/** Where each attempt ends: after so many requests, before the server has the last one or before its answer is back. */
const attempts = fc.array(
  fc.record({ requests: fc.integer({ min: 0, max: ROWS }), isStored: fc.boolean() }),
  {
    maxLength: 6,
  },
);

test(
  `ACC-5 an import of ${ROWS} rows that breaks off anywhere, any number of times, stores exactly ${ROWS}`,
  { timeout: 900_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(attempts, async (all) => {
        await env.DB.batch([
          env.DB.prepare('DELETE FROM ledger_entries'),
          env.DB.prepare('DELETE FROM ledger_keys'),
        ]);
        let run: ImportRun = newImportRun(entries);
        const keep = (next: ImportRun) => {
          // As a reload of the page finds it.
          run = structuredClone(next);
        };
        for (const { requests, isStored } of all) {
          let left = requests;
          const breaking = async (entry: LedgerEntryForm, key: string) => {
            left -= 1;
            if (left >= 0 || isStored) await send(entry, key);
            if (left < 0) throw new Error('broken off');
          };
          await sendImportRun(run, breaking, keep).catch(() => false);
        }
        expect(await sendImportRun(run, send, keep)).toBe(true);
        const listed = await stored();
        expect(listed).toHaveLength(ROWS);
        const sorted = (list: LedgerEntryForm[]) =>
          list.map((each) => `${each.datetime} ${each.amount} ${each.description}`).toSorted();
        expect(sorted(listed)).toEqual(sorted(entries));
        const sum = entries.reduce((total, { amount }) => total + BigInt(amount), 0n);
        expect(withBalances(listed)[0]?.balance).toBe(sum);
      }),
      propertyRuns(2, 50),
    );
  },
);

test('ACC-5 ACC-16 an import goes on behind an entry that was stored, not answered and deleted since', async () => {
  await env.DB.prepare('DELETE FROM ledger_entries').run();
  let run = newImportRun(entries.slice(0, 3));
  const keep = (next: ImportRun) => {
    run = next;
  };
  const unanswered = async (entry: LedgerEntryForm, key: string) => {
    await send(entry, key);
    throw new Error('broken off');
  };
  await expect(sendImportRun(run, unanswered, keep)).rejects.toThrow('broken off');
  const [first] = await stored();
  await call(`/account/${first?.id}`, 'DELETE');
  expect(await sendImportRun(run, send, keep)).toBe(true);
  expect(await stored()).toHaveLength(2);
  // Any other conflict stops it.
  const others = run.items.map(({ key, entry }) => ({ key, entry: { ...entry, amount: 7 } }));
  await expect(sendImportRun({ ...run, items: others, done: 0 }, send, keep)).rejects.toThrow(
    '이미 다른 내용으로 저장한 내역입니다',
  );
});

const stored = async () => await (await call('/account')).json<LedgerEntry[]>();

async function send(entry: LedgerEntryForm, key: string): Promise<void> {
  const answer = await call('/account', 'POST', entry, { 'idempotency-key': key });
  if (answer.ok) return;
  const { error } = errorBodySchema.parse(await answer.json());
  throw new ApiError(answer.status, error);
}
