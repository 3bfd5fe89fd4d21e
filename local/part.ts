import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { EXIT_CONFIGURATION } from './exit-codes.ts';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 15_000;
/** A part that lived this long starts over with the shortest delay. */
const HEALTHY_AFTER_MS = 30_000;
const KILL_AFTER_MS = 3500;

export type PartOptions = {
  name: string;
  script: string;
  env: Record<string, string>;
  print: (line: string) => void;
  /** Called when the part says that it cannot start as things are. */
  onHopeless: () => void;
};

/** One process of the local run: started again, with backoff, whenever it dies. */
export class Part {
  readonly #options: PartOptions;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #stopping = false;
  readonly #ready = Promise.withResolvers<void>();

  constructor(options: PartOptions) {
    this.#options = options;
  }

  /** Starts the part; resolves when it, or one that was started in its place, says that it is ready. */
  start(): Promise<void> {
    this.#spawn();
    return this.#ready.promise;
  }

  #spawn(): void {
    const { name, script, env, print } = this.#options;
    const startedAt = Date.now();
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
      env: { ...process.env, ...env },
      // Its own process group: Ctrl-C reaches the parent alone, which then stops the parts in order.
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

  /** Asks the part to end and waits; kills it when it takes too long. */
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
      child.kill('SIGTERM');
    });
  }

  #ended(code: number | null, signal: NodeJS.Signals | null, startedAt: number): void {
    if (this.#stopping) return;
    const { name, print, onHopeless } = this.#options;
    if (code === EXIT_CONFIGURATION) {
      onHopeless();
      return;
    }
    if (Date.now() - startedAt > HEALTHY_AFTER_MS) this.#failures = 0;
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#failures);
    this.#failures += 1;
    print(`${name} ended (${signal ?? `code ${code}`}), starting it again in ${(delay / 1000).toFixed(2)} s`);
    this.#timer = setTimeout(() => this.#spawn(), delay);
  }
}
