import { AsyncLocalStorage } from 'node:async_hooks';
import type { getPlatformProxy } from 'wrangler';
import { ask, print } from '../firmware-bridge/src/commands/terminal.ts';
import { runWrangler, type Wrangler } from './deploy/run-wrangler.ts';

/** Whoever sits at the terminal. */
export type Person = {
  ask: (question: string) => Promise<string>;
  askSecret: (question: string) => Promise<string>;
};

/** What an operator's command uses besides files. */
export type CommandEnvironment = {
  env: Record<string, string | undefined>;
  /** Takes what the command prints, a text of one or more lines at a time. */
  out: (text: string) => void | Promise<void>;
  /** Prints an error. */
  error: (text: string) => void;
  /** Absent when no terminal is attached. */
  person?: Person;
  /** Runs wrangler, which reaches Cloudflare. */
  wrangler: Wrangler;
  /** Opens what a configuration binds; absent where wrangler does. */
  openBindings?: typeof getPlatformProxy;
};

/** The environment of a command that was typed: this process. */
const thisProcess: CommandEnvironment = {
  env: process.env,
  out: print,
  error: (text) => console.error(text),
  ...(process.stdin.isTTY && { person: { ask, askSecret: (question: string) => ask(question, true) } }),
  wrangler: runWrangler,
};

const current = new AsyncLocalStorage<CommandEnvironment>();

/** The environment of the running command. */
export const commandEnvironment = (): CommandEnvironment => current.getStore() ?? thisProcess;

/** Runs something in a world of its own: a test calls many commands in one process. */
export const withCommandEnvironment = <T>(its: CommandEnvironment, run: () => T): T => current.run(its, run);
