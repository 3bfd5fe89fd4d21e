import { AsyncLocalStorage } from 'node:async_hooks';
import type { getPlatformProxy } from 'wrangler';
import { askAtTerminal, print } from '../firmware-bridge/src/commands/terminal.ts';
import { runWrangler, type Wrangler } from './deploy/run-wrangler.ts';

/** The operator at the terminal. */
export type Operator = {
  ask: (question: string) => Promise<string>;
  askSecret: (question: string) => Promise<string>;
};

/** What a command uses besides files. Tests replace it. */
export type CommandEnvironment = {
  env: Record<string, string | undefined>;
  /** Prints a text of one or more lines. */
  out: (text: string) => void | Promise<void>;
  error: (text: string) => void;
  /** The operator at the terminal; absent without a terminal. */
  person?: Operator;
  /** Runs wrangler, which connects to Cloudflare. */
  wrangler: Wrangler;
  /** Opens the bindings in a configuration. By default wrangler opens them. */
  openBindings?: typeof getPlatformProxy;
};

/** The environment of a command that was typed in a shell: the environment of this process. */
const thisProcess: CommandEnvironment = {
  env: process.env,
  out: print,
  error: (text) => console.error(text),
  ...(process.stdin.isTTY && {
    person: { ask: askAtTerminal, askSecret: (question: string) => askAtTerminal(question, true) },
  }),
  wrangler: runWrangler,
};

const current = new AsyncLocalStorage<CommandEnvironment>();

export const commandEnvironment = (): CommandEnvironment => current.getStore() ?? thisProcess;

/** Runs a function in another environment: tests run many commands in one process. */
export const withCommandEnvironment = <T>(its: CommandEnvironment, run: () => T): T => current.run(its, run);
