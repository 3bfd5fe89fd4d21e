import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { killProcessesWithVariable, processNames, processesWithVariable } from '../processes.ts';

/** How long to wait until all processes of the run have ended. */
const END_WITHIN_MS = 5000;
const LOOK_AGAIN_MS = 100;

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/** A folder in memory, if there is room: on a busy disk each commit of a database takes milliseconds. */
function folderInMemory(): string | undefined {
  if (!existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM_BYTES ? mkdtempSync(join(MEMORY, 'cps-lab-test-')) : undefined;
}

/** The file with the times that earlier runs have measured. */
export const TEST_TIMES_FILE = '.cache/test-times.json';

const timesSchema = z.object({
  /** By test file: how many seconds its last run took, with loading and hooks. */
  files: z.record(
    z.string(),
    z.object({
      project: z.string(),
      seconds: z.number(),
      routes: z.array(z.string()).optional(),
    }),
  ),
  /** How many processes the last run started, by who started them; null if they were not counted. */
  starts: z.object({ vitest: z.int(), tests: z.int(), product: z.int() }).nullable(),
});
export type TestTimes = z.infer<typeof timesSchema>;

/** The times that earlier runs have measured; empty in a new clone. */
export function readTestTimes(): TestTimes {
  if (!existsSync(TEST_TIMES_FILE)) return { files: {}, starts: null };
  const read = timesSchema.safeParse(JSON.parse(readFileSync(TEST_TIMES_FILE, 'utf8')));
  return read.success ? read.data : { files: {}, starts: null };
}

type TestRun = {
  /** An environment variable for child processes: a process that has it is killed when this one ends. */
  mark: Record<string, string>;
  /** Like `mark`, but also marks and counts what a child process starts, in any environment. */
  marking: Record<string, string>;
  /** Waits until all marked processes have ended. Returns the names of those that have not. */
  leftOver: (withinMs?: number) => Promise<string | undefined>;
};

/**
 * Starts a test run. When this process ends (by itself, by a signal, or because its parent has ended), it
 * kills all processes with the run's mark. Only SIGKILL prevents this.
 */
export function startTestRun(): TestRun {
  const variable = `CPS_TEST_RUN_${randomUUID().replaceAll('-', '')}`;
  const starts = resolve('.cache', variable);
  mkdirSync('.cache', { recursive: true });
  writeFileSync(starts, '');
  const place = folderInMemory();
  process.on('exit', () => {
    killProcessesWithVariable(variable);
    rmSync(starts, { force: true });
    if (place !== undefined) rmSync(place, { recursive: true, force: true });
  });
  const end = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal));
  // Asks again and again, because no event tells a process that its parent has ended.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end('SIGTERM'), LOOK_AGAIN_MS).unref();
  const mark = { [variable]: '1' };
  return {
    mark,
    marking: {
      ...mark,
      ...(place !== undefined && { TMPDIR: place }),
      CPS_TEST_STARTS: starts,
      NODE_OPTIONS: `--require ${JSON.stringify(resolve('scripts/test/mark-processes.cjs'))}`,
    },
    leftOver: async (withinMs = END_WITHIN_MS) => {
      const until = Date.now() + withinMs;
      while (processesWithVariable(variable).length > 0 && Date.now() < until)
        await setTimeout(LOOK_AGAIN_MS);
      const left = processesWithVariable(variable);
      return left.length === 0 ? undefined : processNames(left);
    },
  };
}
