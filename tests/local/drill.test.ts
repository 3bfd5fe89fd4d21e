import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastStoreChange } from '../../scripts/backup/after-restore.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { newKeyPair } from '../../scripts/backup/encryption.ts';
import type { Store } from '../../scripts/backup/store.ts';
import { withWorkFolder, workFolderOf } from '../../scripts/backup/work-folder.ts';
import { backupHere } from '../support/backup-here.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { runCommand } from '../support/run-command.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-drill-'));
const dataDir = join(place, 'data');
const archives = join(place, 'archives');
const workplace = workFolderOf(dataDir, 'local');
let recipient = '';
const keyFile = join(place, 'archive.key');
/** The first bytes of an archive that is not encrypted. */
const GZIP = Buffer.from([0x1f, 0x8b]);

async function inStore<T>(use: (store: Store) => Promise<T>, claim = false): Promise<T> {
  const store = await openLocalStore(dataDir, { claim });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

beforeAll(async () => {
  const key = await newKeyPair();
  recipient = key.recipient;
  writeFileSync(keyFile, key.file);
  await makeDataFolder(dataDir);
  await inStore(
    (store) => store.writeObject({ key: 'pictures/1', type: 'image/png', content: new Uint8Array(100) }),
    true,
  );
});
afterAll(() => rmSync(place, { recursive: true }));

/** `npm run backup`. */
function backup(env: Record<string, string>, ...args: string[]) {
  // A drill of a given archive needs no folder.
  const to = args.at(-1)?.endsWith('.age') ? [] : ['--to', archives];
  return runCommand(backupHere, [...to, ...args], { DATA_DIR: dataDir, ...env });
}
const madeIn = (output: string) => /^\S+\.age$/m.exec(output)?.[0] ?? '';

test('OPS-9 a drill brings an archive back in a throw-away store, is noted, and leaves nothing of it anywhere', async () => {
  const made = await backup({ BACKUP_RECIPIENT: recipient });
  expect(made.status, made.output).toBe(0);
  const archive = madeIn(made.output);
  const changed = await inStore(lastStoreChange);

  const good = await backup({ BACKUP_IDENTITY_FILE: keyFile }, 'drill');
  expect(good.status, good.output).toBe(0);
  expect(good.output.split('\n')).toContain(`drill   ${archive} was restored in a temporary store: success`);
  // The notes after a restore are not printed.
  expect(good.output).not.toContain('with these exceptions');
  const drills = () => inStore((store) => store.rows('SELECT ok, made_at, files FROM drills ORDER BY id'));
  expect(await drills()).toEqual([{ ok: 1, made_at: expect.any(Number), files: 1 }]);
  // The record of a drill does not count as a change of the data.
  expect(await inStore(lastStoreChange)).toEqual(changed);

  const withoutKey = await backup({}, 'drill', archive);
  expect(withoutKey.status).toBe(1);
  expect(withoutKey.output).toContain('the archive cannot be unpacked: it is encrypted');
  expect(await drills()).toMatchObject([{ ok: 1 }, { ok: 0, made_at: null, files: null }]);
  expect(readdirSync(workplace).filter((name) => !name.startsWith('lock'))).toEqual([]);
});

test.each([
  [['drill', '--prune'], /^--prune needs a new archive, and drill does not make one/],
  [['list', '--unencrypted'], /^--unencrypted needs a new archive, and list does not make one/],
  [['list', 'somewhere'], /^unexpected argument somewhere/],
  [['new-key', 'x', '--prune'], /^--prune needs a new archive, and new-key does not make one/],
  [['new-key'], /^new-key takes one argument, the file for the key/],
  [['make'], /^there is no command make: list, drill or new-key/],
  [['drill', 'a'], /^--to is a folder of archives: give either the folder or one archive/],
])(
  'OPS-13 what does not go together is refused by name, and no option is passed over: %j',
  async (args, told) => {
    const { status, output } = await backup({}, ...args);
    expect(status).toBe(64);
    expect(output).toMatch(told);
    expect(output).toContain('usage: npm run backup');
  },
);

test('OPS-9 --prune lets old archives go after a good backup, and list says which without one', async () => {
  const old = Array.from({ length: 40 }, (_, index) => {
    const at = new Date(Date.UTC(2026, 0, 1 + index, 3)).toISOString().slice(0, 19).replaceAll(':', '');
    return `local-${at}Z.sqlite.gz`;
  });
  const others = ['notes.txt', 'other-2020-01-01T000000Z.sqlite.gz'];
  for (const name of [...old, ...others]) writeFileSync(join(archives, name), GZIP);
  const before = readdirSync(archives);
  const listing = await backup({}, 'list');
  expect(listing.status, listing.output).toBe(0);
  expect(readdirSync(archives)).toEqual(before);
  const goes = listing.output.match(/(?<=^delete +)\S+$/gm) ?? [];
  expect(goes).toContain(old[1]);

  const pruned = await backup({ BACKUP_RECIPIENT: recipient }, '--prune');
  expect(pruned.status, pruned.output).toBe(0);
  expect(existsSync(madeIn(pruned.output))).toBe(true);
  const after = readdirSync(archives);
  expect(after).toEqual(expect.arrayContaining(others));
  expect(goes.filter((name) => after.includes(name))).toEqual([]);
  // If no archive can be made, none is deleted.
  const failed = await backup({ BACKUP_RECIPIENT: 'age1nobody' }, '--prune');
  expect(failed.status).toBe(1);
  expect(readdirSync(archives)).toEqual(after);
});

test('OPS-9 a drill beside a backup is refused, and nobody is told that an archive does not come back', async () => {
  const drills = () => inStore((store) => store.rows('SELECT count(*) AS n FROM drills'));
  const before = await drills();
  const refused = await withWorkFolder(workplace, async () =>
    backup({ BACKUP_IDENTITY_FILE: keyFile }, 'drill'),
  );
  expect(refused.status).toBe(1);
  expect(refused.output).toContain('another backup or restore is running in');
  expect(await drills()).toEqual(before);
});

test('OPS-9 a drill takes the newest archive of the past, and nothing that is none', async () => {
  const odd = ['local-2999-01-01T000000Z.sqlite.gz', 'local-2026-11-01T000000Z.sqlite.gz.age'];
  for (const name of odd) writeFileSync(join(archives, name), name.startsWith('local-2999') ? GZIP : '');
  const made = madeIn((await backup({ BACKUP_RECIPIENT: recipient })).output);
  const good = await backup({ BACKUP_IDENTITY_FILE: keyFile }, 'drill');
  expect(good.status, good.output).toBe(0);
  expect(good.output).toContain(`${made} was restored`);
});
