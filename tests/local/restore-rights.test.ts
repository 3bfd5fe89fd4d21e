import { expect, test } from 'vitest';
import { archivedStore } from '../support/archived-store.ts';
import { change } from '../support/both-databases.ts';

const user = (id: number, level: number) => `(${id}, 'sub-${id}', 'u${id}@lab.test', '서아름', ${level}, 1)`;
const USERS = 'INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES';
const token = (letter: string) => `('${letter.repeat(64)}', 99999999999999)`;

const { rows, restored } = archivedStore(
  (dataDir) =>
    change(
      dataDir,
      `${USERS} ${user(1, 1)}, ${user(2, 1)}, ${user(3, 3)}, ${user(4, 10)}, ${user(5, 5)};
    INSERT INTO first_admins VALUES ('u1@lab.test');
    INSERT INTO used_tokens VALUES ${token('a')}`,
    ),
  // After the backup: an admin is lowered, the treasurer is deleted, and a listed address becomes an admin.
  (dataDir) =>
    change(
      dataDir,
      `UPDATE users SET secure_level = 10 WHERE id = 2;
    DELETE FROM users WHERE id = 3;
    UPDATE users SET secure_level = 5 WHERE id = 4;
    INSERT INTO first_admins VALUES ('listed@lab.test');
    INSERT INTO used_tokens VALUES ${token('b')}`,
    ),
);

test('SEC-80 a restore lists who gets back what was taken from them, and by no name', async () => {
  const said = (await restored({ discardNewer: true })).split('\n');
  const listed = said.slice(said.findIndex((line) => line.startsWith('users who have a level'))).slice(0, 3);
  expect(listed).toEqual([
    expect.stringContaining('npm run person -- grant --id <id> <level>'),
    '  user 2: level 1, later lowered to level 10',
    '  user 3: level 3, deleted later',
  ]);
  expect(said.join()).not.toMatch(/sub-|u\d@lab|user [145]:/);
});

test('SEC-80 a restore makes no used address and no used ID token good again', async () => {
  expect(await rows('SELECT email FROM first_admins ORDER BY email')).toEqual([
    { email: 'listed@lab.test' },
    { email: 'u1@lab.test' },
  ]);
  expect(await rows('SELECT token_hash FROM used_tokens ORDER BY token_hash')).toEqual([
    { token_hash: 'a'.repeat(64) },
    { token_hash: 'b'.repeat(64) },
  ]);
});
