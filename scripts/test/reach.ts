/** What the sources lead to, by what they import and name. */
import { existsSync } from 'node:fs';
import { importsOf, namedIn } from './imports.ts';

/** Where a part begins. To start one says nothing of all that is behind it: that is looked at below. */
export const MAINS = {
  api: 'worker/src/app.ts',
  ingest: 'ingest/src/app.ts',
  bridge: 'firmware-bridge/src/main.ts',
  product: 'local/start.ts',
};
/** Of what the tables take from the contract a worker sees nothing: it is in a migration. */
const ends = new Set([...Object.values(MAINS), 'db/schema.ts', 'db/plants.ts']);

const CODE = /\.[mc]?[jt]sx?$/;
/** What runs by itself when a file of the product or a script names it. */
const PROGRAM = /^(local|scripts|firmware-bridge|tests)\/.*\.[mc]?ts$/;

const known = new Map<string, string[]>();

/** What a file imports, types included, and the programs that it names; tests also what they read. */
export function stepsFrom(file: string): string[] {
  const steps = known.get(file);
  if (steps) return steps;
  const isCode = CODE.test(file) && existsSync(file);
  const named = isCode ? namedIn(file) : [];
  const kept = [
    ...(isCode ? importsOf(file).map(({ to }) => to) : []),
    ...(file.startsWith('tests/') ? named : named.filter((path) => PROGRAM.test(path))),
  ];
  known.set(file, kept);
  return kept;
}

/** All that imports and names lead to, ends not entered unless they are the start. */
const reached = new Map<string, Set<string>>();
export function reachedFrom(start: string): Set<string> {
  const before = reached.get(start);
  if (before) return before;
  const seen = new Set([start]);
  for (const file of seen)
    if (file === start || !ends.has(file)) for (const to of stepsFrom(file)) seen.add(to);
  reached.set(start, seen);
  return seen;
}

/** Whether imports and names lead from one file to the other, which may be itself. */
export const leads = (from: string, to: string) => reachedFrom(from).has(to);
