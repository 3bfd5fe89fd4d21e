import { expect, test } from 'vitest';
import { archivedStore } from '../support/archived-store.ts';
import { change } from '../support/both-databases.ts';

const key = (id: number, bridge: string) =>
  `(${id}, '${bridge}', '${String(id).repeat(43)}', NULL, ${id}000)`;

const { dataDir, rows, restored, emptyStore } = archivedStore((dataDir) => {
  change(
    dataDir,
    `INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES (1, 's', 'a@lab.test', '서아름', 1, 1);
    INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at) VALUES ('${'a'.repeat(64)}', 1, '', 1, 1)`,
  );
  change(
    dataDir,
    `INSERT INTO bridge_keys (id, bridge_id, key, plants, created_at) VALUES ${key(1, 'greenhouse')}, ${key(2, 'greenhouse')}, ${key(3, 'balcony')};
    UPDATE bridge_keys SET revoked_at = 5 WHERE id = 3`,
    'PLANTS_DB',
  );
});

/** Changes after the backup: a key is revoked, another key is made, and somebody signs in. */
function goOn(): number {
  const now = Date.now();
  change(
    dataDir,
    `UPDATE bridge_keys SET revoked_at = 7 WHERE id = 2;
    INSERT OR IGNORE INTO bridge_keys (id, bridge_id, key, plants, created_at) VALUES ${key(4, 'roof')}`,
    'PLANTS_DB',
  );
  change(
    dataDir,
    `DELETE FROM sessions;
    INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at) VALUES ('${'b'.repeat(64)}', 1, '', ${now}, ${now})`,
  );
  return now;
}

const revoked = () => rows('SELECT id, revoked_at FROM bridge_keys ORDER BY id', 'PLANTS_DB');
const sessions = () => rows('SELECT id FROM sessions');

test('SEC-62 a restore ends all sessions and lets revoked keys stay revoked, and says what becomes of each key', async () => {
  goOn();
  const said = await restored({ discardNewer: true });
  expect(await sessions()).toEqual([]);
  expect(await revoked()).toEqual([
    { id: 1, revoked_at: null },
    { id: 2, revoked_at: 7 },
    { id: 3, revoked_at: 5 },
  ]);
  expect(said).toContain('sessions ended: 1.');
  expect(said).toMatch(/stay revoked \(--revive-keys .*\n {2}key 2 of greenhouse, .*revoked 1970/);
  expect(said).toMatch(/and are lost; .*\n {2}key 4 of roof, for every plant, /);
  expect(said).toMatch(/bridge keys that work; .*\n {2}key 1 of greenhouse, .*works$/m);
  expect(said).not.toContain('key 3 of balcony');
  for (const id of [1, 2, 4]) expect(said).not.toContain(String(id).repeat(43));
});

test('SEC-62 revoked keys work again where the operator says so', async () => {
  goOn();
  const said = await restored({ discardNewer: true, reviveKeys: true });
  expect(await revoked()).toEqual([
    { id: 1, revoked_at: null },
    { id: 2, revoked_at: null },
    { id: 3, revoked_at: 5 },
  ]);
  expect(said).toMatch(/work again, because of --revive-keys:\n {2}key 2 of greenhouse/);
  expect(await sessions()).toEqual([]);
});

test('SEC-62 where nothing is left to compare with, every key that works again is listed', async () => {
  const target = await emptyStore();
  const said = await restored({}, target);
  expect(await target.rows('SELECT 1 FROM sessions')).toEqual([]);
  expect(said).toMatch(
    /bridge keys that work; revoke unwanted ones.*\n {2}key 1 of greenhouse.*\n {2}key 2 of greenhouse/,
  );
});

test('OPS-3 a database newer than the archive is replaced only when that is said too, with both times', async () => {
  const last = new Date(goOn()).toISOString();
  const before = await revoked();
  await expect(restored({})).rejects.toThrow(
    new RegExp(
      `local was last changed at ${last} and the archive was made at 20.*Z: .* would be lost.*--discard-newer`,
    ),
  );
  await expect(restored({ overwrite: undefined, discardNewer: true })).rejects.toThrow('--overwrite local');
  expect(await revoked()).toEqual(before);

  const questions: string[] = [];
  const answering = (answers: string[]) => ({
    overwrite: undefined,
    ask: (question: string) => {
      questions.push(question);
      return Promise.resolve(answers.shift() ?? '');
    },
  });
  for (const answers of [[], ['yes'], ['local'], ['local', 'y']])
    await expect(restored(answering(answers))).rejects.toThrow(/--overwrite local|--discard-newer/);
  expect(await revoked()).toEqual(before);
  questions.length = 0;
  await restored(answering(['local', 'discard']));
  expect(questions).toHaveLength(2);
  expect(questions[0]).toContain('type local');
  expect(questions[1]).toContain(last);
  expect(await revoked()).toHaveLength(3);
});
