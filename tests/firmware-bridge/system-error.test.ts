import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../../firmware-bridge/src/files.ts';
import { explainError, withErrorPath } from '../../firmware-bridge/src/system-error.ts';
import { type } from '../support/shell.ts';
import { canMount, leaveFree, mount, unmount } from '../support/small-disk.ts';

async function saidOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return explainError(error);
  }
  throw new Error('nothing went wrong');
}

const folder = fs.mkdtempSync(join(tmpdir(), 'cps-lab-errors-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const file = join(folder, 'a file');
fs.writeFileSync(file, 'no database, and long enough to be looked at as one');
const gone = join(folder, 'gone');

test.each<[what: string, work: () => unknown, told: RegExp[]]>([
  [
    'a file that is not there',
    () => fs.readFileSync(gone),
    [/gone could not be opened: it does not exist/, /ls \//],
  ],
  [
    'a folder that is not there',
    () => fs.writeFileSync(join(gone, 'x/y'), ''),
    [/x\/y could not be opened: of its folders only \S+ exists/, /mkdir -p \S+gone\/x$/],
  ],
  [
    'a folder for a file, which Node does not name',
    () => withErrorPath(folder, () => fs.readFileSync(folder)),
    [/^\/\S+ could not be read: it is a folder/, /ls/],
  ],
  [
    'a file for a folder',
    () => fs.mkdirSync(join(file, 'x')),
    [/could not be made: a file is where a folder must be/, /ls -ld '\S+a file'/],
  ],
  ['what is there already', () => fs.writeFileSync(file, '', { flag: 'wx' }), [/it already exists and/]],
  [
    'a full disk',
    () => withErrorPath('/dev/full', () => fs.writeFileSync('/dev/full', 'x')),
    [/^\/dev\/full could not be written: its disk is full/, /df -h \/dev\/full/],
  ],
  [
    'a program that is not installed',
    () => {
      throw spawnSync('no-such-program').error;
    },
    [/not installed/],
  ],
  [
    'a file that is no database',
    () => withErrorPath(file, () => new DatabaseSync(file).exec('SELECT * FROM sqlite_master')),
    [/a file cannot be used as a database: it is not a database/],
  ],
  [
    'a port where nothing listens',
    () => fetch('http://127.0.0.1:1023/'),
    [/^127.0.0.1 port 1023 could not/, /ss|runs/],
  ],
  [
    'a port that nothing may listen on',
    () => fetch('http://127.0.0.1:1/'),
    [/web addresses must not use its port/],
  ],
  [
    'a name that nobody has',
    () => fetch('http://nobody.invalid/'),
    [/^nobody.invalid could not be reached: /],
  ],
])('OPS-13 %s is told with its path or address, the reason and a first step', async (_what, work, told) => {
  const said = await saidOf(work);
  for (const part of told) expect(said).toMatch(part);
  expect(said).toContain('First step: ');
  // Operators must not see the codes of the system or SQLite.
  expect(said).not.toMatch(/\bE[A-Z]{4,}\b|fetch failed|errno|SQLITE/);
});

test.runIf(process.getuid?.() === 0)('OPS-13 whoever may not is told whose it is', () => {
  const script = `
    import { readFileSync } from 'node:fs';
    import { explainError } from './firmware-bridge/src/system-error.ts';
    process.setuid(65534);
    try { readFileSync('/etc/shadow'); } catch (error) { console.log(explainError(error)); }`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(
    /^\/etc\/shadow could not be opened: this user has no permission. First step: .*ls -ld/,
  );
});

test('OPS-13 what stands in the message of an error that was thrown for it is replaced, and the rest stays', async () => {
  const said = await saidOf(() => {
    try {
      fs.readFileSync(gone);
    } catch (cause) {
      throw new Error(`the data folder cannot be used: ${cause instanceof Error ? cause.message : ''}`, {
        cause,
      });
    }
  });
  expect(said).toMatch(/^the data folder cannot be used: \S+gone could not be opened: it does not exist/);
});

test('OPS-13 what the product says itself is printed as it stands', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      expect(explainError(new Error(text))).toBe(text);
      expect(explainError(new Error(text, { cause: new TypeError('within') }))).toBe(text);
    }),
  );
});

/** Runs the command in a first step, in brackets or after a colon, and returns its output. */
async function typedFrom(said: string): Promise<string> {
  const [, step = ''] = /First step: (.*)$/.exec(said) ?? [];
  const command = (/: (?:dmesg, )?([^:]*)$/.exec(step) ?? /\(([a-z]+ [^)]*)\)/.exec(step))?.[1] ?? step;
  return (await type(command)).trim();
}

/** The error of `write`; after `cure`, which does its first step, `write` succeeds. */
async function cured(write: () => unknown, cure: (printed: string) => unknown): Promise<string> {
  const said = await saidOf(write);
  await cure(await typedFrom(said));
  await write();
  return said;
}

test.each<[what: string, prepare: (own: string) => [write: () => void, cure: (printed: string) => void]]>([
  ['a folder that is missing', (own) => [() => replaceFile(join(own, 'x y/z'), ''), () => undefined]],
  [
    'a lock that is none',
    (own) => {
      fs.writeFileSync(join(own, '.cps-lock'), 'no database, and long enough to be looked at as one');
      return [() => replaceFile(join(own, 'a'), ''), () => undefined];
    },
  ],
  [
    'a symbolic link in the way',
    (own) => {
      const link = join(own, 'a link');
      fs.writeFileSync(join(own, 'a'), '');
      fs.symlinkSync(join(own, 'a'), link);
      let file = link;
      return [() => replaceFile(file, 'x'), (printed) => (file = printed)];
    },
  ],
  [
    'a folder in the way',
    (own) => {
      fs.mkdirSync(join(own, 'a'));
      let file = join(own, 'a');
      return [() => replaceFile(file, 'x'), () => (file = join(own, 'a/b'))];
    },
  ],
  [
    'a file in the way of a folder',
    (own) => {
      fs.writeFileSync(join(own, 'a'), '');
      let made = join(own, 'a/b');
      return [() => fs.mkdirSync(made), () => (made = join(own, 'b'))];
    },
  ],
])(
  'OPS-14 the first step about %s is typed as it stands, and after it the file is written',
  async (_, prepare) => {
    const [write, cure] = prepare(fs.mkdtempSync(join(folder, 'own ')));
    expect(await cured(write, cure)).toContain('First step: ');
  },
);

test.skipIf(!canMount)(
  'OPS-14 of a disk that is full or read-only the command names a folder that is there',
  async () => {
    const disk = fs.mkdtempSync(join(folder, 'a disk '));
    expect(mount(disk, 64 * 1024)).toBe(true);
    onTestFinished(() => unmount(disk));
    const write = () => replaceFile(join(disk, 'new'), 'x'.repeat(5000));
    leaveFree(disk, 64 * 1024, 0);
    await cured(write, (printed) => {
      expect(printed).toContain(disk);
      fs.rmSync(join(disk, 'of-others'));
    });
    spawnSync('mount', ['-o', 'remount,ro', disk]);
    await cured(write, (printed) => {
      expect(printed).toContain(disk);
      spawnSync('mount', ['-o', 'remount,rw', disk]);
    });
  },
);
