import { dirname, join } from 'node:path';
import { visible } from '#contract/visible-text';
import {
  commandName,
  EXIT_USAGE,
  helpText,
  refuseExtraArguments,
  parseArguments,
  wantsHelp,
  usageErrorText,
  UsageError,
  type Line,
} from './command-line.ts';
import {
  damagedLineText,
  repair,
  replay,
  replayFile,
  requireFile,
  SHOWN_MAX,
  stepOfDamaged,
  replaySummary,
} from './replay-letters.ts';
import {
  deadLetterLine,
  FileError,
  filesIn,
  isoTime,
  lettersIn,
  messagesIn,
  textOf,
} from '../spool/dead-letter-files.ts';
import { SpoolError } from '../spool/state.ts';
import { openSpool, type Spool } from '../spool/spool.ts';
import type { DeadLetterRow } from '../spool/dead-letter-store.ts';

export const COMMAND = commandName('npm run dead-letters --', 'cps-bridge dead-letters');

export const DEAD_LETTERS_HELP = {
  command: COMMAND,
  does: 'lists messages of boards that were not understood or were refused, and tries them again. The bridge may be running.',
  ways: [
    ['list', 'one line for each message, and the files with older messages'],
    ['list <file>', 'one line for each message in such a file (….jsonl)'],
    ['export', 'one line of JSON for each message, with the whole payload'],
    ['replay <id>…', 'tries these messages again'],
    ['replay --all', 'tries all messages again'],
    ['replay <file>', 'tries the messages in a file; those that are still not understood stay there'],
    ['repair <id> <payload>', 'tries a message again, with this payload instead of its own'],
  ],
  options: { all: { type: 'boolean', tells: 'with replay: tries all dead letters' } },
  notes: 'SPOOL_FILE is the file of the spool.',
  example: `${COMMAND} replay 4 7`,
  page: 'docs/operations.md#boards-bridges-and-recordings',
} as const;

/** How many messages and readings a letter stands for, if more than one. */
function countsOf({ messages, readings }: DeadLetterRow): string {
  if (messages > 1) return `${messages} messages of ${readings} readings`;
  return readings > 1 ? `${readings} readings` : '';
}

function listed(letter: DeadLetterRow): string {
  const { id, receivedAt, topic, reason, payload, folded } = letter;
  const text = textOf(payload.subarray(0, 4 * SHOWN_MAX));
  const shown = text === null ? `${payload.byteLength} bytes` : JSON.stringify(text.slice(0, SHOWN_MAX));
  const parts = [visible(topic), visible(reason), countsOf(letter), folded === 1 ? '' : visible(shown)];
  return [id, isoTime(receivedAt), ...parts.filter((part) => part !== '')].join('\t');
}

type Print = (line: string) => Promise<void>;

/**
 * Lists, exports or replays the dead letters of the spool in SPOOL_FILE.
 * @param print prints a line; called for one line at a time, because all lines may not fit into memory
 * @param printError prints errors, because exported lines go into a file
 * @returns the exit code
 */
export async function deadLetterCommand(
  args: readonly string[],
  env: Record<string, string | undefined>,
  print: Print,
  printError: (text: string) => void | Promise<void>,
): Promise<number> {
  if (wantsHelp(args)) {
    await print(helpText(DEAD_LETTERS_HELP));
    return 0;
  }
  try {
    return await carryOut(parseArguments(DEAD_LETTERS_HELP, args), env['SPOOL_FILE'] ?? '', print);
  } catch (error) {
    if (error instanceof UsageError) {
      await printError(usageErrorText(DEAD_LETTERS_HELP, error.message));
      return EXIT_USAGE;
    }
    if (!(error instanceof FileError)) throw error;
    await printError(error.message);
    return 78;
  }
}

/** Whether a word names a file of letters that were moved out of the spool. */
const isFile = (word: string) => /\.jsonl(\.replaying)?$/.test(word);

async function carryOut(
  { words: [action, ...rest], values: { all = false } }: Line<typeof DEAD_LETTERS_HELP.options>,
  spoolFile: string,
  print: Print,
): Promise<number> {
  if (action === undefined) throw new UsageError('say what to do: list, export, replay or repair');
  if (action !== 'list' && action !== 'export' && action !== 'replay' && action !== 'repair')
    throw new UsageError(`there is no command ${visible(action)}: use list, export, replay or repair`);
  if (all && action !== 'replay') throw new UsageError('--all is only for replay');
  const file = action !== 'export' && !all && isFile(rest[0] ?? '') ? rest[0] : undefined;
  if (action === 'repair') return await repaired(rest, spoolFile, print);
  if (file !== undefined || all || action !== 'replay')
    refuseExtraArguments(rest.slice(file === undefined ? 0 : 1));
  else requireIds(rest);
  if (action === 'list' && file !== undefined) {
    requireFile(file);
    let exitCode = 0;
    for await (const { letter, line, number } of lettersIn(file)) {
      if (letter === undefined) exitCode = 1;
      await print(letter === undefined ? damagedLineText(file, number, line) : listed(letter));
    }
    if (exitCode !== 0) await print(`First step: ${visible(stepOfDamaged(file))}`);
    return exitCode;
  }
  const spool = opened(spoolFile);
  try {
    if (file !== undefined) await print(replaySummary(await replayFile(spool, file, print)));
    else if (action === 'replay')
      return await replayWanted(spool, all ? 'all' : new Set(rest.map(Number)), print);
    else if (action === 'export') for (const letter of lettersOf(spool)) await print(deadLetterLine(letter));
    else await list(spool, dirname(spoolFile), print);
  } finally {
    spool.close();
  }
  return 0;
}

function requireIds(words: readonly string[]): void {
  const wrong = words.find((word) => !/^[1-9][0-9]{0,14}$/.test(word));
  if (wrong !== undefined) throw new UsageError(`${visible(wrong)} is not an id`);
  if (words.length === 0) throw new UsageError('replay needs ids of messages, --all or a file');
}

async function repaired([id, payload, ...more]: string[], spoolFile: string, print: Print): Promise<number> {
  if (id === undefined || payload === undefined) throw new UsageError('repair needs an id and a payload');
  requireIds([id]);
  refuseExtraArguments(more);
  const spool = opened(spoolFile);
  try {
    const problem = repair(spool, Number(id), payload);
    await print(problem === undefined ? replaySummary({ replayed: 1, left: 0 }) : visible(problem));
    return problem === undefined ? 0 : 1;
  } finally {
    spool.close();
  }
}

function opened(file: string): Spool {
  if (file === '') throw new FileError('SPOOL_FILE is required');
  requireFile(file);
  if (isFile(file))
    throw new FileError(`${visible(file)} is not a spool. First step: ${COMMAND} list ${visible(file)}`);
  try {
    return openSpool(file);
  } catch (error) {
    if (!(error instanceof SpoolError)) throw error;
    throw new FileError(`${visible(file)} cannot be opened as a spool: ${visible(error.message)}`);
  }
}

/** The dead letters that exist now, one at a time, without new ones that a replay adds. */
export function* lettersOf(spool: Spool): Generator<DeadLetterRow> {
  const newest = spool.newestDeadLetter();
  for (let after = 0; after < newest;) {
    const letter = spool.nextDeadLetter(after);
    if (letter === null || letter.id > newest) return;
    yield letter;
    after = letter.id;
  }
}

/** Also lists the files: letters that were moved out of the spool are not lost. */
async function list(spool: Spool, folder: string, print: Print): Promise<void> {
  for (const letter of lettersOf(spool)) await print(listed(letter));
  for (const { name, isReplaying } of filesIn(folder)) {
    const file = join(folder, name);
    const verb = isReplaying ? 'replay' : 'list';
    await print(`${await messagesIn(file)} more in ${visible(file)}: ${COMMAND} ${verb} ${visible(file)}`);
  }
}

/** @returns the exit status: 1 if an id does not exist */
export async function replayWanted(
  spool: Spool,
  ids: ReadonlySet<number> | 'all',
  print: Print,
): Promise<number> {
  const seen = new Set<number>();
  function* wanted() {
    for (const letter of lettersOf(spool)) {
      if (ids !== 'all' && !ids.has(letter.id)) continue;
      seen.add(letter.id);
      yield { letter };
    }
  }
  const replays = await replay(spool, wanted());
  await print(replaySummary(replays));
  if (replays.replayed > 0) await print('a message refused again returns to the list with another id');
  const unknown = ids === 'all' ? [] : [...ids].filter((id) => !seen.has(id));
  if (unknown.length === 0) return 0;
  await print(`no dead letter has the id ${unknown.join(', ')}`);
  return 1;
}
