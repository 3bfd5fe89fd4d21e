import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { boardCommand } from '../../firmware-bridge/src/commands/board-command.ts';
import { deadLetterCommand } from '../../firmware-bridge/src/commands/dead-letters-command.ts';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { doctorCommand } from '../../local/doctor.ts';
import { readOrCreateKey } from '../../local/stored-keys.ts';
import { preflight } from '../../local/preflight.ts';
import { readSettings } from '../../local/settings.ts';
import { ownKeyFingerprint } from '../../scripts/backup/author.ts';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { createBackup } from '../../scripts/backup/make-archive.ts';
import { restoreCommand } from '../../scripts/backup/restore.ts';
import { releaseDataDir } from '../../scripts/database/data-dir.ts';
import { miniflareCachesIn, localD1File, localObjectNamesFile } from '../../scripts/database/local-d1.ts';
import { markRestoreBegun } from '../../scripts/database/unfinished-restore.ts';
import { collectAnswers, answersFile } from '../../scripts/deploy/answers.ts';
import { grantCommand } from '../../scripts/operator/grant.ts';
import { withCommandEnvironment, commandEnvironment } from '../../scripts/command-environment.ts';
import { change, selected } from '../support/both-databases.ts';
import { backupHere } from '../support/backup-here.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { freePorts } from '../support/ports.ts';
import { runCommand, type Run } from '../support/run-command.ts';
import { type } from '../support/shell.ts';
import { canMount, leaveFree, mount, unmount } from '../support/small-disk.ts';
import { keepLogsOnFailure, startStack } from '../support/stack.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-steps-'));
let archive = '';
let ports = {};
afterAll(() => rmSync(place, { recursive: true }));

/** A data folder as after a start: two databases, files, a spool and keys. */
async function filled(dataDir: string, admin = 'of-before@lab.test'): Promise<void> {
  await makeDataFolder(dataDir);
  const store = await openLocalStore(dataDir, { claim: true });
  await store.writeObject({ key: 'pictures/1', type: 'image/png', content: new Uint8Array(100) });
  await store.close();
  change(dataDir, `INSERT INTO first_admins (email) VALUES ('${admin}')`);
  openSpool(join(dataDir, 'spool.sqlite')).close();
  for (const name of ['cookie-secret', 'bridge-key', 'identity-key.json'] as const)
    await readOrCreateKey(dataDir, name);
  // The same key as for the archives, so that they are this installation's own.
  const key = join(place, 'source/archive-key.pem');
  if (existsSync(key)) copyFileSync(key, join(dataDir, 'archive-key.pem'));
}

beforeAll(async () => {
  const [PORT, INGEST_PORT, MQTT_PORT, BRIDGE_PORT] = (await freePorts(4)).map(String);
  ports = { PORT, INGEST_PORT, MQTT_PORT, BRIDGE_PORT };
  await filled(join(place, 'source'), 'of-the-archive@lab.test');
  const store = await openLocalStore(join(place, 'source'));
  archive = await createBackup(store, join(place, 'archives'), {
    say: () => undefined,
    begin: () => undefined,
  });
  await store.close();
});

function overwrite(file: string, at = 0, bytes = 300): void {
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.alloc(bytes, 7), 0, bytes, at);
  closeSync(opened);
}

/** The message that prevents a start; empty if there is none. */
async function obstacle(dataDir: string, archives = join(place, 'none')): Promise<string> {
  const said = await preflight(readSettings({ ...ports, DATA_DIR: dataDir }), archives).then(
    () => '',
    (error: unknown) => String(error),
  );
  releaseDataDir(dataDir);
  return said;
}

/** The commands of a first step, as they were printed. */
function stepsIn(said: string): string[] {
  const [, line] = /First step: ([^\n]*)/.exec(said) ?? [];
  if (line === undefined) throw new Error(`no first step in: ${said}`);
  return line.split(
    /, then |, or without |; without a copy, | empty data: |, or set |, which asks| makes a new one/,
  );
}

let followed = 0;

/** Runs a printed command, with the operator's archive instead of `<archive>`. */
const typeWith = (command: string) => type(command.replace('<archive>', archive));

/** Runs `npm run restore` in this process. The shell only splits the command into words. */
async function restoreHere(command: string): Promise<Run> {
  const words = `npm() { printf '%s\\0' "$DATA_DIR" "$@"; }\n${command.replace('<archive>', archive)}`;
  const [DATA_DIR = '', ...given] = (await type(words)).split('\0').slice(0, -1);
  expect(given.slice(0, 3)).toEqual(['run', 'restore', '--']);
  return await runCommand(restoreCommand, given.slice(3), { DATA_DIR });
}

async function typeHere(command: string): Promise<void> {
  if (!command.includes('npm run restore')) return void (await typeWith(command));
  const { status, output } = await restoreHere(command);
  expect(status, output).toBe(0);
}

/** Runs commands of a first step by their numbers; by default the first. The caller runs `npm start`. */
async function follow(said: string, ...which: number[]): Promise<void> {
  const steps = stepsIn(said);
  for (const at of which.length === 0 ? [0] : which) await typeHere(steps[at] ?? '');
  followed += 1;
}

const adminsOf = (dataDir: string) =>
  selected(dataDir, 'SELECT email FROM first_admins').map(({ email }) => email);

describe('a start whose data folder is damaged', () => {
  const fileOf = {
    DB: (dataDir: string) => localD1File(dataDir, 'DB'),
    PLANTS_DB: (dataDir: string) => localD1File(dataDir, 'PLANTS_DB'),
    FILES: localObjectNamesFile,
  };

  test.each(Object.entries(fileOf))(
    'OPS-14 %s: the printed command brings the newest archive back, and what was moved away stops no start',
    async (name, file) => {
      const dataDir = mkdtempSync(join(place, "it's "));
      await filled(dataDir);
      overwrite(file(dataDir));
      const said = await obstacle(dataDir, join(place, 'archives'));
      expect(said).toContain(`${name}, ${file(dataDir)}: file is not a database`);
      expect(said).toContain(archive);
      await follow(said);
      expect(await obstacle(dataDir)).toBe('');
      expect(adminsOf(dataDir)).toEqual(['of-the-archive@lab.test']);
      // The damaged files are kept, and may be open in another program.
      expect(globSync(join(dataDir.replaceAll("'", '?'), 'v3-damaged-*/**/*.sqlite')).length).toBeGreaterThan(
        0,
      );
    },
  );

  test.each([
    ['is empty', 'DB', (file: string) => writeFileSync(file, '')],
    ['is empty', 'FILES', (file: string) => writeFileSync(file, '')],
    ['is missing', 'PLANTS_DB', (file: string) => rmSync(file)],
  ] as const)(
    'OPS-14 a database that %s (%s) is not made anew in silence, nor backed up, and is brought back as any other',
    async (what, name, lose) => {
      const dataDir = mkdtempSync(join(place, 'lost '));
      await filled(dataDir);
      const file = fileOf[name](dataDir);
      for (const beside of [`${file}-wal`, `${file}-shm`]) rmSync(beside, { force: true });
      lose(file);
      const said = await obstacle(dataDir, join(place, 'archives'));
      expect(said).toContain(`${name}, ${file}: it ${what}`);
      const backup = await runCommand(backupHere, ['--to', join(dataDir, 'archives')], { DATA_DIR: dataDir });
      expect(backup.output).toContain(`it ${what}`);
      const grant = await runCommand(grantCommand, ['a@b.test', '5'], { DATA_DIR: dataDir });
      expect(grant.output).toContain(`it ${what}. First step: `);
      await follow(said);
      expect(await obstacle(dataDir)).toBe('');
      expect(adminsOf(dataDir)).toEqual(['of-the-archive@lab.test']);
    },
  );

  test('OPS-14 an archive of another installation, or a damaged one, is refused before anything is moved, and the printed steps lead to ready', async () => {
    const dataDir = mkdtempSync(join(place, 'foreign '));
    await filled(dataDir);
    rmSync(join(dataDir, 'archive-key.pem'));
    overwrite(localD1File(dataDir, 'DB'));
    const [restore = ''] = stepsIn(await obstacle(dataDir, join(place, 'archives')));
    const damaged = join(place, 'damaged.sqlite.gz');
    writeFileSync(damaged, readFileSync(archive).subarray(0, 3000));
    const ofDamaged = await restoreHere(restore.replace(archive, damaged));
    const ofOther = await restoreHere(restore);
    expect(ofDamaged.output).toContain('the archive cannot be unpacked');
    expect(ofOther.output).toContain('whoever made the archive decides who is an admin');
    expect(globSync(['v3-damaged-*', 'restore-*'], { cwd: dataDir })).toEqual([]);
    await follow(ofOther.output, 1);
    expect(await obstacle(dataDir)).toBe('');
    expect(adminsOf(dataDir)).toEqual(['of-the-archive@lab.test']);
  });

  test('OPS-14 a restore of another installation that was ended in the middle is gone on with as it was typed', async () => {
    const dataDir = mkdtempSync(join(place, 'foreign-'));
    await filled(dataDir);
    rmSync(join(dataDir, 'archive-key.pem'));
    const words = ` --author ${ownKeyFingerprint(join(place, 'source'))} --revive-keys`;
    markRestoreBegun(dataDir, 'local', archive, words);
    const said = await obstacle(dataDir);
    expect(said).toContain(`'${archive}' --overwrite local${words}, or set DATA_DIR`);
    await follow(said);
    expect(await obstacle(dataDir)).toBe('');
  });

  test('OPS-14 the key of archives that is empty is named by a backup and moved away as it says', async () => {
    const dataDir = mkdtempSync(join(place, 'archive key '));
    await filled(dataDir);
    writeFileSync(join(dataDir, 'archive-key.pem'), '');
    const backup = () => runCommand(backupHere, ['--to', join(dataDir, 'archives')], { DATA_DIR: dataDir });
    await follow((await backup()).output, 1);
    expect((await backup()).status).toBe(0);
  });

  test('OPS-14 without an archive it says so, and how to begin afresh', async () => {
    const dataDir = mkdtempSync(join(place, 'afresh-'));
    await filled(dataDir);
    overwrite(fileOf.DB(dataDir), 4096);
    const said = await obstacle(dataDir);
    expect(said).toContain('or without an archive start with empty data: ');
    const begin = stepsIn(said).findIndex((step) => step.startsWith('mv '));
    await follow(said, begin);
    expect(await obstacle(dataDir)).toBe('');
    expect(existsSync(join(dataDir, 'v3'))).toBe(false);
  });

  test('OPS-14 a spool, which no archive holds, is moved away and not restored', async () => {
    const dataDir = mkdtempSync(join(place, 'spool '));
    await filled(dataDir);
    overwrite(join(dataDir, 'spool.sqlite'));
    const said = await obstacle(dataDir, join(place, 'archives'));
    expect(said).not.toContain('restore');
    expect(stepsIn(said)[0]).toBe('stop the bridge (or the npm start that runs it)');
    await follow(said, 1);
    expect(await obstacle(dataDir)).toBe('');
    openSpool(join(dataDir, 'spool.sqlite')).close();
    expect(adminsOf(dataDir)).toEqual(['of-before@lab.test']);
    expect(globSync('damaged-*/spool.sqlite', { cwd: dataDir })).toHaveLength(1);
  });

  test('OPS-14 a cache is made anew, and nobody has to do anything', async () => {
    const dataDir = mkdtempSync(join(place, 'cache-'));
    await filled(dataDir);
    const caches = [
      'v3/cache/miniflare-CacheObject/a.sqlite',
      'v3/d1/miniflare-D1DatabaseObject/metadata.sqlite',
    ];
    for (const cache of caches) {
      mkdirSync(join(dataDir, cache, '..'), { recursive: true });
      writeFileSync(join(dataDir, cache), 'no database, and long enough to be looked at as one');
    }
    expect(miniflareCachesIn(dataDir)).toHaveLength(2);
    const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    onTestFinished(() => said.mockRestore());
    expect(await obstacle(dataDir)).toBe('');
    expect(said.mock.calls.join('\n').match(/was damaged and will be made again/g)).toHaveLength(2);
    expect(miniflareCachesIn(dataDir)).toEqual([]);
  });

  test.each(['cookie-secret', 'bridge-key', 'identity-key.json'])(
    'OPS-14 %s that is empty is taken away, and another one is made',
    async (name) => {
      const dataDir = mkdtempSync(join(place, 'key '));
      await filled(dataDir);
      writeFileSync(join(dataDir, name), '');
      await follow(await obstacle(dataDir));
      expect(await obstacle(dataDir)).toBe('');
    },
  );

  test.each(['names its archive', 'is empty'])(
    'OPS-14 a restore that was ended in the middle, whose mark %s, is run again as it says',
    async (mark) => {
      const dataDir = mkdtempSync(join(place, 'restore '));
      await filled(dataDir);
      markRestoreBegun(dataDir, 'local', archive);
      if (mark === 'is empty') writeFileSync(join(dataDir, 'restore-local-unfinished'), '');
      await follow(await obstacle(dataDir));
      expect(await obstacle(dataDir)).toBe('');
      // Addresses of first admins stay used.
      expect(adminsOf(dataDir)).toContain('of-the-archive@lab.test');
    },
  );

  test.skipIf(!canMount)(
    'OPS-14 a full and a read-only disk are named by a folder that is there',
    async () => {
      const disk = mkdtempSync(join(place, 'disk '));
      const size = 256 * 1024;
      expect(mount(disk, size)).toBe(true);
      onTestFinished(() => unmount(disk));
      const dataDir = join(disk, 'data');
      mkdirSync(dataDir);
      leaveFree(disk, size, 0);
      const full = await obstacle(dataDir);
      expect(full).toContain('its disk is full');
      const [, df = ''] = /make room on it: (df -h .*)/.exec(full) ?? [];
      await type(df);
      rmSync(join(disk, 'of-others'));
      expect(await obstacle(dataDir)).toBe('');
      spawnSync('mount', ['-o', 'remount,ro', disk]);
      const closed = await obstacle(dataDir);
      expect(closed).toContain('its disk is read-only');
      const [, findmnt = ''] = /dmesg, (findmnt .*)/.exec(closed) ?? [];
      await type(findmnt);
      spawnSync('mount', ['-o', 'remount,rw', disk]);
      expect(await obstacle(dataDir)).toBe('');
      followed += 2;
    },
  );
});

describe('data of a later version', () => {
  const later = async () => {
    const dataDir = mkdtempSync(join(place, 'later-'));
    await filled(dataDir);
    writeFileSync(join(dataDir, 'version'), '99.1.0\n');
    return dataDir;
  };
  const told = 'was last written by version 99.1.0, and this is ';

  test('OPS-6 is refused by a start, a backup and a change, and an archive of this version may take its place', async () => {
    const dataDir = await later();
    const said = await obstacle(dataDir);
    expect(said).toContain(told);
    const refused = await Promise.all([
      runCommand(backupHere, ['--to', join(dataDir, 'archives')], { DATA_DIR: dataDir }),
      runCommand(grantCommand, ['a@b.test', '5'], { DATA_DIR: dataDir }),
    ]);
    for (const { status, output } of refused) {
      expect(status).toBe(1);
      expect(output).toContain(told);
    }
    const [, back = ''] = /an archive that this version made: (.*)/.exec(said) ?? [];
    await typeHere(back);
    followed += 1;
    expect(await obstacle(dataDir)).toBe('');
    expect(readFileSync(join(dataDir, 'version'), 'utf8')).not.toContain('99');
  });

  test('OPS-6 the printed command takes a clone to the version that wrote it', async () => {
    const [checkout = ''] = stepsIn(await obstacle(await later()));
    const [command = ''] = checkout.split('. To stay');
    const clone = mkdtempSync(join(place, 'clone-'));
    writeFileSync(join(clone, 'package.json'), '{ "name": "a", "version": "99.1.0" }');
    const lock = {
      name: 'a',
      version: '99.1.0',
      lockfileVersion: 3,
      packages: { '': { name: 'a', version: '99.1.0' } },
    };
    writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(lock));
    const git = 'git -c user.name=a -c user.email=a@b.test -c commit.gpgsign=false';
    await type(
      `cd ${clone} && git init -q && git add . && ${git} commit -qm a && git tag v99.1.0 && (${command})`,
    );
    expect(command).toBe('git checkout v99.1.0 && npm ci');
    followed += 1;
  });

  test('OPS-6 an archive that a later version made is refused with its version', async () => {
    const dataDir = await later();
    const made = join(place, 'of-later');
    rmSync(join(dataDir, 'version'));
    const store = await openLocalStore(dataDir);
    const file = await createBackup(store, made, { say: () => undefined, begin: () => undefined });
    await store.close();
    const { gunzipSync, gzipSync } = await import('node:zlib');
    const { DatabaseSync } = await import('node:sqlite');
    writeFileSync(`${file}.db`, gunzipSync(readFileSync(file)));
    const db = new DatabaseSync(`${file}.db`);
    db.exec(`UPDATE backup_manifest SET manifest = json_set(manifest, '$.version', '99.1.0')`);
    db.close();
    writeFileSync(file, gzipSync(readFileSync(`${file}.db`)));
    const { status, output } = await runCommand(restoreCommand, [file], { DATA_DIR: join(place, 'new') });
    expect(status).toBe(1);
    expect(output).toContain('the archive was made by version 99.1.0, and this is ');
    expect(output).toContain('First step: git checkout v99.1.0 && npm ci');
  });
});

describe('commands', () => {
  test('OPS-14 a backup of a damaged store says how it is brought back', async () => {
    const dataDir = mkdtempSync(join(place, 'backup '));
    await filled(dataDir);
    overwrite(localD1File(dataDir, 'DB'));
    const backup = () => runCommand(backupHere, ['--to', join(dataDir, 'archives')], { DATA_DIR: dataDir });
    await follow((await backup()).output);
    expect((await backup()).status).toBe(0);
  });

  test('OPS-14 of a damaged spool the list of dead letters says how it is moved away', async () => {
    const dataDir = mkdtempSync(join(place, 'letters '));
    const SPOOL_FILE = join(dataDir, 'spool.sqlite');
    openSpool(SPOOL_FILE).close();
    overwrite(SPOOL_FILE, 512, 4000);
    const list = async () => {
      const lines: string[] = [];
      const print = async (line: string) => void lines.push(line);
      const status = await deadLetterCommand(['list'], { SPOOL_FILE }, print, print);
      return { status, output: lines.join('\n') };
    };
    const { output } = await list();
    expect(output).not.toContain('restore');
    await follow(output, 1);
    // The bridge creates a new spool.
    openSpool(SPOOL_FILE).close();
    expect((await list()).status).toBe(0);
  });

  test.each(['a line is cut off', 'nothing is left'])(
    'OPS-14 of a file of dead letters in which %s what is whole is put back, and what is not is kept aside',
    async (what) => {
      const dataDir = mkdtempSync(join(place, 'files '));
      await filled(dataDir);
      const received_at = '2026-01-01T00:00:00.000Z';
      const topic = 'lab/plants/fern/soil_moisture';
      const letter = { id: 1, received_at, topic, reason: 'r', messages: 1, readings: 1, payload: '512' };
      const whole = what === 'a line is cut off' ? `${JSON.stringify(letter)}\n` : '';
      const file = join(dataDir, 'dead-letters-2026-01-01-001.jsonl');
      writeFileSync(file, `${whole}{"id":2,"rec\u0000`);
      const looked = async () =>
        /^(ok |RED) {2}dead letters .*$/m.exec(
          (await runCommand(doctorCommand, [], { DATA_DIR: dataDir })).output,
        )?.[0];
      const said = await looked();
      expect(said).toContain(`of ${file} is damaged. First step: `);
      await follow(said ?? '', 0, 1);
      expect(await looked()).toMatch(/^ok /);
      expect(globSync('damaged-*.jsonl', { cwd: dataDir })).toHaveLength(1);
      const spool = openSpool(join(dataDir, 'spool.sqlite'));
      expect(spool.status().depth).toBe(whole === '' ? 0 : 1);
      spool.close();
    },
  );

  test('OPS-14 the answers of a deployment that are cut off are named, and asked for again', async () => {
    const name = 'first-steps';
    onTestFinished(() => rmSync(answersFile(name), { force: true }));
    writeFileSync(answersFile(name), '{ "ADMIN_EMAILS": "a@');
    const env = {
      GOOGLE_CLIENT_ID: 'a',
      ADMIN_EMAILS: 'b@lab.example',
      UNIVERSITY_EMAIL_DOMAINS: '-',
      SITE_DOMAIN: '-',
    };
    const find = () =>
      withCommandEnvironment({ ...commandEnvironment(), env }, () =>
        collectAnswers(name, { hasClientSecret: true }, false),
      );
    const said = await find().then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(said).toContain(`${answersFile(name)} is damaged`);
    await follow(said);
    expect(await find()).toMatchObject(env);
  });

  test('OPS-14 rights at the broker that are not there are copied from where this machine has them', async () => {
    const folder = mkdtempSync(join(place, 'broker '));
    const env = {
      MOSQUITTO_PASSWORD_FILE: join(folder, 'passwords'),
      MOSQUITTO_ACL_FILE: join(folder, 'acl'),
      MOSQUITTO_PID_FILE: '/nowhere',
    };
    const add = () => boardCommand(['bridge', 'greenhouse'], env);
    await follow(add().text);
    expect(add().exitCode).toBe(0);
    const [, program = ''] = process.argv;
    process.argv[1] = '/usr/lib/cps-bridge/bridge.mjs';
    onTestFinished(() => void (process.argv[1] = program));
    rmSync(env.MOSQUITTO_ACL_FILE);
    const [step = ''] = stepsIn(add().text);
    expect(step).toMatch(/^sudo cp \/usr\/share\/cps-bridge\/acl /);
    // Uses the file in the repository instead of the installed file.
    await type(
      step.replace('sudo ', '').replace('/usr/share/cps-bridge/acl', 'firmware-bridge/mosquitto/acl'),
    );
    expect(add().exitCode).toBe(0);
    followed += 1;
  });
});

test('OPS-14 everything damaged at once, step after step, until it is ready and the next reading is stored', async () => {
  const dataDir = mkdtempSync(join(place, 'all '));
  await filled(dataDir);
  for (const file of [
    localD1File(dataDir, 'DB'),
    localObjectNamesFile(dataDir),
    join(dataDir, 'spool.sqlite'),
  ])
    overwrite(file);
  for (const name of ['cookie-secret', 'bridge-key', 'identity-key.json'])
    writeFileSync(join(dataDir, name), '');
  markRestoreBegun(dataDir, 'local', archive);
  const before = followed;
  for (let said = await obstacle(dataDir); said !== ''; said = await obstacle(dataDir)) {
    // In separate processes, as an operator does.
    await typeWith(stepsIn(said)[said.includes('spool.sqlite') ? 1 : 0] ?? '');
    followed += 1;
    expect(followed - before).toBeLessThan(10);
  }
  const stack = await startStack({ DATA_DIR: dataDir, DEMO_DATA: 'off' });
  onTestFinished(stack.stop);
  keepLogsOnFailure(stack);
  const readings = () =>
    Number(selected(dataDir, 'SELECT count(*) AS n FROM plant_readings', 'PLANTS_DB')[0]?.['n']);
  await expect.poll(readings).toBeGreaterThan(0);
  expect(followed - before).toBe(5);
});

test('OPS-14 so many first steps were followed', () => {
  expect(followed).toBeGreaterThanOrEqual(29);
});
