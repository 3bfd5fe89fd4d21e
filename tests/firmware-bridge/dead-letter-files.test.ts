import { cpSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { deadLetterCommand } from '../../firmware-bridge/src/commands/dead-letters-command.ts';
import { DEAD_LETTERS_COMMAND } from '../../firmware-bridge/src/commands/dead-letters-command.ts';
import {
  exportDeadLetters,
  createDeadLetterFileCounter,
  startDeadLetterFiles,
} from '../../firmware-bridge/src/spool/dead-letter-files.ts';
import { openSpool, type Spool } from '../../firmware-bridge/src/spool/spool.ts';
import { withRoomFor } from '../support/filling-disk.ts';
import { knownClock } from './support/clocks.ts';
import { freshFolder, until } from './support/processes.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 2);

let said: string[] = [];
beforeEach(() => {
  said = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => said.push(String(line)) > 0);
  return () => vi.restoreAllMocks();
});

function freshSpool(): { folder: string; spool: Spool } {
  const folder = freshFolder();
  const spool = openSpool(join(folder, 'spool.sqlite'));
  onTestFinished(() => spool.close());
  return { folder, spool };
}

/** Adds a dead letter of so many bytes. */
const add = (spool: Spool, n: number, bytes: number, receivedAt = NOW) =>
  spool.commit([
    {
      topic: 'lab/plants/fern/soil_moisture',
      payload: Buffer.from(`wet ${n}`.padEnd(bytes)),
      retained: false,
      receivedAt,
    },
  ]);

const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('dead-letters-'))
    .toSorted();

const lineSchema = z.object({ payload: z.string(), reason: z.string(), received_at: z.string() });

/** The payloads in the files, in order. */
function exported(folder: string): string[] {
  return filesIn(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => lineSchema.parse(JSON.parse(line)).payload.trim());
}

const roomy = { bytes: 1e9, ageMs: 90 * DAY, filesBytes: 1e9 };
const nothingIsOld = { now: NOW, before: 0 };
const wet = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `wet ${from + n}`);

test('SEC-46 beyond their size the oldest dead letters go into a file that only its owner reads, and are counted', async () => {
  const { folder, spool } = freshSpool();
  for (let n = 0; n < 100; n++) add(spool, n, 1000);
  await exportDeadLetters(() => spool, folder, { ...roomy, bytes: 1e6 }, nothingIsOld);
  expect(filesIn(folder)).toEqual([]);

  await exportDeadLetters(() => spool, folder, { ...roomy, bytes: 60_000 }, nothingIsOld);
  expect(filesIn(folder)).toEqual(['dead-letters-2026-03-02-001.jsonl']);
  expect(statSync(join(folder, 'dead-letters-2026-03-02-001.jsonl')).mode & 0o777).toBe(0o600);
  const { deadLetters, deadExported } = spool.status();
  expect(spool.deadLetterBytes()).toBeLessThanOrEqual(54_000);
  expect(deadLetters).toBeGreaterThan(40);
  expect(deadExported).toBe(100 - deadLetters);
  expect(exported(folder)).toEqual(wet(0, deadExported));
  expect(said.join('')).toContain(`"dead_letters_exported","count":${deadExported}`);
});

test('SEC-46 what is older than it may be goes too, and what is not stays', async () => {
  const { folder, spool } = freshSpool();
  for (let n = 0; n < 10; n++) add(spool, n, 10, NOW - (10 - n) * DAY);
  await exportDeadLetters(() => spool, folder, roomy, { now: NOW, before: NOW - 5 * DAY });
  expect(exported(folder)).toEqual(wet(0, 5));
  expect(spool.status()).toMatchObject({ deadLetters: 5, deadExported: 5 });
});

test('SEC-46 the files themselves are bounded: the oldest is removed, and the log says so', async () => {
  const { folder, spool } = freshSpool();
  const limits = { ...roomy, bytes: 1, filesBytes: 40_000 };
  for (let day = 0; day < 12; day++) {
    for (let n = 0; n < 10; n++) add(spool, day * 10 + n, 1000);
    await exportDeadLetters(() => spool, folder, limits, { now: NOW + day * DAY, before: 0 });
  }
  const bytes = filesIn(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(bytes).toBeLessThanOrEqual(40_000 + 12_000);
  expect(filesIn(folder).at(-1)).toBe('dead-letters-2026-03-13-001.jsonl');
  expect(exported(folder).at(-1)).toBe('wet 119');
  expect(said.join('')).toContain('"dead_letter_file_removed","file":"dead-letters-2026-03-02-001.jsonl"');
  expect(spool.status()).toMatchObject({ deadLetters: 0, deadExported: 120 });
});

test('SEC-46 a bridge looks by itself, and before it knows the time nothing is too old', async () => {
  const { folder, spool } = freshSpool();
  add(spool, 0, 10, Date.now() - 100 * DAY);
  const clock = knownClock();
  const unsure = startDeadLetterFiles(() => spool, folder, { ...clock, serverOffset: () => null }, roomy);
  await unsure.stop();
  expect(spool.status().deadLetters).toBe(1);
  const files = startDeadLetterFiles(() => spool, folder, clock, roomy);
  await until('exported', () => spool.status().deadLetters === 0);
  await files.stop();
  expect(exported(folder)).toEqual(['wet 0']);
});

async function command(folder: string, ...args: string[]): Promise<{ exitCode: number; lines: string[] }> {
  const lines: string[] = [];
  const env = { SPOOL_FILE: join(folder, 'spool.sqlite') };
  const print = async (line: string) => void lines.push(line);
  const exitCode = await deadLetterCommand(args, env, print, print);
  return { exitCode, lines };
}

const ofRejected = (seq: number) => {
  const datetime = '2026-03-02T00:00:00.000Z';
  return JSON.stringify({ plant: 'fern', datetime, soil_moisture: 1, seq, received_at: datetime });
};

test('SEC-46 what was moved into a file is counted, listed and replayed from there, and what is not understood stays', async () => {
  const { folder, spool } = freshSpool();
  const topic = 'lab/plants/fern/soil_moisture';
  spool.commit(
    [ofRejected(1), 'wet', ofRejected(2)].map((text) => ({
      topic,
      payload: Buffer.from(text),
      retained: false,
      receivedAt: NOW,
    })),
  );
  spool.commit([{ topic, payload: Buffer.from([0xff, 0xfe]), retained: false, receivedAt: NOW }]);
  const dead = spool.status().deadLetters;
  await exportDeadLetters(() => spool, folder, { ...roomy, bytes: 1 }, nothingIsOld);
  const file = join(folder, 'dead-letters-2026-03-02-001.jsonl');

  expect((await command(folder, 'list')).lines).toEqual([
    `${dead} more in ${file}: ${DEAD_LETTERS_COMMAND} list ${file}`,
  ]);
  const listed = await command(folder, 'list', file);
  expect(listed.lines).toHaveLength(dead);
  expect(listed.lines.at(-1)).toContain('2 bytes');
  const clock = knownClock();
  const files = startDeadLetterFiles(() => spool, folder, clock, roomy);
  await until('counted', () => files.filed() === dead);
  await files.stop();

  expect(await command(folder, 'replay', file)).toEqual({
    exitCode: 0,
    lines: ['messages to send: 2; not understood: 2'],
  });
  expect(spool.status()).toMatchObject({ depth: 2, deadLetters: 0 });
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  // An interrupted replay continues with the file that it has renamed.
  renameSync(file, `${file}.replaying`);
  expect((await command(folder, 'replay', file)).lines).toEqual(['messages to send: 0; not understood: 2']);
  expect(existsSync(`${file}.replaying`)).toBe(false);
});

test('OPS-15 a line that was cut off hides no other: it is named, counted and left where it is', async () => {
  const { folder, spool } = freshSpool();
  for (let seq = 0; seq < 3; seq += 1)
    spool.commit([
      {
        topic: 'lab/plants/fern/soil_moisture',
        payload: Buffer.from(ofRejected(seq)),
        retained: false,
        receivedAt: NOW,
      },
    ]);
  await exportDeadLetters(() => spool, folder, { ...roomy, bytes: 1 }, nothingIsOld);
  const file = join(folder, 'dead-letters-2026-03-02-001.jsonl');
  const whole = readFileSync(file, 'utf8').split('\n');
  const cut = whole[1]?.slice(0, 40) ?? '';
  // A line that a full disk has cut off, followed by a complete line.
  writeFileSync(file, [whole[0], cut, whole[2], ''].join('\n'));
  const listed = await command(folder, 'list', file);
  expect(listed.exitCode).toBe(1);
  expect(listed.lines).toHaveLength(4);
  expect(listed.lines[1]).toContain(`${file}: line 2 is not a dead letter: `);
  expect(listed.lines[3]).toMatch(/^First step: /);
  // The file of an interrupted replay is counted and listed, too.
  renameSync(file, `${file}.replaying`);
  expect((await command(folder, 'list')).lines).toEqual([
    `3 more in ${file}.replaying: ${DEAD_LETTERS_COMMAND} replay ${file}.replaying`,
  ]);
  const files = startDeadLetterFiles(() => spool, folder, knownClock(), roomy);
  await until('counted', () => files.filed() === 3);
  await files.stop();
  // A replay that was killed after it had written the remaining letters, before it deleted the renamed file.
  writeFileSync(file, `${cut}\n`);
  const replayed = await command(folder, 'replay', `${file}.replaying`);
  expect(replayed.lines.at(-1)).toBe('messages to send: 2; not understood: 1');
  expect(readFileSync(file, 'utf8')).toBe(`${cut}\n`);
  expect(existsSync(`${file}.replaying`)).toBe(false);
  expect(spool.status()).toMatchObject({ depth: 2 });
});

const LETTERS = 2000;
/** After how many written bytes the disk is full. */
const FILLED_AT = Array.from({ length: 40 }, (_, at) => at * 12_347);

test('OPS-15 of 2,000 dead letters none is lost or doubled on a disk that fills at 40 places, and each is counted', async () => {
  const made = freshFolder();
  const first = openSpool(join(made, 'spool.sqlite'));
  for (let n = 0; n < LETTERS; n += 100)
    first.commit(
      wet(n, n + 100).map((text) => ({
        topic: 'lab/plants/fern/soil_moisture',
        payload: Buffer.from(text.padEnd(100)),
        retained: false,
        receivedAt: NOW,
      })),
    );
  first.close();
  let failures = 0;
  for (const room of FILLED_AT) {
    const folder = freshFolder();
    cpSync(made, folder, { recursive: true });
    const spool = openSpool(join(folder, 'spool.sqlite'));
    const kept = () => {
      const left: string[] = [];
      for (
        let after = 0, letter = spool.nextDeadLetter(0);
        letter !== null;
        letter = spool.nextDeadLetter(after)
      ) {
        left.push(Buffer.from(letter.payload).toString().trim());
        after = letter.id;
      }
      return [...(filesIn(folder).length === 0 ? [] : exported(folder)), ...left];
    };
    const moveOut = () => exportDeadLetters(() => spool, folder, { ...roomy, bytes: 1 }, nothingIsOld);
    const count = async () => (await createDeadLetterFileCounter(folder)()) + spool.status().deadLetters;
    const failure = await withRoomFor(room, moveOut).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    if (failure !== undefined) failures += 1;
    expect(failure ?? 'ENOSPC').toContain('ENOSPC');
    expect(kept(), `${room} bytes`).toEqual(wet(0, LETTERS));
    expect(await count()).toBe(LETTERS);
    // Now the disk has room.
    await moveOut();
    expect(exported(folder)).toEqual(wet(0, LETTERS));
    expect(await count()).toBe(LETTERS);
    spool.close();
  }
  expect(failures).toBeGreaterThan(30);
});

test.each([
  [['shred'], 'there is no command shred: use list, export, replay or repair'],
  [['list', 'fern'], 'unexpected argument fern'],
  [['replay'], 'replay needs ids of messages, --all or a file'],
  [['replay', '3', 'abc'], 'abc is not an id'],
  [['replay', '--all', '3'], 'unexpected argument 3'],
  [['list', '--al'], 'there is no option --al; .*'],
])('ING-3 the command names the word that it does not understand: %j', async (args, told) => {
  const { exitCode, lines } = await command(freshFolder(), ...args);
  expect(exitCode).toBe(64);
  expect(lines.join('\n')).toMatch(new RegExp(`^${told}\nusage: `));
});

test('ING-3 a file that is none is told in one line', async () => {
  const folder = freshFolder();
  const file = join(folder, 'x.jsonl');
  writeFileSync(file, 'no letter\n');
  expect(await command(folder, 'list', file)).toEqual({
    exitCode: 1,
    lines: [`${file}: line 1 is not a dead letter: "no letter"`, expect.stringMatching(/^First step: /)],
  });
  const lines: string[] = [];
  // The output of `export` goes into a file, so errors must not be in the output.
  const print = () => Promise.reject(new Error('printed'));
  const printError = (text: string) => void lines.push(text);
  expect(await deadLetterCommand(['list'], { SPOOL_FILE: file }, print, printError)).toBe(78);
  writeFileSync(join(folder, 'y'), 'a letter, and no database at all');
  expect(await deadLetterCommand(['list'], { SPOOL_FILE: join(folder, 'y') }, print, printError)).toBe(78);
  expect(lines).toEqual([
    `${file} is not a spool. First step: ${DEAD_LETTERS_COMMAND} list ${file}`,
    expect.stringContaining('cannot be opened as a spool: '),
  ]);
});
