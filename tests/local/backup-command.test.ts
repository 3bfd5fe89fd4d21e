import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { workFolderOf } from '../../scripts/backup/work-folder.ts';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { selected } from '../support/both-databases.ts';
import { backupHere } from '../support/backup-here.ts';
import { shareOrAll, someOrAll } from '../support/counts.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { runCommand } from '../support/run-command.ts';
import { isAlive } from '../support/stack-processes.ts';
import { canMount, mount, unmount } from '../support/small-disk.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-backup-command-'));
const dataDir = join(place, 'data');
const archives = join(place, 'archives');
const workplace = workFolderOf(dataDir, 'local');
/** The public key of a secret key that nobody has. */
const RECIPIENT = 'age1pvzv04c3xtxcesr262c606uft7wjen2mu97s7nvdf50920ex05tsk3laqt';

beforeAll(async () => {
  await makeDataFolder(dataDir);
  const store = await openLocalStore(dataDir, { claim: true });
  // The files are copied one after another, which gives the tests time to stop the backup.
  for (let index = 0; index < 40; index++)
    await store.writeObject({ key: `pictures/${index}`, type: 'image/png', content: new Uint8Array(100) });
  await store.close();
});
afterAll(() => rmSync(place, { recursive: true }));

/** `npm run backup` in this process. The archive is outside of the data folder, so it is encrypted. */
const backedUp = (env: Record<string, string> = { BACKUP_RECIPIENT: RECIPIENT }, ...args: string[]) =>
  runCommand(backupHere, ['--to', archives, ...args], { DATA_DIR: dataDir, ...env });

/** The same in separate processes, which the test can stop and kill. */
function backup(env: Record<string, string> = {}, ...args: string[]) {
  const script = ['--disable-warning=ExperimentalWarning', 'scripts/backup/backup.ts', '--to', archives];
  const child = spawn(process.execPath, [...script, ...args], {
    env: { ...process.env, DATA_DIR: dataDir, BACKUP_RECIPIENT: RECIPIENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    child,
    ended,
    output: () => output,
    /** Stops the process that does the work while unencrypted data is on the disk. */
    stopInTheMiddle: async () => {
      expect(left()).toEqual([]);
      const children = `/proc/${child.pid}/task/${child.pid}/children`;
      await expect.poll(() => readFileSync(children, 'utf8')).not.toBe('');
      const worker = Number(readFileSync(children, 'utf8').trim());
      // Not `vi.waitFor`, which checks too seldom.
      while (left().length === 0 && child.exitCode === null) await setTimeout(1);
      expect(child.exitCode, output).toBeNull();
      process.kill(worker, 'SIGSTOP');
      onTestFinished(() => {
        if (isAlive(String(worker))) process.kill(worker, 'SIGKILL');
      });
      expect(left(), output).not.toEqual([]);
      return worker;
    },
  };
}

/** The unencrypted files on the disk: all files except the lock and its journal. */
const left = () =>
  existsSync(workplace) ? readdirSync(workplace).filter((name) => !name.startsWith('lock')) : [];
const attempts = () => selected(dataDir, 'SELECT ok FROM backups ORDER BY id').map(({ ok }) => ok);

test('OPS-3 a backup that hangs is given up: it says where, is noted as failed and leaves nothing in the clear', async () => {
  const before = attempts().length;
  const { ended, output, stopInTheMiddle } = backup({}, '--limit', '20');
  await stopInTheMiddle();
  expect(await ended).toBe(1);
  expect(output()).toMatch(
    /^the backup was stopped while (opening|copying|writing|packing|verifying) .*: it took longer than 20 seconds \(--limit\)$/m,
  );
  expect(attempts().slice(before)).toEqual([0]);
  expect(left()).toEqual([]);
});

test('OPS-3 a backup beside somebody who keeps the database locked ends with its archive, and says what it could not write', async () => {
  const holder = openLocalD1(dataDir);
  holder.exec('BEGIN IMMEDIATE');
  const { status, output } = await backedUp();
  expect(status, output).toBe(0);
  holder.exec('ROLLBACK');
  holder.close();
  expect(output).toMatch(
    /the health page does not show this \w+: \/.*: another program is using it\. First step: wait/,
  );
  // SEC-62: an archive outside of the data folder is encrypted.
  expect(output).toMatch(/\.sqlite\.gz\.age$/);
  expect(output).not.toContain('not encrypted');
  expect(left()).toEqual([]);
});

test('OPS-3 a second backup at once is refused, which is no failure, and the first one goes on', async () => {
  const before = attempts().length;
  const first = backup();
  const worker = await first.stopInTheMiddle();
  const second = await backedUp();
  expect(second.status).toBe(1);
  expect(second.output).toContain('another backup or restore is running in');
  process.kill(worker, 'SIGCONT');
  expect(await first.ended, first.output()).toBe(0);
  expect(attempts().slice(before)).toEqual([1]);
});

/** Sizes from too small to large enough, so that the disk is full in different steps. */
const SIZES = someOrAll(2, [8, 256, 8192]).map((kilobytes) => kilobytes * 1024);

test.skipIf(!canMount).each(
  shareOrAll(1, [
    ['the workplace', workplace],
    ['the archives', archives],
  ] as const),
)(
  'OPS-3 a backup whose disk is full says which, in one line, and leaves nothing half-made: %s',
  async (_, disk) => {
    mkdirSync(disk, { recursive: true });
    const ends = new Set<number>();
    // A backup that an earlier test has killed may have left an unfinished archive, which stays for a day.
    const unfinished = () => readdirSync(archives).filter((name) => name.endsWith('.part'));
    const before = unfinished();
    for (const size of SIZES) {
      expect(mount(disk, size)).toBe(true);
      try {
        const { status, output } = await backedUp();
        ends.add(status);
        if (status === 0) continue;
        expect(output.split('\n').filter((line) => !line.startsWith('backup  '))).toEqual([
          `the disk of ${disk} is full. First step: make room on it: df -h ${disk}`,
        ]);
        expect([...left(), ...unfinished()]).toEqual(before);
      } finally {
        unmount(disk);
      }
    }
    expect(ends).toEqual(new Set([1, 0]));
  },
);

/** How one of the two processes is killed, or both. */
const deaths: Record<string, () => Promise<void>> = {
  'at once where the one that works dies': async () => {
    const oneDies = backup();
    const worker = await oneDies.stopInTheMiddle();
    process.kill(worker, 'SIGKILL');
    expect(await oneDies.ended).toBe(1);
    expect(oneDies.output()).toContain('its process was killed by SIGKILL');
  },
  'at once where the one that waits dies': async () => {
    const otherDies = backup();
    const orphan = await otherDies.stopInTheMiddle();
    otherDies.child.kill('SIGKILL');
    process.kill(orphan, 'SIGCONT');
    await expect.poll(left).toEqual([]);
    await expect.poll(() => existsSync(`/proc/${orphan}/status`)).toBe(false);
  },
  'with the next where both die': async () => {
    const bothDie = backup();
    const both = await bothDie.stopInTheMiddle();
    bothDie.child.kill('SIGKILL');
    // The whole group, with workerd.
    process.kill(-both, 'SIGKILL');
    await bothDie.ended;
    expect(left()).not.toEqual([]);
    const next = await backedUp();
    expect(next.status, next.output).toBe(0);
  },
  'at once where it is told to end': async () => {
    const told = backup();
    await told.stopInTheMiddle();
    told.child.kill('SIGTERM');
    expect(await told.ended).toBe(1);
    expect(told.output()).toContain('it received SIGTERM');
  },
};

test.each(shareOrAll(2, Object.entries(deaths)))(
  'OPS-3 what a killed backup leaves in the clear goes: %s',
  async (_, died) => {
    await died();
    expect(left()).toEqual([]);
  },
);

test('SEC-62 what leaves the machine is encrypted, or somebody has said that it is not', async () => {
  const names = () => readdirSync(archives).toSorted();
  const before = names();
  const tried = attempts().length;
  const refused = await backedUp({});
  expect(refused).toEqual({
    status: 1,
    output:
      'an archive that leaves this machine is encrypted: set BACKUP_RECIPIENT or BACKUP_PASSPHRASE_FILE, or add --unencrypted',
  });
  const short = join(place, 'short');
  writeFileSync(short, 'secret\n');
  for (const env of [{ BACKUP_PASSPHRASE_FILE: short }, { BACKUP_RECIPIENT: 'age1nobody' }]) {
    const wrong = await backedUp(env);
    expect(wrong.status).toBe(1);
    expect(wrong.output).toMatch(/^(the passphrase is too short|BACKUP_RECIPIENT must be)/);
  }
  expect(names()).toEqual(before);

  // Without a terminal, the health page shows the failures.
  expect(attempts().slice(tried)).toEqual([0, 0, 0]);
  const open = await backedUp({}, '--unencrypted');
  expect(open.status, open.output).toBe(0);
  expect(open.output).toContain('backup  not encrypted: ');
});
