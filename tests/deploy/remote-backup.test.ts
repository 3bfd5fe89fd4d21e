import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tableDigest, tableNames } from '../../scripts/backup/archive.ts';
import { restoreCommand } from '../../scripts/backup/restore.ts';
import { grantCommand } from '../../scripts/operator/grant.ts';
import { personCommand } from '../../scripts/operator/person.ts';
import { backupHere } from '../support/backup-here.ts';
import { pretendAccount } from './deployment.ts';

/* Commands that work on one of two deployments in an account: wrangler is a stand-in, with real D1 and R2 in a folder. */

const answers = {
  GOOGLE_CLIENT_ID: 'a-client.apps.example',
  GOOGLE_CLIENT_SECRET: 'a-client-secret',
  ADMIN_EMAILS: 'boss@lab.example',
  UNIVERSITY_EMAIL_DOMAINS: 'univ.example',
  SITE_DOMAIN: '-',
};
const MOSS = ['--remote', '--name', 'moss-lab'];

/** An account with two deployments, each with a plant and a user of its own. */
async function twoLaboratories() {
  const account = await pretendAccount();
  for (const [name, args] of [
    ['cps-lab', []],
    ['moss-lab', ['--name', 'moss-lab']],
  ] as const) {
    const { status, output } = await account.deploy(answers, [...args]);
    expect(status, output).toBe(0);
    account.change(
      `INSERT INTO plants (id, name) VALUES (7, '${name}의 고사리');
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
      INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
        SELECT 7, 1700000000000 + i * 60000, i, (i * 7) % 1024, 1700000000001 FROM n;
      UPDATE plant_states SET alert_below = 12.5 WHERE plant_id = 7;`,
      `${name}-plants`,
    );
    account.change(
      `INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES (1, 's', 'someone@univ.example', '${name}', 8, 0)`,
      name,
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'cps-lab-remote-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  /** Tables that a restore writes to itself. */
  const itsOwn = new Set(['access_log', 'sqlite_sequence', 'backups']);
  /** Rows and sums of every table of both databases of a deployment. */
  const contents = (name: string) =>
    [name, `${name}-plants`].flatMap((database) => {
      const db = account.open(database);
      const tables = tableNames(db).filter((table) => !itsOwn.has(table));
      const found = tables.map((table) => [`${database}.${table}`, tableDigest(db, table)] as const);
      db.close();
      return found;
    });
  return { account, folder, contents };
}

test('OPS-3 OPS-2 backup and restore --remote bring back every row of the deployment that is named, and leave the other one alone', async () => {
  const { account, folder, contents } = await twoLaboratories();
  const [before, other] = [contents('moss-lab'), contents('cps-lab')];
  const made = await account.run(backupHere, [...MOSS, '--unencrypted', '--to', folder]);
  expect(made.status, made.output).toBe(0);
  const [archive = ''] = readdirSync(folder);
  expect(archive).toMatch(/^moss-lab-20/);

  account.change('DELETE FROM plant_readings', 'moss-lab-plants');
  account.change("UPDATE users SET name = 'lost'", 'moss-lab');
  const restoring = (name: string) =>
    account.run(restoreCommand, [join(folder, archive), ...MOSS, '--overwrite', name, '--discard-newer']);
  expect((await restoring('cps-lab')).output).toContain('moss-lab has data: add --overwrite moss-lab');
  const { status, output } = await restoring('moss-lab');
  expect(status, output).toBe(0);
  expect(output).toContain('every table and file is as in the archive');
  expect(contents('moss-lab')).toEqual(before);
  expect(contents('cps-lab')).toEqual(other);
  // The triggers exist again.
  account.change("INSERT INTO plants (name) VALUES ('이끼')", 'moss-lab-plants');
  const states =
    "SELECT count(*) AS n FROM plant_states JOIN plants ON plants.id = plant_id WHERE plants.name = '이끼'";
  expect(account.rows(states, 'moss-lab-plants')).toEqual([{ n: 1 }]);
});

test('OPS-2 grant and person --remote work on the deployment that is named', async () => {
  const { account, contents } = await twoLaboratories();
  const other = contents('cps-lab');
  const granted = await account.run(grantCommand, ['someone@univ.example', '3', ...MOSS]);
  expect(granted.output).toContain('(level 3)');
  const asked = await account.run(personCommand, ['erase', 'someone@univ.example', ...MOSS]);
  expect(asked.output).toContain(
    'npm run person -- erase --confirm=user-1 --remote --name moss-lab someone@univ.example',
  );
  expect(account.rows('SELECT secure_level FROM users', 'moss-lab')).toEqual([{ secure_level: 3 }]);
  expect(contents('cps-lab')).toEqual(other);
});
