import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { backUp } from '../../scripts/backup/make-archive.ts';
import { restore } from '../../scripts/backup/restore.ts';
import type { Store } from '../../scripts/backup/store.ts';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { change } from '../support/both-databases.ts';
import { makeDataFolder } from '../support/data-folder.ts';

const silent = () => undefined;
const place = mkdtempSync(join(tmpdir(), 'cps-lab-restore-rights-'));
const dataDir = join(place, 'data');
let store: Store;
let archive = '';

const user = (id: number, level: number) => `(${id}, 'sub-${id}', 'u${id}@lab.test', '서아름', ${level}, 1)`;
const USERS = 'INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES';
const token = (letter: string) => `('${letter.repeat(64)}', 99999999999999)`;

beforeAll(async () => {
  await makeDataFolder(dataDir);
  store = await openLocalStore(dataDir, { claim: true });
  change(
    dataDir,
    `${USERS} ${user(1, 1)}, ${user(2, 1)}, ${user(3, 3)}, ${user(4, 10)}, ${user(5, 5)};
    INSERT INTO first_admins VALUES ('u1@lab.test');
    INSERT INTO used_tokens VALUES ${token('a')}`,
  );
  archive = await backUp(store, join(place, 'backups'), { say: silent, begin: silent });
  // Afterwards an admin is dismissed, the treasurer is deleted, and a listed address has its admin, who goes as well.
  change(
    dataDir,
    `UPDATE users SET secure_level = 10 WHERE id = 2;
    DELETE FROM users WHERE id = 3;
    UPDATE users SET secure_level = 5 WHERE id = 4;
    INSERT INTO first_admins VALUES ('listed@lab.test');
    INSERT INTO used_tokens VALUES ${token('b')}`,
  );
});
afterAll(async () => {
  await store.close();
  rmSync(place, { recursive: true });
});

test('SEC-80 a restore lists who gets back what was taken from them, and by no name', async () => {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  await restore(store, { archive, overwrite: 'local', discardNewer: true, say });
  const listed = said.slice(said.findIndex((line) => line.startsWith('users who may do again'))).slice(0, 3);
  expect(listed).toEqual([
    expect.stringContaining('npm run person -- grant --id <id> <level>'),
    '  user 2: level 1, had been given level 10',
    '  user 3: level 3, deleted since',
  ]);
  expect(said.join()).not.toMatch(/sub-|u\d@lab|user [145]:/);
});

test('SEC-80 a restore makes no used address and no used ID token good again', async () => {
  expect(await store.rows('SELECT email FROM first_admins ORDER BY email')).toEqual([
    { email: 'listed@lab.test' },
    { email: 'u1@lab.test' },
  ]);
  expect(await store.rows('SELECT token_hash FROM used_tokens ORDER BY token_hash')).toEqual([
    { token_hash: 'a'.repeat(64) },
    { token_hash: 'b'.repeat(64) },
  ]);
});
