import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { backoffMs } from '#contract/backoff';
import { EXIT_CONFIG } from '../firmware-bridge/src/config.ts';

const AGAIN = { firstMs: 250, mostMs: 15_000 };
/** A part that has run for this long is restarted after the shortest delay. */
const HEALTHY_AFTER_MS = 30_000;
/** `stop` in start.ts waits for this time twice, and must end within five seconds. */
const KILL_AFTER_MS = 2300;

type PartOptions = {
  name: string;
  script: string;
  args?: readonly string[];
  env: Record<string, string>;
  print: (line: string) => void;
  /** Called when the part reports that it cannot start. Returns whether to start it again nevertheless. */
  isWorthAnotherTry: () => boolean;
};

/** One process of the local run. Whenever it dies, it is restarted, with a longer delay each time. */
export class LocalProcess {
  readonly #options: PartOptions;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #stopping = false;
  readonly #ready = Promise.withResolvers<void>();

  constructor(options: PartOptions) {
    this.#options = options;
  }

  /** Starts the part. Resolves when the part, also after a restart, reports that it is ready. */
  start(): Promise<void> {
    this.#spawn();
    return this.#ready.promise;
  }

  #spawn(): void {
    const { name, script, args = [], env, print } = this.#options;
    const startedAt = Date.now();
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
      env: { ...process.env, ...env },
      // In its own process group: Ctrl-C reaches only the parent, which stops the parts in order.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface(stream).on('line', print);
    }
    child.on('exit', (code, signal) => this.#ended(code, signal, startedAt));
    child.on('error', (error) => print(`${name} could not be started: ${error.message}`));
    child.once('message', () => this.#ready.resolve());
  }

  /**
   * Closes the IPC channel; the child process then exits, as it also does when this process dies. Kills it if
   * that takes too long. Does not send SIGTERM: Miniflare would exit at once, before its runtime has ended.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
      child.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
      child.disconnect();
    });
  }

  /** Kills the child processes of a part that was killed: Miniflare's runtime would still use the ports. */
  #killGroup(): void {
    const pid = this.#child?.pid;
    if (pid === undefined || process.platform === 'win32') return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
      if (!isGone) throw error;
    }
  }

  #ended(code: number | null, signal: NodeJS.Signals | null, startedAt: number): void {
    this.#killGroup();
    if (this.#stopping) return;
    const { name, print, isWorthAnotherTry } = this.#options;
    if (code === EXIT_CONFIG && !isWorthAnotherTry()) return;
    if (Date.now() - startedAt > HEALTHY_AFTER_MS) this.#failures = 0;
    const delay = backoffMs(this.#failures, AGAIN, 0);
    this.#failures += 1;
    print(`${name} ended (${signal ?? `code ${code}`}), starting it again in ${(delay / 1000).toFixed(2)} s`);
    this.#timer = setTimeout(() => this.#spawn(), delay);
  }
}

/** A shell script: when its standard input closes, it kills the process group whose id is `$0`. */
const GUARD = 'while read -r _; do :; done; kill -s KILL -- "-$0"';

/**
 * If this process is killed, its child processes, such as Miniflare's runtime, would continue. So a shell in
 * its own process group reads a pipe, which closes when this process ends, and then kills the children.
 * @returns ends the shell; call this function when this process has ended its children itself
 */
export function killGroupOnExit(): () => Promise<void> {
  if (process.platform === 'win32') return () => Promise.resolve();
  const guard = spawn('/bin/sh', ['-c', GUARD, String(process.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', (error) => console.error(`npm start may leave workerd running: ${error.message}`));
  guard.unref();
  return async () => {
    if (guard.kill('SIGKILL')) await once(guard, 'exit');
  };
}
