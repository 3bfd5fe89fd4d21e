import { AsyncLocalStorage } from 'node:async_hooks';
import type { getPlatformProxy } from 'wrangler';
import { ask, print } from '../firmware-bridge/src/commands/terminal.ts';
import { runWrangler, type Wrangler } from './deploy/run-wrangler.ts';

/** Whoever sits at the terminal. */
export type Person = {
  ask: (question: string) => Promise<string>;
  askSecret: (question: string) => Promise<string>;
};

/** What an operator's command has around it, besides files. */
export type World = {
  env: Record<string, string | undefined>;
  /** Takes what the command prints, a text of one or more lines at a time. */
  out: (text: string) => void | Promise<void>;
  /** Takes what it prints of what went wrong. */
  error: (text: string) => void;
  /** Absent where nobody sits there. */
  person?: Person;
  /** Reaches Cloudflare. */
  wrangler: Wrangler;
  /** Opens what a configuration binds; absent where wrangler does. */
  openBindings?: typeof getPlatformProxy;
};

/** The world of a command that somebody typed: this process. */
const thisProcess: World = {
  env: process.env,
  out: print,
  error: (text) => console.error(text),
  ...(process.stdin.isTTY && { person: { ask, askSecret: (question: string) => ask(question, true) } }),
  wrangler: runWrangler,
};

const current = new AsyncLocalStorage<World>();

/** The world of the command that runs. */
export const world = (): World => current.getStore() ?? thisProcess;

/** Runs something in a world of its own: a test calls many commands in one process. */
export const inWorld = <T>(its: World, run: () => T): T => current.run(its, run);
