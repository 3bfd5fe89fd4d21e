import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../../..');
/** What a process of a test begins with; what one has compiled the next one need not compile again. */
export const CLEAN_ENV = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, '.cache/node'),
};
/** Milliseconds between two looks: what takes long is looked at less often. */
const LOOK_AGAIN = { first: 5, most: 25 };

/** A folder of its own for one test, removed afterwards. `npm test` has such folders in memory. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bridge-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Waits until the check returns something other than undefined, null or false; fails with `what` after a while. */
export async function until<T>(
  what: string,
  check: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  withinMs = 110_000,
): Promise<T> {
  const began = Date.now();
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== null && value !== false) return value;
    const waited = Date.now() - began;
    if (waited > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    const pause = Math.min(LOOK_AGAIN.first + waited / 10, LOOK_AGAIN.most);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

export type Started = {
  child: ChildProcess;
  /** Everything that it wrote so far. */
  output: () => string;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  end: (signal?: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
};

/** Starts a process of the test; whatever is left of it when the test is over is killed. */
export function start(...what: Parameters<typeof launch>): Started {
  const started = launch(...what);
  onTestFinished(async () => {
    await started.end('SIGKILL');
  });
  return started;
}

/** Starts a process that whoever starts it ends. */
export function launch(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  options: { ipc?: boolean } = {},
): Started {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...CLEAN_ENV, ...env },
    stdio: options.ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // Not 'close': it does not come when the test has closed the IPC channel before.
  const streams = [child.stdout, child.stderr].flatMap((stream) => (stream ? [finished(stream)] : []));
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      void Promise.allSettled(streams).then(() => resolve(code ?? signal ?? 'SIGKILL'));
    });
  });
  return {
    child,
    output: () => output,
    ended,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** The port that a process says it listens on, under the given name in a line of its JSON log. */
export function loggedPort(started: Started, field: string): Promise<number> {
  return until(`${field} in the log:\n${started.output()}`, () => {
    const found = new RegExp(`"${field}":([0-9]+)`).exec(started.output())?.[1];
    return found === undefined ? undefined : Number(found);
  });
}
