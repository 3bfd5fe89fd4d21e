import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { newRun, sendRun, type ImportRun } from '../../web/src/features/ledger/import-run.ts';
import { withBalances, type LedgerEntry, type LedgerEntryForm } from '../../contract/ledger.ts';
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
        let run: ImportRun = newRun(entries);
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
          await sendRun(run, breaking, keep).catch(() => false);
        }
        expect(await sendRun(run, send, keep)).toBe(true);
        const stored = await (await call('/account')).json<LedgerEntry[]>();
        expect(stored).toHaveLength(ROWS);
        const sorted = (list: LedgerEntryForm[]) =>
          list.map((each) => `${each.datetime} ${each.amount} ${each.description}`).toSorted();
        expect(sorted(stored)).toEqual(sorted(entries));
        const sum = entries.reduce((total, { amount }) => total + BigInt(amount), 0n);
        expect(withBalances(stored)[0]?.balance).toBe(sum);
      }),
      { seed: 2026, numRuns: env.FULL === '1' ? 50 : 2 },
    );
  },
);

async function send(entry: LedgerEntryForm, key: string): Promise<void> {
  const { status } = await call('/account', 'POST', entry, { 'idempotency-key': key });
  if (status !== 201) throw new Error(`the server answered ${status}`);
}
