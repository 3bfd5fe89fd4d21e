import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../../..');
/** The environment of a test's process, with a cache of compiled code. */
export const CLEAN_ENV = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, '.cache/node'),
};
/** Milliseconds between two checks; they grow. */
const LOOK_AGAIN = { first: 5, most: 25 };

/** A new folder for one test, which is removed afterwards. With `npm test` it is in memory. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bridge-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Waits until the check returns a value other than undefined, null or false. @throws Error if that is late */
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
  /** The output until now. */
  output: () => string;
  /** The exit code, or the signal that has ended the process. */
  ended: Promise<number | NodeJS.Signals>;
  end: (signal?: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
};

/** Starts a process for the test, and kills it after the test. */
export function start(...what: Parameters<typeof launch>): Started {
  const started = launch(...what);
  onTestFinished(async () => {
    await started.end('SIGKILL');
  });
  return started;
}

/** Starts a process that the caller must end. */
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
  // Not 'close', because that event does not come if the test has closed the IPC channel.
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

/** The port in a line of the process's JSON log, in the field with this name. */
export function loggedPort(started: Started, field: string): Promise<number> {
  return until(`${field} in the log:\n${started.output()}`, () => {
    const found = new RegExp(`"${field}":([0-9]+)`).exec(started.output())?.[1];
    return found === undefined ? undefined : Number(found);
  });
}
