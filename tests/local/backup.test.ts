import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANY_AUTHOR } from '../../scripts/backup/author.ts';
import { createBackup } from '../../scripts/backup/make-archive.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { executeSqlDump, writeSqlDump } from '../../scripts/backup/remote-store.ts';
import { restoreArchive } from '../../scripts/backup/restore.ts';
import { tableDigest, unpackArchive, schemaStatements, tableNames } from '../../scripts/backup/archive.ts';
import { newKeyPair, type ArchiveKeys, type ArchiveEncryption } from '../../scripts/backup/encryption.ts';
import { archivePart } from '../../scripts/backup/both-databases.ts';
import { DATABASES, openLocalD1, type DatabaseName } from '../../scripts/database/local-d1.ts';
import { change, inBoth, namedApart } from '../support/both-databases.ts';
import { fewOrMany } from '../support/counts.ts';
import { makeDataFolder } from '../support/data-folder.ts';

const READINGS = fewOrMany(2000, 100_000);
const PICTURES = fewOrMany(5, 500);
const silent = () => undefined;
const listener = { say: silent, begin: silent };

/** The number and the hash of every table's rows. */
function contents(dataDir: string): Record<string, ReturnType<typeof tableDigest>> {
  const of = (db: DatabaseSync, database: DatabaseName) =>
    namedApart(Object.fromEntries(tableNames(db).map((name) => [name, tableDigest(db, name)])), database);
  return Object.assign({}, ...inBoth(dataDir, of));
}

/** The same without the access log, to which a restore adds a row, and without the counters. */
function restored(dataDir: string) {
  const { access_log: _, sqlite_sequence: __, ...rest } = contents(dataDir);
  return rest;
}

describe('an archive of the local run', () => {
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-backup-test-'));
  const source = join(place, 'source');
  let archive = '';

  beforeAll(async () => {
    await makeDataFolder(source);
    const store = await openLocalStore(source, { claim: true });
    try {
      const db = openLocalD1(source);
      db.exec(
        `INSERT INTO users (sub, email, name, secure_level, created_at) VALUES ('s', 'a@lab.test', '서아름', 1, 1)`,
      );
      const plants = openLocalD1(source, { database: 'PLANTS_DB' });
      plants.exec(`INSERT INTO plants (id, name) VALUES (1, 'basil')`);
      plants
        .prepare(
          `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
         INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
         SELECT 1, 1700000000000 + i * 60000, 0, i % 1024, 1700000000000 + i * 60000 FROM n`,
        )
        .run(READINGS);
      plants.close();
      db.exec(`INSERT INTO access_log (at, address, action, subject) VALUES (1, 'operator', 'read', 'user')`);
      db.close();
      for (let index = 0; index < PICTURES; index++) {
        const content = new Uint8Array(50_000).fill(index % 256);
        await store.writeObject({ key: `pictures/2099${index}`, type: 'image/jpeg', content });
      }
      archive = await createBackup(store, join(place, 'backups'), listener);
    } finally {
      await store.close();
    }
  });
  afterAll(() => rmSync(place, { recursive: true }));

  test('OPS-3 comes back into an empty folder with every row and every file, and the product goes on', async () => {
    const target = join(place, 'restored');
    const store = await openLocalStore(target, { claim: true });
    try {
      const manifest = await restoreArchive(store, {
        archive,
        overwrite: undefined,
        author: ANY_AUTHOR,
        say: silent,
      });
      expect(manifest.tables['plant_readings']?.rows).toBe(READINGS);
      expect(restored(target)).toEqual(restored(source));
      expect((await store.objectKeys()).length).toBe(PICTURES);
      expect(await store.readObject('pictures/20993')).toMatchObject({
        type: 'image/jpeg',
        content: new Uint8Array(50_000).fill(3),
      });
    } finally {
      await store.close();
    }
    const db = openLocalD1(target);
    // The triggers exist again: the access log cannot be changed.
    expect(() => db.exec("UPDATE access_log SET address = 'x'")).toThrow('append-only');
    db.close();
  });

  test('OPS-3 comes back from a product that nobody has used yet', async () => {
    await makeDataFolder(join(place, 'fresh'));
    const fresh = await openLocalStore(join(place, 'fresh'), { claim: true });
    const early = await createBackup(fresh, join(place, 'early'), listener);
    await fresh.close();
    const target = join(place, 'restored-early');
    const store = await openLocalStore(target, { claim: true });
    try {
      await restoreArchive(store, { archive: early, overwrite: undefined, author: ANY_AUTHOR, say: silent });
      expect(restored(target)).toEqual(restored(join(place, 'fresh')));
    } finally {
      await store.close();
    }
  });

  test('OPS-3 replaces what is there only when the target is named', async () => {
    const target = join(place, 'occupied');
    cpSync(source, target, { recursive: true });
    change(target, "UPDATE users SET name = '백새봄'");
    const before = contents(target);
    const store = await openLocalStore(target, { claim: true });
    try {
      await store.writeObject({ key: 'pictures/extra', type: 'image/png', content: new Uint8Array(3) });
      for (const overwrite of [undefined, 'yes', 'cps-lab']) {
        await expect(
          restoreArchive(store, { archive, overwrite, author: ANY_AUTHOR, say: silent }),
        ).rejects.toThrow('--overwrite local');
      }
      expect(contents(target)).toEqual(before);
      await restoreArchive(store, { archive, overwrite: 'local', author: ANY_AUTHOR, say: silent });
      expect(restored(target)).toEqual(restored(source));
      expect(await store.readObject('pictures/extra')).toBeUndefined();
    } finally {
      await store.close();
    }
  });

  test('OPS-3 the SQL for a deployed database makes the same tables', async () => {
    const { db, manifest } = await unpackArchive(archive, join(place, 'unpacked.sqlite'));
    for (const database of DATABASES) {
      const part = archivePart(db, manifest.plants, database);
      const dump = join(place, `dump-${database}.sql`);
      writeSqlDump(db, dump, part);
      const copy = new DatabaseSync(join(place, `from-dump-${database}.sqlite`));
      // One transaction, as D1 runs a file.
      copy.exec(`BEGIN; ${readFileSync(dump, 'utf8')} COMMIT`);
      const streamed = new DatabaseSync(join(place, `streamed-${database}.sqlite`));
      await executeSqlDump(streamed, dump);
      for (const made of [copy, streamed]) {
        for (const { archived, name } of part.tables)
          expect(tableDigest(made, name), name).toEqual(tableDigest(db, archived));
        expect(tableNames(made).toSorted()).toEqual(
          ['sqlite_sequence', ...part.tables.map(({ name }) => name)].toSorted(),
        );
        made.close();
      }
    }
    db.close();
  });

  test('OPS-3 a dump is read whatever its texts hold, and refused when it is cut off', async () => {
    const file = join(place, 'hostile.sql');
    const text = "a;\nit''s; END;\n\r\n-- no comment;\n\"";
    const trigger = `CREATE TRIGGER t AFTER INSERT ON notes BEGIN\n  SELECT CASE WHEN 1 THEN 2 END;\n  SELECT 3;\nEND;`;
    const dump = `CREATE TABLE notes (text TEXT);\nINSERT INTO notes VALUES('${text}');\n${trigger}\n`;
    writeFileSync(file, dump);
    const db = new DatabaseSync(':memory:');
    await executeSqlDump(db, file);
    expect(db.prepare('SELECT text FROM notes').all()).toEqual([{ text: text.replace("''", "'") }]);
    expect(schemaStatements(db)).toHaveLength(2);
    for (const at of [dump.indexOf('s; END'), dump.indexOf('SELECT 3')]) {
      writeFileSync(file, dump.slice(0, at));
      await expect(executeSqlDump(new DatabaseSync(':memory:'), file)).rejects.toThrow(
        'in the middle of a statement',
      );
    }
  });

  const repack = (change: (db: DatabaseSync) => void) => (file: string) => {
    const plain = `${file}.sqlite`;
    writeFileSync(plain, gunzipSync(readFileSync(file)));
    const db = new DatabaseSync(plain);
    change(db);
    db.close();
    writeFileSync(file, gzipSync(readFileSync(plain)));
  };
  const flip = (share: number) => (file: string) => {
    const bytes = readFileSync(file);
    const at = Math.floor(bytes.length * share);
    bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    writeFileSync(file, bytes);
  };
  const damages: Record<string, (file: string) => void> = {
    'is cut off in the middle': (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
    'has lost its last byte': (file) => truncateSync(file, readFileSync(file).length - 1),
    'is empty': (file) => truncateSync(file, 0),
    'is something else': (file) => writeFileSync(file, 'a letter'),
    'has a bit flipped near its beginning': flip(0.1),
    'has a bit flipped near its end': flip(0.9),
    'misses a row': repack((db) => db.exec('DELETE FROM plant_readings WHERE measured_at = 1700000000000')),
    'holds a changed value': repack((db) => db.exec("UPDATE users SET name = '남마루'")),
    'misses a file': repack((db) => db.exec("DELETE FROM backup_objects WHERE key = 'pictures/20991'")),
    'holds a changed file': repack((db) =>
      db.exec("UPDATE backup_objects SET content = zeroblob(50000) WHERE key = 'pictures/20991'"),
    ),
    'misses a table': repack((db) => db.exec('DROP TABLE access_log')),
    'misses a trigger': repack((db) => {
      const { name } = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").get() ?? {};
      db.exec(`DROP TRIGGER "${String(name)}"`);
    }),
    'has no manifest': repack((db) => db.exec('DELETE FROM backup_manifest')),
    'is of a later format': repack((db) =>
      db.exec("UPDATE backup_manifest SET manifest = json_set(manifest, '$.format', 5)"),
    ),
    'is of a format that no release wrote': repack((db) =>
      db.exec("UPDATE backup_manifest SET manifest = json_set(manifest, '$.format', 3)"),
    ),
  };

  test('OPS-4 leaves word of itself in what it was made of and in the archive, and of its failure', async () => {
    const attempts = (dataDir: string) => {
      const db = openLocalD1(dataDir);
      try {
        return db.prepare('SELECT ok, files, rows > ? AS counted FROM backups ORDER BY id').all(READINGS);
      } finally {
        db.close();
      }
    };
    const good = { ok: 1, files: PICTURES, counted: 1 };
    expect(attempts(source)).toEqual([good]);
    const target = join(place, 'failing');
    const store = await openLocalStore(target, { claim: true });
    try {
      await restoreArchive(store, { archive, overwrite: undefined, author: ANY_AUTHOR, say: silent });
      expect(attempts(target)).toEqual([good]);
      const broken = { ...store, objectKeys: () => Promise.reject(new Error('out of reach')) };
      await expect(createBackup(broken, place, listener)).rejects.toThrow('out of reach');
      expect(attempts(target)).toEqual([good, { ok: 0, files: null, counted: null }]);
    } finally {
      await store.close();
    }
  });

  /** The messages for some damages; for the others any message is enough. */
  const told: Record<string, string> = {
    'is cut off in the middle': 'the archive cannot be unpacked: it ends too early',
    'is empty': 'the archive cannot be unpacked: it ends too early',
    'is something else': 'the archive cannot be unpacked: npm run backup did not write this file',
    'has no manifest': 'the archive is damaged: it has no manifest',
    'is of a later format': 'the archive has format 5, and this version reads only format 4: restore it with',
    'is of a format that no release wrote': 'the archive was made by an unreleased version',
  };

  test('OPS-3 is refused before anything is touched when it is damaged, whatever the damage', async () => {
    const target = join(place, 'untouched');
    const store = await openLocalStore(target, { claim: true });
    try {
      for (const [damage, inflict] of Object.entries(damages)) {
        const file = join(place, 'damaged.sqlite.gz');
        cpSync(archive, file);
        inflict(file);
        const attempt = restoreArchive(store, {
          archive: file,
          overwrite: 'local',
          author: ANY_AUTHOR,
          say: silent,
        });
        await expect(attempt, damage).rejects.toThrow(
          told[damage] ?? /^the archive (cannot be unpacked|is damaged): /,
        );
        expect(await store.isEmpty(), damage).toBe(true);
      }
    } finally {
      await store.close();
    }
  });

  const identityOf = ({ file }: { file: string }) => /^AGE-SECRET-KEY-1\w+$/m.exec(file)?.[0] ?? '';

  /** Tries to restore into an empty folder with each wrong key, and then with the right key. */
  async function restoreWith(sealed: string, wrong: ArchiveKeys[], right: ArchiveKeys): Promise<void> {
    const target = mkdtempSync(join(place, 'unsealed-'));
    const store = await openLocalStore(target, { claim: true });
    const options = { archive: sealed, overwrite: undefined, author: ANY_AUTHOR, say: silent } as const;
    try {
      for (const keys of wrong) {
        await expect(restoreArchive(store, { ...options, keys })).rejects.toThrow(
          /^the archive cannot be unpacked: it is encrypted(, and neither the passphrase nor a key decrypts it|: )/,
        );
        expect(await store.isEmpty()).toBe(true);
      }
      await restoreArchive(store, { ...options, keys: right });
      expect((await store.objectKeys()).length).toBe(PICTURES);
    } finally {
      await store.close();
    }
    expect(contents(target)).toMatchObject({
      'PLANTS_DB.plant_readings': contents(source)['PLANTS_DB.plant_readings'],
    });
  }

  async function sealedBackUp(seal: ArchiveEncryption): Promise<string> {
    const store = await openLocalStore(source);
    try {
      return await createBackup(store, mkdtempSync(join(place, 'sealed-')), listener, seal);
    } finally {
      await store.close();
    }
  }

  test('SEC-62 encrypted for public keys is opened by each of their secret ones and by nothing else, and refused when it is changed', async () => {
    const [key, other, stranger] = await Promise.all([newKeyPair(), newKeyPair(), newKeyPair()]);
    const sealed = await sealedBackUp({ recipients: [key.recipient, other.recipient] });
    expect(sealed).toMatch(/\.sqlite\.gz\.age$/);
    expect(statSync(sealed).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(sealed);
    expect(bytes.includes(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]))).toBe(false);
    expect(bytes.toString('latin1').match(/^-> X25519 /gm)).toHaveLength(3);
    const identities = [identityOf(key)];
    await restoreWith(
      sealed,
      [{}, { identities: [identityOf(stranger)] }, { passphrase: 'a passphrase of another' }],
      { identities },
    );
    const unpacked = join(place, 'unsealed.sqlite');
    const { db } = await unpackArchive(sealed, unpacked, { identities: [identityOf(other)] });
    db.close();

    const changes: ((file: string) => void)[] = [
      ...[0.001, 0.3, 0.7, 0.999].map(flip),
      (file) => truncateSync(file, bytes.length - 1),
      (file) => truncateSync(file, Math.floor(bytes.length / 2)),
      (file) => truncateSync(file, 100),
      // Complete pieces of 64 KB, without the last piece.
      (file) => truncateSync(file, bytes.indexOf('\n---') + 64 + 16 + 65_552),
      (file) => writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(70_000)])),
    ];
    for (const [at, change] of changes.entries()) {
      const file = join(place, 'changed.age');
      cpSync(sealed, file);
      change(file);
      const attempt = unpackArchive(file, unpacked, { identities });
      await expect(attempt, String(at)).rejects.toThrow(
        /^the archive cannot be unpacked: it is encrypted, and/,
      );
    }
  });

  test('SEC-62 encrypted with a passphrase is opened by it, to be proven, and by no other', async () => {
    const sealed = await sealedBackUp({ passphrase: '우리만 아는 긴 암호문' });
    expect(readFileSync(sealed, 'latin1')).toMatch(/^age-encryption.org\/v1\n-> scrypt /);
    await expect(
      unpackArchive(sealed, join(place, 'wrong.sqlite'), { passphrase: '우리만 아는 긴 암호문 ' }),
    ).rejects.toThrow('neither the passphrase nor a key decrypts it');
  });

  test('OPS-3 a folder in use is not written to, and nothing half-made is left behind', async () => {
    const holder = await openLocalStore(join(place, 'held'), { claim: true });
    await expect(openLocalStore(join(place, 'held'), { claim: true })).rejects.toThrow(
      `it is in use by process ${process.pid}`,
    );
    await holder.close();
    await expect(openLocalStore(join(place, 'nowhere'))).rejects.toThrow('there is no data in');
    expect(existsSync(join(place, 'nowhere'))).toBe(false);
    expect(readdirSync(join(place, 'backups'))).toEqual([archive.split('/').at(-1)]);
  });
});
