import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import {
  addManifest,
  compressAndVerify,
  MANIFEST_TABLES,
  unpackArchive,
} from '../../scripts/backup/archive.ts';
import { ownKeyFingerprint } from '../../scripts/backup/author.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { restoreArchive } from '../../scripts/backup/restore.ts';
import { archivedStore } from '../support/archived-store.ts';
import { change } from '../support/both-databases.ts';

const person = (email: string, level: number) =>
  `INSERT INTO users (sub, email, name, secure_level, created_at) VALUES ('${email}', '${email}', '김가람', ${level}, 0)`;
const place = mkdtempSync(join(tmpdir(), 'cps-lab-author-'));
afterAll(() => rmSync(place, { recursive: true }));

const own = archivedStore((dataDir) => change(dataDir, person('member@lab.test', 5)));

/** A changed archive with a new manifest, which is signed with another key or not signed. */
async function forged(name: string, sql: string, isSigned = true): Promise<{ file: string; author: string }> {
  const copy = join(place, `${name}.sqlite`);
  const { db, manifest } = await unpackArchive(own.archive(), copy);
  db.close();
  const changed = new DatabaseSync(copy);
  changed.exec(`DROP TABLE backup_manifest; ${sql}`);
  const made = { source: manifest.source, at: new Date(manifest.madeAt), plants: manifest.plants };
  const author = addManifest(changed, { ...made, dataDir: join(place, 'mallory') });
  if (!isSigned) {
    const text = String(changed.prepare('SELECT manifest FROM backup_manifest').get()?.['manifest']);
    changed.exec(`DROP TABLE backup_manifest; ${MANIFEST_TABLES[1]}`);
    changed.prepare('INSERT INTO backup_manifest VALUES (?)').run(text);
  }
  changed.close();
  const file = join(place, `${name}.sqlite.gz`);
  await compressAndVerify(copy, file, async () => undefined);
  return { file, author };
}

const levels = async () => await own.rows('SELECT email, secure_level FROM users ORDER BY email');
const member = { email: 'member@lab.test', secure_level: 5 };
const TRIGGER = `CREATE TRIGGER evil AFTER INSERT ON sessions BEGIN UPDATE users SET secure_level = 1; END`;

test.each([
  ['a trigger', TRIGGER, 'its trigger evil is unknown to every version'],
  ['a view', 'CREATE VIEW evil AS SELECT * FROM users', 'its view evil is unknown to every version'],
  [
    'a trigger on a table of Cloudflare',
    'CREATE TABLE _cf_x (a); CREATE TRIGGER _cf_evil AFTER INSERT ON _cf_x BEGIN SELECT 1; END',
    'its trigger _cf_evil is unknown to every version',
  ],
  [
    'another column',
    'ALTER TABLE users ADD COLUMN evil TEXT',
    'its table users is different from the migrations',
  ],
  ['a trigger that is gone', 'DROP TRIGGER access_log_is_append_only', 'it has no trigger'],
])('SEC-99 an archive to which somebody added %s is refused by its name', async (what, sql, told) => {
  const { file, author } = await forged(what, sql);
  await expect(own.restored({ archive: file, author })).rejects.toThrow(told);
  expect(await levels()).toEqual([member]);
});

test('SEC-99 an archive of another author is asked about by the name that its backup printed', async () => {
  const { file, author } = await forged('other', person('mallory@lab.test', 1));
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return await Promise.resolve('yes');
  };
  for (const known of [undefined, 'nobody', ownKeyFingerprint(own.dataDir)])
    await expect(own.restored({ archive: file, author: known, ask })).rejects.toThrow(
      `npm run restore -- '${file}' --overwrite local --author ${author}`,
    );
  expect(asked[0]).toContain('whoever made the archive decides who is an admin');
  expect(await levels()).toEqual([member]);
  await own.restored({ archive: file, author });
  expect(await levels()).toContainEqual({ email: 'mallory@lab.test', secure_level: 1 });
  await own.restored({ author: undefined, discardNewer: true });
  expect(await levels()).toEqual([member]);
});

test('SEC-99 an archive without a signature is asked about, and a signature of another text is none', async () => {
  const { file } = await forged('unsigned', person('mallory@lab.test', 1), false);
  await expect(own.restored({ archive: file, author: undefined })).rejects.toThrow('not signed');
  const copy = join(place, 'changed.sqlite');
  const { db } = await unpackArchive(own.archive(), copy);
  db.close();
  const changed = new DatabaseSync(copy);
  changed.exec(
    `UPDATE backup_manifest SET manifest = replace(manifest, '"source":"local"', '"source":"cps-lab"')`,
  );
  changed.close();
  await compressAndVerify(copy, join(place, 'changed.gz'), async () => undefined);
  await expect(own.restored({ archive: join(place, 'changed.gz') })).rejects.toThrow('after it was signed');
});

test('SEC-99 after a total loss the archive comes back on a new machine, to whoever noted its author', async () => {
  const dataDir = join(place, 'new-machine');
  const store = await openLocalStore(dataDir, { claim: true });
  const options = { archive: own.archive(), overwrite: undefined, say: () => undefined };
  const author = ownKeyFingerprint(own.dataDir);
  expect(own.said.join('\n')).toContain(`signed by ${author}`);
  await expect(restoreArchive(store, options)).rejects.toThrow('this installation is a new one');
  expect(await store.isEmpty()).toBe(true);
  await restoreArchive(store, { ...options, author });
  expect(await store.rows('SELECT email FROM users')).toEqual([{ email: member.email }]);
  await store.close();
});
