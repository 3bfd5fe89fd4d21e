import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { boardCommand } from '../../firmware-bridge/src/commands/board-command.ts';
import { appendLines, createFile, makeFolder, replaceFile } from '../../firmware-bridge/src/files.ts';
import { freshFolder } from './support/processes.ts';
import { placeCertificate } from './support/shipped-mosquitto.ts';

/** The owner of the folders into which root writes here. No user of this machine has this id. */
const MALLORY = 64_123;

/** A folder of Mallory's, and a folder of root's. */
function folders() {
  const top = freshFolder();
  chmodSync(top, 0o755);
  // In a run of all tests, only root can reach the folder for temporary files.
  chmodSync(dirname(top), statSync(dirname(top)).mode | 0o011);
  const [theirs, roots] = [join(top, 'theirs'), join(top, 'roots')];
  for (const folder of [theirs, roots]) mkdirSync(folder);
  chownSync(theirs, MALLORY, MALLORY);
  writeFileSync(join(roots, 'secret'), 'root alone\n', { mode: 0o600 });
  return { theirs, roots };
}

/** The variables of the command, with files of root's. */
function variables() {
  const folder = freshFolder();
  placeCertificate(folder);
  return {
    MOSQUITTO_PASSWORD_FILE: join(folder, 'passwords'),
    MOSQUITTO_PID_FILE: '/nowhere',
    MQTT_URL: 'mqtts://broker.hanbit.example',
    MQTT_CA_FILE: join(folder, 'server.crt'),
  };
}

/** A link of Mallory's. */
function link(from: string, to: string): string {
  symlinkSync(to, from);
  return from;
}

describe.skipIf(process.getuid?.() !== 0)('where root writes into a folder of somebody else', () => {
  test.each(['settings.py', 'settings.py.new', '.cps-lock'])(
    'SEC-96 a link that was laid under the name %s leads root nowhere',
    (name) => {
      const { theirs, roots } = folders();
      link(join(theirs, name), join(roots, 'secret'));
      const env = variables();
      boardCommand(['add', 'fern', '--for', 'micropython', '--to', theirs], env);
      expect(readFileSync(join(roots, 'secret'), 'utf8')).toBe('root alone\n');
      expect(statSync(join(roots, 'secret')).uid).toBe(0);
      expect(readdirSync(roots)).toEqual(['secret']);
    },
  );

  test('SEC-96 a link on the way leads root nowhere, and its name is said', () => {
    const { theirs, roots } = folders();
    link(join(theirs, 'board'), roots);
    const env = variables();
    const told = boardCommand(['add', 'fern', '--for', 'arduino', '--to', theirs], env);
    expect(told).toMatchObject({ exitCode: 73, text: expect.stringContaining(join(theirs, 'board')) });
    expect(readdirSync(roots)).toEqual(['secret']);
    for (const write of [replaceFile, createFile, appendLines])
      expect(() => write(join(theirs, 'board/file'), 'x\n')).toThrow('board');
    expect(() => makeFolder(join(theirs, 'board/folder'))).toThrow('board');
    expect(readdirSync(roots)).toEqual(['secret']);
  });

  test('SEC-96 what root writes there is theirs, and root is root again afterwards', () => {
    const { theirs } = folders();
    const env = variables();
    const told = boardCommand(['add', 'fern', '--for', 'arduino', '--to', join(theirs, 'new')], env);
    expect(told).toMatchObject({ exitCode: 0 });
    for (const path of ['new', 'new/board', 'new/board/settings.h'])
      expect(statSync(join(theirs, path)).uid).toBe(MALLORY);
    expect([process.geteuid?.(), process.getegid?.()]).toEqual([0, 0]);
    const passwords = env.MOSQUITTO_PASSWORD_FILE;
    expect(statSync(passwords).uid).toBe(0);
    expect(readFileSync(passwords, 'utf8')).toContain('fern:');
  });

  test('SEC-96 a file that only root may read is not read for them', () => {
    const { theirs, roots } = folders();
    link(join(theirs, 'settings.py'), join(roots, 'secret'));
    const env = variables();
    const { exitCode, text } = boardCommand(['add', 'fern', '--for', 'micropython', '--to', theirs], env);
    expect(exitCode).toBe(73);
    expect(text).not.toContain('root alone');
    expect(lstatSync(join(theirs, 'settings.py')).isSymbolicLink()).toBe(true);
  });
});

test.skipIf(!existsSync('/usr/bin/systemd-analyze'))(
  'SEC-96 no unit of the package exposes more than 3.0',
  () => {
    const units = globSync('firmware-bridge/{,debian/}*.service');
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', ...units], {
      encoding: 'utf8',
    });
    const exposed = [...stdout.matchAll(/Overall exposure level for \S+: ([\d.]+)/g)].map(([, level]) =>
      Number(level),
    );
    expect(exposed.length).toBe(units.length);
    expect(units.length).toBeGreaterThan(2);
    for (const level of exposed) expect(level).toBeLessThanOrEqual(3);
  },
);
