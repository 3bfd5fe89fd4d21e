import { AsyncLocalStorage } from 'node:async_hooks';
import type { getPlatformProxy } from 'wrangler';
import { askAtTerminal, print } from '../firmware-bridge/src/commands/terminal.ts';
import { runWrangler, type Wrangler } from './deploy/run-wrangler.ts';

/** The operator at the terminal. */
export type Operator = {
  ask: (question: string) => Promise<string>;
  askSecret: (question: string) => Promise<string>;
};

/** What an operator's command uses besides files; tests replace it. */
export type CommandEnvironment = {
  env: Record<string, string | undefined>;
  /** Prints a text of one or more lines. */
  out: (text: string) => void | Promise<void>;
  error: (text: string) => void;
  /** Absent without a terminal. */
  person?: Operator;
  /** Runs wrangler, which reaches Cloudflare. */
  wrangler: Wrangler;
  /** Opens the bindings of a configuration; by default wrangler does. */
  openBindings?: typeof getPlatformProxy;
};

/** The environment of a command that was typed: that of this process. */
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

/** Runs a function with another environment: tests call many commands in one process. */
export const withCommandEnvironment = <T>(its: CommandEnvironment, run: () => T): T => current.run(its, run);
