import { visible } from '#contract/visible-text';
import { calledAs, noMore, WrongUse, type Line } from './command-line.ts';

/* What the words of the command for dead letters may be. */

export const COMMAND = calledAs('npm run dead-letters --', 'cps-bridge dead-letters');

export const DEAD_LETTERS_HELP = {
  command: COMMAND,
  does: 'lists what boards sent that was not understood or was refused, and tries it again. The bridge may be running.',
  ways: [
    ['list', 'one line for each, and the files into which older ones were moved'],
    ['list <file>', 'one line for each in such a file (….jsonl)'],
    ['export', 'one line of JSON for each, with the whole payload'],
    ['replay <id>…', 'tries these again, as if they had just been understood'],
    ['replay --all', 'tries all of them'],
    ['replay <file>', 'tries those of a file; what is not understood stays in it'],
  ],
  options: { all: { type: 'boolean', tells: 'with replay: every one of them' } },
  notes: 'SPOOL_FILE names the spool.',
  example: `${COMMAND} replay 4 7`,
  page: 'docs/operations.md#boards-bridges-and-recordings',
} as const;

/** A file into which letters were moved out of the spool. */
export const isFile = (word: string) => word.endsWith('.jsonl');
const isId = (word: string) => /^[1-9][0-9]{0,14}$/.test(word);

export type Order =
  | { action: 'list' | 'replay'; file: string }
  | { action: 'list' | 'export' }
  | { action: 'replay'; ids: Set<number> | 'all' };

/** @throws WrongUse naming the word that is none, and why */
export function orderIn({
  words: [action, ...rest],
  values: { all = false },
}: Line<typeof DEAD_LETTERS_HELP.options>): Order {
  const [first] = rest;
  if (action === undefined) throw new WrongUse('say what to do: list, export or replay');
  if (action !== 'list' && action !== 'export' && action !== 'replay')
    throw new WrongUse(`there is no ${visible(action)}: list, export or replay`);
  if (all && action !== 'replay') throw new WrongUse('--all goes with replay alone');
  if (all) noMore(rest);
  else if (action !== 'export' && first !== undefined && isFile(first)) {
    noMore(rest.slice(1));
    return { action, file: first };
  }
  if (action !== 'replay') {
    noMore(rest);
    return { action };
  }
  const wrong = rest.find((word) => !isId(word));
  if (wrong !== undefined) throw new WrongUse(`${visible(wrong)} is no id`);
  if (!all && rest.length === 0) throw new WrongUse('replay needs ids, --all or a file');
  return { action, ids: all ? 'all' : new Set(rest.map(Number)) };
}
