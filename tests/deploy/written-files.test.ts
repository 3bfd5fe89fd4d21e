import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { writeBoardFiles } from '../../firmware-bridge/src/commands/board-files.ts';
import {
  setMosquittoPassword,
  setUserAclTopics,
  mosquittoUsersIn,
} from '../../firmware-bridge/src/commands/mosquitto-users.ts';
import { appendLines, changeFile, createFile, replaceFile } from '../../firmware-bridge/src/files.ts';
import { explainError } from '../../firmware-bridge/src/system-error.ts';
import { readOrCreateKey, refuseDamagedKeys } from '../../local/stored-keys.ts';
import { recordStart, readSettings } from '../../local/settings.ts';
import { compressAndVerify } from '../../scripts/backup/archive.ts';
import { backupCommand } from '../../scripts/backup/backup.ts';
import { openLocalFiles } from '../../scripts/backup/local-store.ts';
import { claimDataDir, releaseDataDir, saveDataVersion } from '../../scripts/database/data-dir.ts';
import { markDemoLoadBegun, markRestoreBegun } from '../../scripts/database/unfinished-restore.ts';
import { collectAnswers, answersFile } from '../../scripts/deploy/answers.ts';
import { readDeployConfig, writeDatabaseConfig } from '../../scripts/deploy/wrangler-configs.ts';
import { personCommand } from '../../scripts/operator/person.ts';
import { withCommandEnvironment, commandEnvironment } from '../../scripts/command-environment.ts';
import { change } from '../support/both-databases.ts';
import { fewOrMany } from '../support/counts.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { withRoomFor } from '../support/filling-disk.ts';
import { runCommand } from '../support/run-command.ts';
import { type } from '../support/shell.ts';

/** The state that a stopped writer stores. */
const STOPPED = 1;

const place = mkdtempSync(join(tmpdir(), 'cps-lab-kept-'));
afterAll(() => rmSync(place, { recursive: true }));

const freshFolder = () => mkdtempSync(join(place, 'a '));
/** Files below a folder with their content; what a lock or a killed writer leaves is one too. */
const filesIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^(run\.lock|\.cps-lock)|\.sqlite/.test(entry.name))
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]),
  );

const ACL = 'pattern write lab/plants/%u/soil_moisture\n';
const ANSWERS = { GOOGLE_CLIENT_ID: 'a', ADMIN_EMAILS: 'b@lab.example', SITE_DOMAIN: '-' };
/** Written from the root of the project, wherever the test runs. */
const NAME = 'kept-files';

type Place = {
  /** Prepares the folder before the file is written. */
  prepare?: (folder: string) => unknown;
  write: (folder: string) => unknown;
  /** The file, by its name in the folder, where that is always the same. */
  file?: string;
  /** Why nothing more stands in the folder afterwards. */
  leaves?: 'nothing' | 'elsewhere';
};

/** Every place in the product that writes a permanent file. */
const places: Record<string, Place> = {
  'a password at the broker': {
    write: (folder) => setMosquittoPassword(join(folder, 'passwords'), 'fern', 'secret'),
    prepare: (folder) => setMosquittoPassword(join(folder, 'passwords'), 'moss', 'secret'),
    file: 'passwords',
  },
  'rights at the broker': {
    prepare: (folder) => writeFileSync(join(folder, 'acl'), ACL),
    write: (folder) => setUserAclTopics(join(folder, 'acl'), 'cps-bridge-a', ['topic read lab/#']),
    file: 'acl',
  },
  "a board's program": {
    write: (folder) =>
      writeBoardFiles(
        folder,
        ['main.py', 'board/settings.h'].map((path) => ({ path, text: path, isSecret: true, state: 'new' })),
      ),
    file: 'main.py',
  },
  'settings of a bridge, who has a password': {
    prepare: (folder) => writeFileSync(join(folder, 'env'), 'A=1\n'),
    write: (folder) => changeFile(join(folder, 'env'), (before) => `${before}B=2\n`),
    file: 'env',
  },
  'dead letters': {
    prepare: (folder) => appendLines(join(folder, 'letters.jsonl'), '{"id":1}\n'),
    write: (folder) => appendLines(join(folder, 'letters.jsonl'), '{"id":2}\n{"id":3}\n'),
    file: 'letters.jsonl',
  },
  'the secret of cookies': {
    write: (folder) => readOrCreateKey(folder, 'cookie-secret'),
    file: 'cookie-secret',
  },
  'the key of the local bridge': {
    write: (folder) => readOrCreateKey(folder, 'bridge-key'),
    file: 'bridge-key',
  },
  'the key of the identity provider': {
    write: (folder) => readOrCreateKey(folder, 'identity-key.json'),
    file: 'identity-key.json',
  },
  'the version of a data folder': { write: saveDataVersion, file: 'version' },
  'how a run was started': {
    write: (folder) => recordStart(readSettings({ DATA_DIR: folder }), false),
    file: 'start.json',
  },
  'the mark of a restore': {
    write: (folder) => markRestoreBegun(folder, 'local', 'backups/x.gz'),
    file: 'restore-local-unfinished',
  },
  'the mark of the demo data': { write: markDemoLoadBegun, file: 'demo-unfinished' },
  'who has a data folder': {
    write: async (folder) => {
      await claimDataDir(folder);
      const written = readFileSync(join(folder, 'run.pid'), 'utf8');
      releaseDataDir(folder);
      expect(written).toBe(String(process.pid));
    },
    leaves: 'nothing',
  },
  "one person's data": {
    prepare: async (folder) => {
      await makeDataFolder(join(folder, 'data'));
      const user =
        "INSERT INTO users (sub, email, name, secure_level, created_at) VALUES ('1', 'a@b.test', 'a', 1, 1)";
      change(join(folder, 'data'), user);
    },
    write: async (folder) => {
      const words = ['export', 'a@b.test', '--reason', 'a test', '--to', folder];
      const { status, output } = await runCommand(personCommand, words, { DATA_DIR: join(folder, 'data') });
      if (status !== 0) throw new Error(output);
    },
  },
  'the key of archives': {
    write: async (folder) => {
      const { status, output } = await runCommand(backupCommand, ['new-key', join(folder, 'archive.key')]);
      if (status !== 0) throw new Error(output);
    },
    file: 'archive.key',
  },
  'an archive': {
    prepare: (folder) => writeFileSync(join(folder, 'from.sqlite'), randomBytes(5000)),
    write: (folder) =>
      compressAndVerify(join(folder, 'from.sqlite'), join(folder, 'a.gz'), async () => undefined),
  },
  'a stored file of the local run': {
    prepare: (folder) => openLocalFiles(join(folder, 'v3'), true).close(),
    write: async (folder) => {
      const files = openLocalFiles(join(folder, 'v3'), true);
      try {
        await files.writeObject({ key: 'pictures/1', type: 'image/png', content: Buffer.from('a picture') });
        expect((await files.readObject('pictures/1'))?.content).toEqual(
          Uint8Array.from(Buffer.from('a picture')),
        );
      } finally {
        files.close();
      }
    },
  },
  'the answers of a deployment': {
    write: () =>
      withCommandEnvironment(
        { ...commandEnvironment(), env: { ...ANSWERS, UNIVERSITY_EMAIL_DOMAINS: '-' } },
        () => collectAnswers(NAME, { hasClientSecret: true }, false),
      ),
    leaves: 'elsewhere',
  },
  'the configuration of a deployment': {
    write: () => writeDatabaseConfig(readDeployConfig(NAME), {}),
    leaves: 'elsewhere',
  },
};
afterAll(() => {
  rmSync(answersFile(NAME), { force: true });
  rmSync(join('dist/deploy', NAME), { recursive: true, force: true });
});

const CALLS = /\b(replaceFiles?|changeFile|createFile|writeFileWithoutLock|appendLines|writeLargeFile)\(/;
/** Where a place is gone through elsewhere, or by what it is called with. */
const ELSEWHERE: Record<string, string> = {
  'firmware-bridge/src/commands/setup-command.ts': 'root alone, with systemd: a change as that of the rights',
  'firmware-bridge/src/commands/board-command.ts': 'a list that is made of the passwords each time',
  'firmware-bridge/src/commands/board-request.ts': 'gone within a minute, and asked for again',
  'firmware-bridge/src/commands/replay-dead-letters.ts': 'tests/firmware-bridge/dead-letter-files.test.ts',
  'scripts/backup/author.ts':
    'a key that another start makes anew; a damaged one is named: tests/local/archive-author.test.ts',
  'scripts/build/package.ts': 'what is built, replaced whole: tests/local/read-only.test.ts',
  'scripts/operator/content.ts': 'sources that git keeps, for whoever develops',
  'local/lan.ts': 'made anew at a start that finds it damaged: tests/local/lan.test.ts',
  'firmware-bridge/src/spool/dead-letter-files.ts': 'tests/firmware-bridge/dead-letter-files.test.ts',
};

test('OPS-15 every part that writes a file to keep is gone through here', () => {
  const calling = globSync('{firmware-bridge/src,scripts,local}/**/*.ts')
    .filter((file) => file !== 'firmware-bridge/src/files.ts' && CALLS.test(readFileSync(file, 'utf8')))
    .toSorted();
  const here = readFileSync(import.meta.filename, 'utf8');
  expect(calling.filter((file) => ELSEWHERE[file] === undefined && !here.includes(file))).toEqual([]);
  expect(calling.length).toBeGreaterThan(12);
});

test.each(Object.entries(places))(
  'OPS-15 on a disk that fills %s is wholly there or as before, and nothing blocks the next try',
  async (what, { prepare, write, leaves }) => {
    let failures = 0;
    for (const room of [0, 1, 7, 30, 100, 1000]) {
      const folder = freshFolder();
      await prepare?.(folder);
      const before = filesIn(folder);
      const failure = await withRoomFor(room, () => write(folder)).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      expect(failure ?? 'ENOSPC').toMatch(/ENOSPC|its disk is full/);
      expect(failure === undefined ? before : filesIn(folder)).toEqual(before);
      if (failure !== undefined) {
        failures += 1;
        await write(folder);
      }
      const after = filesIn(folder);
      expect(isDeepStrictEqual(after, before)).toBe(leaves !== undefined);
      expect(Object.keys(after).filter((name) => /\.(new|part)$/.test(name))).toEqual([]);
      const written = [answersFile(NAME), `dist/deploy/${NAME}/database.json`].filter((file) =>
        existsSync(file),
      );
      for (const file of written) expect(JSON.parse(readFileSync(file, 'utf8'))).toBeTypeOf('object');
    }
    // A mark that holds nothing needs no room.
    expect(failures > 0).toBe(what !== 'the mark of the demo data');
  },
);

test.each(
  Object.entries(places).flatMap(([what, its]) => (its.file === undefined ? [] : [[what, its] as const])),
)(
  'OPS-15 where a symbolic link lies in the way of %s what it leads to is not touched',
  async (_, { prepare, write, file = '' }) => {
    const folder = freshFolder();
    const other = join(freshFolder(), 'other');
    writeFileSync(other, 'of somebody else');
    symlinkSync(other, join(folder, file));
    await (async () => write(folder))().catch(() => undefined);
    expect(readFileSync(other, 'utf8')).toBe('of somebody else');
    // Nor through what it writes first.
    const next = freshFolder();
    await prepare?.(next);
    symlinkSync(other, join(next, `${file}.new`));
    await write(next);
    expect(readFileSync(other, 'utf8')).toBe('of somebody else');
    expect(statSync(join(next, file)).isFile()).toBe(true);
  },
);

/** Ends a writer before its n-th step; false when it came to its end. */
async function stoppedBefore(step: number, folder: string, kind: string): Promise<boolean> {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('../support/stopped-writer.ts', import.meta.url), {
    workerData: { folder, before: step, kind, state },
  });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  while (Atomics.load(state, 0) === 0) await Promise.race([pause(2), failed]);
  await worker.terminate();
  return Atomics.load(state, 0) === STOPPED;
}

test.each<[kind: string, may: RegExp, next: (file: string) => void]>([
  ['replace', /^(first|second)\n$/, (file) => replaceFile(file, 'fourth\n')],
  ['change', /^first\n(second\n)?$/, (file) => replaceFile(file, 'fourth\n')],
  // A log may end in a part of what was appended: that is a line of its own, which the next one does not touch.
  ['append', /^first\n[^]*$/, (file) => appendLines(file, 'fourth\n')],
])(
  'OPS-15 ended at whatever step, %s leaves what was there or what is new, and the next one goes well',
  async (kind, may, next) => {
    let steps = 0;
    for (let isStopped = true; isStopped; steps += fewOrMany(3, 1)) {
      const folder = freshFolder();
      const file = join(folder, 'a');
      writeFileSync(file, 'first\n');
      isStopped = await stoppedBefore(steps, folder, kind);
      expect(readFileSync(file, 'utf8')).toMatch(may);
      next(file);
      expect(readFileSync(file, 'utf8').split('\n').at(-2)).toBe('fourth');
      // The rest of the other file is removed when that file is written again.
      expect(readdirSync(folder).filter((name) => !/^(b|\.cps-lock)/.test(name))).toEqual(['a']);
    }
    expect(steps).toBeGreaterThan(8);
  },
);

test('OPS-15 what is appended to a line that was cut off begins a line of its own', () => {
  const file = join(freshFolder(), 'letters.jsonl');
  writeFileSync(file, '{"id":1}\n{"id":2,"to');
  appendLines(file, '{"id":3}\n');
  expect(readFileSync(file, 'utf8')).toBe('{"id":1}\n{"id":2,"to\n{"id":3}\n');
});

test('OPS-15 of eight who make the same file one makes it, and the others are told', () => {
  const file = join(freshFolder(), 'key');
  const said = Array.from({ length: 8 }, (_, n) => {
    try {
      createFile(file, `${n}`);
      return 'made';
    } catch (error) {
      return explainError(error);
    }
  });
  expect(said[0]).toBe('made');
  for (const each of said.slice(1)) expect(each).toMatch(/it already exists and is not overwritten/);
  expect(readFileSync(file, 'utf8')).toBe('0');
});

test('OPS-15 of four boards and bridges that are added at once each has its password and its rights', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'acl'), ACL);
  const env = {
    PATH: process.env.PATH ?? '',
    MOSQUITTO_PASSWORD_FILE: join(folder, 'passwords'),
    MOSQUITTO_ACL_FILE: join(folder, 'acl'),
    MOSQUITTO_PID_FILE: '/nowhere',
  };
  const program = ['--disable-warning=ExperimentalWarning', 'firmware-bridge/src/main.ts', 'board'];
  const names = Array.from({ length: 4 }, (_, n) => `n${n}`);
  const ended = names.map((name, n) => {
    const child = spawn(process.execPath, [...program, n < 2 ? 'add' : 'bridge', name], {
      env,
      stdio: 'ignore',
    });
    return new Promise((resolve) => child.once('close', resolve));
  });
  expect(await Promise.all(ended)).toEqual(names.map(() => 0));
  const users = names.map((name, n) => (n < 2 ? name : `cps-bridge-${name}`));
  expect(mosquittoUsersIn(env.MOSQUITTO_PASSWORD_FILE).toSorted()).toEqual(users.toSorted());
  expect(readFileSync(join(folder, 'cps-users'), 'utf8').trim().split('\n').toSorted()).toEqual(
    users.toSorted(),
  );
  for (const user of users.slice(2))
    expect(readFileSync(join(folder, 'acl'), 'utf8')).toContain(`user ${user}\n`);
  expect(Object.keys(filesIn(folder))).toHaveLength(3);
});

test.each(['cookie-secret', 'bridge-key', 'identity-key.json'] as const)(
  'OPS-15 %s that is empty or cut off is refused by name, and its first step makes another',
  async (name) => {
    const folder = freshFolder();
    const path = join(folder, name);
    const whole = await readOrCreateKey(folder, name);
    refuseDamagedKeys(folder);
    for (const left of ['', whole.slice(0, 20)]) {
      writeFileSync(path, left);
      let said = '';
      try {
        refuseDamagedKeys(folder);
      } catch (error) {
        said = String(error);
      }
      expect(said).toContain(path);
      const [, step = ''] = /First step: (rm .*?), then /.exec(said) ?? [];
      expect(step).toContain(path);
      if (left === '') await type(step);
      else rmSync(path);
      refuseDamagedKeys(folder);
      expect(await readOrCreateKey(folder, name)).not.toBe('');
      refuseDamagedKeys(folder);
    }
  },
);
