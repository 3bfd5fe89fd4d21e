import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLocalD1, type DatabaseName } from '../../scripts/database/local-d1.ts';
import { rowsOf, sharedStack } from '../support/shared-stack.ts';
import { credential, login } from '../support/sign-in.ts';
import type { Stack } from '../support/stack.ts';

function count({ dataDir }: Stack, database: DatabaseName, table: string): number {
  const db = openLocalD1(dataDir, { database, readOnly: true });
  const found = db.prepare(`SELECT count(*) AS n FROM ${table}`).get();
  db.close();
  return Number(found?.['n']);
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

/** Number of rows in a table of the runtime. */
function kept({ dataDir }: Stack, folder: string, table: string): number {
  const files = globSync(join(dataDir, 'v3', folder, '*/[0-9a-f]*.sqlite'));
  return files
    .map((file) => {
      const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
      const found = db.prepare(`SELECT count(*) AS n FROM ${table}`).get();
      db.close();
      return Number(found?.['n']);
    })
    .reduce((sum, each) => sum + each, 0);
}

const coursesOf = async ({ origin }: Stack): Promise<unknown[]> =>
  await (await fetch(`${origin}/api/courses`)).json();

describe('the stack that files share', () => {
  describe('with demo data, and used', () => {
    const stack = sharedStack('demo');

    test('has its rows, and keeps answers and files', async () => {
      expect(await coursesOf(stack)).not.toEqual([]);
      expect(count(stack, 'PLANTS_DB', 'plants')).toBe(3);
      await fetch(`${stack.origin}/ko`);
      const { cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test'));
      const db = openLocalD1(stack.dataDir, { readOnly: true });
      const id = String(db.prepare('SELECT id FROM students').get()?.['id']);
      db.close();
      const form = new FormData();
      form.append('images', new File([PNG], `${id}.png`, { type: 'image/png' }));
      const sent = { method: 'POST', headers: { cookie }, body: form };
      expect((await fetch(`${stack.origin}/api/upload`, sent)).status).toBe(200);
      expect(kept(stack, 'r2', '_mf_objects')).toBeGreaterThan(0);
      await expect.poll(() => kept(stack, 'cache', '_mf_entries')).toBeGreaterThan(0);
    });
  });

  describe('for a second try', () => {
    const stack = sharedStack('empty');

    test('gets the rows back that the first try found', async () => {
      const rows = rowsOf(stack);
      onTestFinished(rows.forgetCopies);
      await rows.keep();
      const db = openLocalD1(stack.dataDir);
      db.exec("INSERT INTO first_admins (email) VALUES ('typed@lab.test')");
      db.close();
      const typed = count(stack, 'DB', 'first_admins');
      await rows.putBack();
      expect(count(stack, 'DB', 'first_admins')).toBe(typed - 1);
    });
  });

  describe('without any, after that', () => {
    const stack = sharedStack('empty');

    test('has the accounts and nothing else, in databases, edge cache and bucket', async () => {
      expect(kept(stack, 'cache', '_mf_entries')).toBe(0);
      expect(kept(stack, 'r2', '_mf_objects')).toBe(0);
      expect(await coursesOf(stack)).toEqual([]);
      expect(count(stack, 'PLANTS_DB', 'plants')).toBe(0);
      expect(count(stack, 'DB', 'users')).toBeGreaterThan(0);
      expect(count(stack, 'DB', 'sessions')).toBe(0);
    });
  });
});
