import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { exportDeadLetters, startDeadLetterFiles } from '../../firmware-bridge/src/dead-letter-files.ts';
import { openSpool, type Spool } from '../../firmware-bridge/src/spool.ts';
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

/** A dead letter that holds so many bytes. */
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

/** What stands in the files, by the number in its payload. */
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
  const unsure = startDeadLetterFiles(() => spool, folder, roomy, { ...clock, serverOffset: () => null });
  await unsure.stop();
  expect(spool.status().deadLetters).toBe(1);
  const files = startDeadLetterFiles(() => spool, folder, roomy, clock);
  await until('exported', () => spool.status().deadLetters === 0);
  await files.stop();
  expect(exported(folder)).toEqual(['wet 0']);
});
