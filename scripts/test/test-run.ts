import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { endMarked, named, processesMarked } from '../processes.ts';

/** What has just been told to end may take so long. */
const END_WITHIN_MS = 5000;
const LOOK_AGAIN_MS = 100;

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/** A folder in memory, where it has room: a synced write of a database takes milliseconds on a busy disk. */
function folderInMemory(): string | undefined {
  if (!existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM_BYTES ? mkdtempSync(join(MEMORY, 'cps-lab-test-')) : undefined;
}

type TestRun = {
  /** What a process has to have in its environment to end with this one. */
  mark: Record<string, string>;
  /** The same for what starts others: these have the mark too, also with an environment of their own, and are counted. */
  marking: Record<string, string>;
  /** Waits until nothing with the mark is left, and names what does not end by itself. */
  leftOver: (withinMs?: number) => Promise<string | undefined>;
};

/**
 * From here on nothing that has the run's mark outlives this process, whether it ends by itself, by a signal or with
 * its parent. By SIGKILL it would.
 */
export function beginRun(): TestRun {
  const variable = `CPS_TEST_RUN_${randomUUID().replaceAll('-', '')}`;
  const starts = resolve('.cache', variable);
  mkdirSync('.cache', { recursive: true });
  writeFileSync(starts, '');
  const place = folderInMemory();
  process.on('exit', () => {
    endMarked(variable);
    rmSync(starts, { force: true });
    if (place !== undefined) rmSync(place, { recursive: true, force: true });
  });
  const end = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal));
  // Nobody tells of the parent's end.
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
      while (processesMarked(variable).length > 0 && Date.now() < until) await setTimeout(LOOK_AGAIN_MS);
      const left = processesMarked(variable);
      return left.length === 0 ? undefined : named(left);
    },
  };
}
