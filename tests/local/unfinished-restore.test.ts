import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  globSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preflight } from '../../local/preflight.ts';
import { readSettings } from '../../local/settings.ts';
import { ownKeyFingerprint } from '../../scripts/backup/author.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { createBackup } from '../../scripts/backup/make-archive.ts';
import { restoreCommand } from '../../scripts/backup/restore.ts';
import { bridgeKey } from '../../scripts/operator/bridge-key.ts';
import { releaseDataDir } from '../../scripts/database/data-dir.ts';
import { grantCommand } from '../../scripts/operator/grant.ts';
import type { Command } from '../../scripts/terminal.ts';
import { isRestoreUnfinished } from '../../scripts/database/unfinished-restore.ts';
import { change, selected } from '../support/both-databases.ts';
import { backupHere } from '../support/backup-here.ts';
import { shareOrAll } from '../support/counts.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { runCommand } from '../support/run-command.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-unfinished-'));
const archives = join(place, 'archives');
let archive = '';
/** The option that a restore into another folder needs. */
let author: string[] = [];
afterAll(() => rmSync(place, { recursive: true }));

const inSilence = { say: () => undefined, begin: () => undefined };

/** A store with one first admin and some pictures. */
async function filled(dataDir: string, admin: string): Promise<void> {
  await makeDataFolder(dataDir);
  const store = await openLocalStore(dataDir, { claim: true });
  for (let index = 0; index < 30; index++)
    await store.writeObject({ key: `pictures/${index}`, type: 'image/png', content: new Uint8Array(100) });
  await store.close();
  change(dataDir, `INSERT INTO first_admins (email) VALUES ('${admin}')`);
}

beforeAll(async () => {
  const dataDir = join(place, 'source');
  await filled(dataDir, 'of-the-archive@lab.test');
  const store = await openLocalStore(dataDir);
  archive = await createBackup(store, archives, inSilence);
  author = ['--author', ownKeyFingerprint(dataDir) ?? ''];
  await store.close();
});

const run = (dataDir: string, command: Command, ...args: string[]) =>
  runCommand(command, args, { DATA_DIR: dataDir });
const restore = (dataDir: string, ...args: string[]) =>
  run(dataDir, restoreCommand, archive, ...author, ...args);

/** Loaded before the command, which then kills itself directly after it has printed this line. */
const killedAt = (line: string) => `const { write } = process.stdout;
process.stdout.write = (text, ...rest) => {
  const isTaken = write.call(process.stdout, text, ...rest);
  if (String(text).includes(${JSON.stringify(line)})) process.kill(process.pid, 'SIGKILL');
  return isTaken;
};`;

async function restoreKilledAt(line: string, dataDir: string, ...args: string[]): Promise<void> {
  const script = [
    '--disable-warning=ExperimentalWarning',
    '--import',
    `data:text/javascript,${encodeURIComponent(killedAt(line))}`,
    'scripts/backup/restore.ts',
    archive,
    ...author,
    ...args,
  ];
  const child = spawn(process.execPath, script, {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)));
  expect(signal, output).toBe('SIGKILL');
}

const adminsOf = (dataDir: string) =>
  selected(dataDir, 'SELECT email FROM first_admins').map(({ email }) => email);

test.each(shareOrAll(2, ['restored 3 of 30 files', 'databases: ', 'is verified', 'restored 30 of 30 files']))(
  'OPS-3 a restore into a new place that is killed at "%s" is taken for data by nobody, and goes on when it is run again',
  async (line) => {
    const dataDir = mkdtempSync(join(place, 'new-'));
    await restoreKilledAt(line, dataDir);
    expect(isRestoreUnfinished(dataDir, 'local')).toBe(true);

    const told = `a restore into ${dataDir} was interrupted`;
    const started = preflight(readSettings({ DATA_DIR: dataDir }));
    await expect(started).rejects.toThrow(told);
    await expect(started).rejects.toThrow(archive);
    releaseDataDir(dataDir);
    const others: [Command, ...string[]][] = [
      [backupHere, '--to', join(dataDir, 'archives')],
      [backupHere, 'drill', archive],
      [bridgeKey, 'key', 'list'],
      [grantCommand, 'somebody@lab.test', '5'],
    ];
    for (const [command, ...args] of others) {
      const { status, output } = await run(dataDir, command, ...args);
      expect(status, output).not.toBe(0);
      expect(output).toContain(told);
    }
    // A second restore that fails changes nothing.
    expect((await run(dataDir, restoreCommand, import.meta.filename)).status).toBe(1);
    expect((await run(dataDir, bridgeKey, 'key', 'list')).output).toContain(archive);
    const again = await restore(dataDir);
    expect(again.status, again.output).toBe(0);
    expect(adminsOf(dataDir)).toEqual(['of-the-archive@lab.test']);
    expect(isRestoreUnfinished(dataDir, 'local')).toBe(false);
  },
);

test('OPS-3 a restore over other data that is killed asks for nothing more when it is run again', async () => {
  const dataDir = mkdtempSync(join(place, 'over-'));
  await filled(dataDir, 'of-before@lab.test');
  await restoreKilledAt('databases: ', dataDir, '--overwrite', 'local', '--discard-newer');
  const again = await restore(dataDir);
  expect(again.status, again.output).toBe(0);
  // Addresses that were used before stay used.
  expect(new Set(adminsOf(dataDir))).toEqual(new Set(['of-before@lab.test', 'of-the-archive@lab.test']));
});

test('OPS-3 a restore that ends before it has changed anything leaves the data as it was, in use', async () => {
  const dataDir = mkdtempSync(join(place, 'kept-'));
  await filled(dataDir, 'of-before@lab.test');
  await restoreKilledAt('is verified', dataDir, '--overwrite', 'other');
  expect((await restore(dataDir)).status).toBe(1);
  expect(isRestoreUnfinished(dataDir, 'local')).toBe(false);
  expect(adminsOf(dataDir)).toEqual(['of-before@lab.test']);

  const empty = mkdtempSync(join(place, 'refused-'));
  expect((await run(empty, restoreCommand, import.meta.filename)).status).toBe(1);
  expect(isRestoreUnfinished(empty, 'local')).toBe(false);
});

test('OPS-9 of a store in which nothing is yet there is no archive', async () => {
  const dataDir = mkdtempSync(join(place, 'nothing-'));
  await (await openLocalStore(dataDir, { claim: true })).close();
  const to = join(dataDir, 'archives');
  const { status, output } = await run(dataDir, backupHere, '--to', to);
  expect(status).toBe(1);
  expect(output).toContain('local has no tables yet, so there is nothing to back up: start the product once');
  expect(existsSync(to) ? readdirSync(to) : []).toEqual([]);
});

// tests/local/first-steps.test.ts does the same for each database, by the printed first step.
test.each(shareOrAll(1, [0, 1, 2]))(
  'OPS-3 in place of damaged database %i an archive is restored, and what was there is moved away',
  async (which) => {
    const dataDir = mkdtempSync(join(place, 'damaged-'));
    await filled(dataDir, 'of-before@lab.test');
    const files = globSync(join(dataDir, 'v3/**/*.sqlite')).toSorted();
    expect(files).toHaveLength(3);
    const file = files[which] ?? '';
    const opened = openSync(file, 'r+');
    writeSync(opened, Buffer.alloc(200, 7), 0, 200, 0);
    closeSync(opened);

    const backup = await run(dataDir, backupHere, '--to', join(dataDir, 'archives'));
    expect(backup.status).toBe(1);
    expect(backup.output).toContain(`${file} cannot be used as a database: `);
    const unasked = await restore(dataDir);
    expect(unasked.status).toBe(1);
    expect(unasked.output).toContain(`local is damaged (${file}: file is not a database)`);
    expect(unasked.output).toContain('add --overwrite local');
    const done = await restore(dataDir, '--overwrite', 'local');
    expect(done.status, done.output).toBe(0);
    expect(done.output).toContain('was moved to ');
    expect(adminsOf(dataDir)).toEqual(['of-the-archive@lab.test']);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('v3-damaged-'))).toHaveLength(1);
  },
);
