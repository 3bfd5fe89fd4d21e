import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bridgeCommand } from '../../firmware-bridge/src/commands/commands.ts';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { createSelfSignedCertificate } from '../../local/certificate.ts';
import { buildPackage, packageCommand } from '../../scripts/build/package.ts';
import { restoreCommand } from '../../scripts/backup/restore.ts';
import { bridgeKey } from '../../scripts/operator/bridge-key.ts';
import { deadLettersCommand } from '../../scripts/operator/dead-letters.ts';
import { personCommand } from '../../scripts/operator/person.ts';
import { defineCommand, print, type Command } from '../../scripts/terminal.ts';
import { commandEnvironment } from '../../scripts/command-environment.ts';
import { backupHere } from '../support/backup-here.ts';
import { change } from '../support/both-databases.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { runCommand } from '../support/run-command.ts';
import { type } from '../support/shell.ts';
import { canMount, mount, unmount } from '../support/small-disk.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-read-only-'));
const disk = join(place, 'a disk');
const dataDir = join(disk, 'data');
const elsewhere = join(place, 'data');
const letters = 'dead-letters-2026-03-02-001.jsonl';
const archive = join(place, 'an archive.gz');

beforeAll(async () => {
  await makeDataFolder(elsewhere);
  change(
    elsewhere,
    "INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES (7, 'a', 'a@b.test', 'b', 1, 1)",
  );
  openSpool(join(elsewhere, 'spool.sqlite')).close();
  writeFileSync(join(elsewhere, letters), '{}\n');
  writeFileSync(join(elsewhere, 'ca.crt'), createSelfSignedCertificate(['a.example']).certificate);
  const made = await runCommand(backupHere, ['--to', join(elsewhere, 'archives')], { DATA_DIR: elsewhere });
  cpSync(/\S+\.gz/.exec(made.output)?.[0] ?? '', archive);
  mkdirSync(disk);
  if (!canMount) return;
  mount(disk, 64 * 1024 * 1024);
  cpSync(elsewhere, dataDir, { recursive: true });
  writeFileSync(join(disk, 'passwords'), 'fern:$7$101$a$b\n');
  mkdirSync(join(disk, 'dist'));
  spawnSync('mount', ['-o', 'remount,ro', disk]);
});
afterAll(() => {
  unmount(disk);
  rmSync(place, { recursive: true });
});

/** Mosquitto's files on the read-only disk. */
const closed = { MOSQUITTO_PASSWORD_FILE: join(disk, 'passwords'), MOSQUITTO_ACL_FILE: join(disk, 'acl') };
/** The board command as on the Pi. */
const onPi: Command = async (args, its) => {
  const { env, error } = its ?? commandEnvironment();
  const status = await bridgeCommand(
    args,
    { MOSQUITTO_PID_FILE: '/nowhere', ...env },
    async (text) => print(text),
    error,
  );
  return Number(status);
};
/** `npm run package` in a clone on the read-only disk. */
const packageThere: Command = async (args, its) => {
  const here = process.cwd();
  process.chdir(disk);
  try {
    return await packageCommand(args, its);
  } finally {
    process.chdir(here);
  }
};
const NO_HELP = { command: '', does: '', ways: [], options: {}, example: '', page: '' };
const packaged = defineCommand(NO_HELP, async () =>
  buildPackage('armhf', { folder: join(disk, 'package'), compression: ['-Znone'] }),
);
const RECIPIENT = { BACKUP_RECIPIENT: 'age1pvzv04c3xtxcesr262c606uft7wjen2mu97s7nvdf50920ex05tsk3laqt' };
const OPEN = { DATA_DIR: elsewhere };
const BROKER = { MQTT_URL: 'mqtts://a.example', MQTT_CA_FILE: join(elsewhere, 'ca.crt') };

test.skipIf(!canMount).each<[what: string, command: Command, args: string[], env?: Record<string, string>]>([
  ['the backup of a data folder', backupHere, ['--to', join(place, 'archives')], RECIPIENT],
  ['the folder of archives', backupHere, ['--to', join(disk, 'archives')], { ...OPEN, ...RECIPIENT }],
  ['the key of archives', backupHere, ['new-key', join(disk, 'archive.key')]],
  ['the clone that makes a package', packageThere, ['armhf']],
  ['the folder of packages', packaged, []],
  ['a drill', backupHere, ['drill', archive]],
  ['a restore', restoreCommand, [archive, '--overwrite', 'local']],
  ['a restore into a new folder', restoreCommand, [archive], { DATA_DIR: join(disk, 'new') }],
  ['a key of a bridge', bridgeKey, ['key', 'add', 'greenhouse']],
  ['a level', personCommand, ['grant', 'a@b.test', '5']],
  ["a person's file", personCommand, ['export', 'a@b.test', '--reason', '본인 요청', '--to', disk], OPEN],
  ['the list of dead letters', deadLettersCommand, ['list']],
  ['a replay', deadLettersCommand, ['replay', '--all']],
  ['a file that is replayed', deadLettersCommand, ['replay', join(dataDir, letters)], OPEN],
  ["a board's password", onPi, ['board', 'add', 'moss'], closed],
  [
    "a board's files",
    onPi,
    ['board', 'add', 'moss', '--for', 'micropython', '--to', join(disk, 'moss')],
    BROKER,
  ],
  ['a board that is revoked', onPi, ['board', 'revoke', 'fern'], closed],
  ["a bridge's rights", onPi, ['board', 'bridge', 'greenhouse'], closed],
])(
  'OPS-13 on a read-only disk %s says which folder, and its first step finds the disk',
  async (_, command, args, env) => {
    const out: string[] = [];
    const { status, output } = await runCommand(
      command,
      args,
      { DATA_DIR: dataDir, MOSQUITTO_PASSWORD_FILE: join(place, 'passwords'), ...env },
      { out: (text) => void out.push(text) },
    );
    expect(status).not.toBe(0);
    const lines = output.split('\n');
    for (const line of lines)
      expect(line).toMatch(
        /a disk\/.*: its disk is read-only\. First step: see why: dmesg, findmnt --target '[^']*a disk/,
      );
    const [, findmnt = ''] = /, (findmnt --target '[^']*')$/.exec(lines.at(-1) ?? '') ?? [];
    expect(await type(findmnt)).toContain(disk);
    // Errors must not be in stdout, which may go into a file.
    expect(out).not.toContain(lines.at(-1));
    expect(existsSync(join(place, 'passwords'))).toBe(false);
  },
);
