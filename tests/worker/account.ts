import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach } from 'vitest';
import { asAdmin, call } from './client.ts';
import { contents, migrateDatabase } from './support.ts';
import type { LedgerEntry } from '../../contract/ledger.ts';

/** The tests of the file have an empty account before each of them, and call as an admin. */
export function emptyAccount(): void {
  beforeAll(migrateDatabase);
  asAdmin();
  beforeEach(async () => {
    await env.DB.batch([
      env.DB.prepare('DELETE FROM ledger_entries'),
      env.DB.prepare('DELETE FROM ledger_keys'),
      env.DB.prepare('DELETE FROM deleted_entries'),
      env.DB.prepare('DELETE FROM dues'),
    ]);
  });
}

export const form = { amount: -12_000, datetime: '2026-03-02T13:00:00', description: '복사 용지' };
export const list = async (): Promise<LedgerEntry[]> => await (await call('/account')).json();
export const post = (body: unknown, key?: string) =>
  call('/account', 'POST', body, key === undefined ? {} : { 'idempotency-key': key });
export const add = async (fields: object = {}): Promise<LedgerEntry> =>
  await (await post({ ...form, ...fields })).json();
/** What the log tells of changes. */
export const logged = async () =>
  ((await contents())['access_log'] ?? []).filter((row) => Reflect.get(Object(row), 'action') !== 'read');
export const detailOf = (row: unknown) => JSON.parse(String(Reflect.get(Object(row), 'detail')));
export const sum = (entries: { amount: number }[]) =>
  entries.reduce((all, { amount }) => all + BigInt(amount), 0n);
