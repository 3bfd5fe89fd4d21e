import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { contentOf, openArchive, tableNames } from '../../scripts/backup/archive.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { backUp } from '../../scripts/backup/make-archive.ts';
import { restoreCommand } from '../../scripts/backup/restore.ts';
import { homeNames, openLocalD1 } from '../../scripts/local-d1.ts';
import { upgradeLocal } from '../../scripts/upgrade-local.ts';
import { backupHere } from '../support/backup-here.ts';
import { pretendAccount, switchOn } from './deployment.ts';

/*
 * Backup and restore of a deployed product whose plants are in two databases. wrangler is a stand-in (pretended-wrangler.ts), with
 * real D1 and R2 in the account's folder.
 */

const LIMIT = { timeout: 600_000 };
const HOMES = ['cps-lab-plants', 'cps-lab-plants-2'];
const CONFIGURED = ['wrangler.toml', 'ingest/wrangler.toml'];
const answers = {
  GOOGLE_CLIENT_ID: 'a-client.apps.example',
  GOOGLE_CLIENT_SECRET: 'a-client-secret',
  ADMIN_EMAILS: 'boss@lab.example',
  UNIVERSITY_EMAIL_DOMAINS: 'univ.example',
  SITE_DOMAIN: 'lab.univ.example',
};

type Account = Awaited<ReturnType<typeof pretendAccount>>;

/** Where the commands of a test put their archives. */
function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cps-lab-remote-homes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** An account with so many databases of plants. */
async function deployed(homes: 1 | 2): Promise<Account> {
  const account = await pretendAccount();
  if (homes === 2) for (const file of CONFIGURED) switchOn(account.place, file, 'PLANTS_DB_2');
  const { status, output } = await account.deploy(answers);
  expect(status, output).toBe(0);
  return account;
}

/** Rows of a group in a home, whose numbers nobody else has. */
const groupWith = (group: string, id: number, readings: number) => `
  INSERT INTO plants (id, name) VALUES (${id}, '${group}/고사리');
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${readings})
  INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
    SELECT ${id}, 1700000000000 + i * 60000, i, (i * 7) % 1024, 1700000000001 FROM n;
  INSERT INTO plant_months (plant_id, start, until, digest, readings) VALUES (${id}, 0, 5, 'of-${group}', 3);
  UPDATE plant_states SET alert_below = 12.5 WHERE plant_id = ${id};`;
const isIn = (group: string, home: string) =>
  `INSERT OR REPLACE INTO plant_homes (plant_group, home) VALUES ('${group}', '${home}');`;

/** Two groups in the first home, one in the second. */
function divide(change: Account['change']): void {
  const [first = '', second = ''] = HOMES;
  change(groupWith('fern-lab', 7, 900) + groupWith('oak-lab', 8, 40), first);
  change(groupWith('moss-lab', 2 ** 40 + 7, 1300), second);
  change(isIn('moss-lab', 'PLANTS_DB_2'), first);
  change("INSERT INTO students (id, name) VALUES ('202612345', '한별하')", 'cps-lab');
}

/** What a restore writes itself, and the books, which tell of other seconds in the second home. */
const ITS_OWN = new Set(['access_log', 'sqlite_sequence', 'backups', 'd1_migrations']);

/** Rows and sums of every table of every database. */
const contents = (account: Account) =>
  Object.fromEntries(
    ['cps-lab', ...HOMES].flatMap((name) => {
      const db = account.open(name);
      const tables = tableNames(db)
        .filter((table) => !ITS_OWN.has(table))
        .map((table) => [`${name}.${table}`, contentOf(db, table)] as const);
      db.close();
      return tables;
    }),
  );

const backup = (account: Account, folder: string) =>
  account.run(backupHere, ['--remote', '--unencrypted', '--to', folder]);

async function backedUp(account: Account, folder: string): Promise<string> {
  const { status, output } = await backup(account, folder);
  expect(status, output).toBe(0);
  return join(folder, readdirSync(folder)[0] ?? '');
}

/** The tables of an archive, proven. */
async function unpacked(archive: string) {
  const { db, manifest } = await openArchive(archive, join(folderOf(), 'unpacked'));
  db.close();
  return manifest.tables;
}

const isExport = ([d1, what]: string[]) => d1 === 'd1' && what === 'export';

const restored = (account: Account, archive: string) =>
  account.run(restoreCommand, [archive, '--remote', '--overwrite', 'cps-lab', '--discard-newer']);

test(
  'OPS-3 ING-17 backup --remote holds both homes of plants, also of a group that goes from one to the other meanwhile, and restore --remote brings back every row',
  LIMIT,
  async () => {
    const account = await deployed(2);
    divide(account.change);
    const before = contents(account);
    expect(before['cps-lab-plants.plant_readings']?.rows).toBe(940);
    expect(before['cps-lab-plants-2.plant_readings']?.rows).toBe(1300);
    const archive = await backedUp(account, folderOf());
    const held = await unpacked(archive);
    expect(held['plant_readings']).toEqual(before['cps-lab-plants.plant_readings']);
    expect(held['plant_readings@2']).toEqual(before['cps-lab-plants-2.plant_readings']);

    // Lost, changed, and come since.
    const [first = '', second = ''] = HOMES;
    account.change('DELETE FROM plant_readings; DELETE FROM plant_homes', first);
    account.change('UPDATE plant_readings SET soil_moisture = 1; DELETE FROM plant_months', second);
    account.change(groupWith('late-lab', 99, 5), second);
    account.change('DELETE FROM students', 'cps-lab');
    const { status, output } = await restored(account, archive);
    expect(status, output).toBe(0);
    expect(contents(account)).toEqual(before);
    expect(output).toContain('every table and file is as in the archive');
    // Triggers stand again in both.
    for (const name of HOMES) {
      account.change("INSERT INTO plants (name) VALUES ('이끼')", name);
      expect(
        account.rows(
          "SELECT count(*) AS n FROM plant_states JOIN plants ON id = plant_id WHERE name = '이끼'",
          name,
        ),
      ).toEqual([{ n: 1 }]);
    }

    // The first home is copied without a group that comes there, the second after it has left.
    account.afterExportOf(first, {
      [first]: `${groupWith('moss-lab', 2 ** 40 + 7, 1300)} DELETE FROM plant_homes WHERE plant_group = 'moss-lab';`,
      [second]: ['readings', 'months', 'states'].map((what) => `DELETE FROM plant_${what};`).join(' '),
    });
    const exportsBefore = account.calls().filter(isExport).length;
    const later = await unpacked(await backedUp(account, folderOf()));
    expect(later['plant_readings']?.rows).toBe(940 + 1300);
    expect(later['plant_readings@2']?.rows).toBe(0);
    const exports = account.calls().filter(isExport).slice(exportsBefore);
    expect(exports.map(([, , name]) => name)).toEqual(['cps-lab', ...HOMES, 'cps-lab', ...HOMES]);
  },
);

/** An archive of a local run with the same plants. */
async function archiveOfTwoHomes(): Promise<string> {
  const dataDir = folderOf();
  await upgradeLocal(dataDir, () => undefined, HOMES.length);
  divide((sql, name) => {
    const at = HOMES.indexOf(name);
    const db = openLocalD1(dataDir, { database: at < 0 ? 'DB' : (homeNames(HOMES.length)[at] ?? 'DB') });
    db.exec(sql);
    db.close();
  });
  const store = await openLocalStore(dataDir);
  const silent = () => undefined;
  try {
    return await backUp(store, dataDir, { say: silent, begin: silent });
  } finally {
    await store.close();
  }
}

test(
  'OPS-3 ING-17 restore --remote of two homes names the one that the account lacks, and a clone that does not know it makes no backup',
  LIMIT,
  async () => {
    const archive = await archiveOfTwoHomes();
    const account = await deployed(1);
    account.change(groupWith('own-lab', 5, 10), 'cps-lab-plants');
    const before = account.rows('SELECT * FROM plant_readings', 'cps-lab-plants');
    const refused = await restored(account, archive);
    expect(refused.status).toBe(1);
    expect(refused.output).toContain(
      'the archive has plants of PLANTS_DB_2, and the account has no such database',
    );
    expect(account.rows('SELECT * FROM plant_readings', 'cps-lab-plants')).toEqual(before);

    // As the line says.
    for (const file of CONFIGURED) switchOn(account.place, file, 'PLANTS_DB_2');
    const deployment = await account.deploy();
    expect(deployment.status, deployment.output).toBe(0);
    const { status, output } = await restored(account, archive);
    expect(status, output).toBe(0);
    expect(HOMES.map((name) => account.rows('SELECT count(*) AS n FROM plant_readings', name))).toEqual([
      [{ n: 940 }],
      [{ n: 1300 }],
    ]);

    // As on the machine that makes the nightly backups, when nobody has told it.
    for (const file of CONFIGURED) switchOn(account.place, file, '');
    const held = contents(account);
    const unknowing = await backup(account, folderOf());
    expect(unknowing.status).toBe(1);
    expect(unknowing.output).toContain(
      'the plants of group "moss-lab" are in PLANTS_DB_2, which wrangler.toml does not bind',
    );
    expect(contents(account)).toEqual(held);
    expect(account.rows('SELECT ok FROM backups ORDER BY id DESC LIMIT 1')).toEqual([{ ok: 0 }]);
  },
);
