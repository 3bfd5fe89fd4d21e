import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach } from 'vitest';
import type { Due, DuesList } from '../../contract/dues.ts';
import { asAdmin, call } from './client.ts';
import { someUser } from './route-fixtures.ts';
import { contents, migrateDatabase } from './support.ts';

export const users: Record<string, number> = {};

/** The tests of the file have nothing but these users before each of them, and call as an admin. */
export function fourUsers(): void {
  beforeAll(migrateDatabase);
  asAdmin();

  beforeEach(async () => {
    await env.DB.batch([
      env.DB.prepare('DELETE FROM dues'),
      env.DB.prepare('DELETE FROM ledger_entries'),
      env.DB.prepare("DELETE FROM users WHERE email <> 'admin@lab.test'"),
      env.DB.prepare("UPDATE users SET name = '가람' WHERE email = 'admin@lab.test'"),
    ]);
    for (const [name, level] of [
      ['나래', 3],
      ['다솜', 5],
      ['라온', 8],
      ['마루', 10],
    ] as const) {
      const id = await someUser();
      await env.DB.prepare('UPDATE users SET name = ?, secure_level = ? WHERE id = ?')
        .bind(name, level, id)
        .run();
      users[name] = id;
    }
  });
}

export const TERM = '/account/dues/2026/1';
export const read = async (term = TERM): Promise<DuesList> => await (await call(term)).json();
export const list = async (term = TERM): Promise<Due[]> => (await read(term)).dues;
export const pay = (body: unknown, term = TERM) => call(term, 'PUT', body);
export const addNames = (...names: string[]) => call(TERM, 'POST', { names });
export const paidBy = async (term = TERM) =>
  Object.fromEntries((await list(term)).map(({ name, entry_id }) => [name, entry_id]));
export const logged = async () => (await contents())['access_log']?.at(-1);
export const withdrawal = async () =>
  (await env.DB.prepare(
    "INSERT INTO ledger_entries (amount, datetime, description) VALUES (-1, '2026-03-02T13:00:00', 'x') RETURNING id",
  ).first<number>('id')) ?? -1;
