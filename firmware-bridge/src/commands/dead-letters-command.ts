import { dirname, join } from 'node:path';
import { printable } from '#contract/printable-text';
import {
  commandName,
  EXIT_USAGE,
  helpText,
  refuseExtraArguments,
  parseArguments,
  wantsHelp,
  usageErrorText,
  UsageError,
  type ParsedArgs,
} from './command-line.ts';
import {
  damagedLineText,
  repairDeadLetter,
  replayDeadLetters,
  replayDeadLetterFile,
  requireFile,
  SHOWN_TEXT_LENGTH,
  damagedFileStep,
  replaySummary,
} from './replay-dead-letters.ts';
import {
  deadLetterLine,
  DeadLetterFileError,
  deadLetterFilesIn,
  isoTime,
  readDeadLetterLines,
  countMessagesIn,
  utf8TextOrNull,
} from '../spool/dead-letter-files.ts';
import { SpoolError } from '../spool/state.ts';
import { openSpool, type Spool } from '../spool/spool.ts';
import type { DeadLetterRow } from '../spool/dead-letter-store.ts';

export const DEAD_LETTERS_COMMAND = commandName('npm run dead-letters --', 'cps-bridge dead-letters');

export const DEAD_LETTERS_HELP = {
  command: DEAD_LETTERS_COMMAND,
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
  example: `${DEAD_LETTERS_COMMAND} replay 4 7`,
  page: 'docs/operations.md#boards-bridges-and-recordings',
} as const;

/** Says how many messages and readings a dead letter has, if it has more than one. */
function countsOf({ messages, readings }: DeadLetterRow): string {
  if (messages > 1) return `${messages} messages of ${readings} readings`;
  return readings > 1 ? `${readings} readings` : '';
}

function listed(letter: DeadLetterRow): string {
  const { id, receivedAt, topic, reason, payload, folded } = letter;
  const text = utf8TextOrNull(payload.subarray(0, 4 * SHOWN_TEXT_LENGTH));
  const shown =
    text === null ? `${payload.byteLength} bytes` : JSON.stringify(text.slice(0, SHOWN_TEXT_LENGTH));
  const parts = [printable(topic), printable(reason), countsOf(letter), folded === 1 ? '' : printable(shown)];
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
    if (!(error instanceof DeadLetterFileError)) throw error;
    await printError(error.message);
    return 78;
  }
}

/** Whether a word is the name of a file with dead letters. */
const isFile = (word: string) => /\.jsonl(\.replaying)?$/.test(word);

async function carryOut(
  { words: [action, ...rest], values: { all = false } }: ParsedArgs<typeof DEAD_LETTERS_HELP.options>,
  spoolFile: string,
  print: Print,
): Promise<number> {
  if (action === undefined) throw new UsageError('say what to do: list, export, replay or repair');
  if (action !== 'list' && action !== 'export' && action !== 'replay' && action !== 'repair')
    throw new UsageError(`there is no command ${printable(action)}: use list, export, replay or repair`);
  if (all && action !== 'replay') throw new UsageError('--all is only for replay');
  const file = action !== 'export' && !all && isFile(rest[0] ?? '') ? rest[0] : undefined;
  if (action === 'repair') return await repaired(rest, spoolFile, print);
  if (file !== undefined || all || action !== 'replay')
    refuseExtraArguments(rest.slice(file === undefined ? 0 : 1));
  else requireIds(rest);
  if (action === 'list' && file !== undefined) {
    requireFile(file);
    let exitCode = 0;
    for await (const { letter, line, number } of readDeadLetterLines(file)) {
      if (letter === undefined) exitCode = 1;
      await print(letter === undefined ? damagedLineText(file, number, line) : listed(letter));
    }
    if (exitCode !== 0) await print(`First step: ${printable(damagedFileStep(file))}`);
    return exitCode;
  }
  const spool = opened(spoolFile);
  try {
    if (file !== undefined) await print(replaySummary(await replayDeadLetterFile(spool, file, print)));
    else if (action === 'replay')
      return await replaySelectedDeadLetters(spool, all ? 'all' : new Set(rest.map(Number)), print);
    else if (action === 'export')
      for (const letter of deadLettersOf(spool)) await print(deadLetterLine(letter));
    else await list(spool, dirname(spoolFile), print);
  } finally {
    spool.close();
  }
  return 0;
}

function requireIds(words: readonly string[]): void {
  const wrong = words.find((word) => !/^[1-9][0-9]{0,14}$/.test(word));
  if (wrong !== undefined) throw new UsageError(`${printable(wrong)} is not an id`);
  if (words.length === 0) throw new UsageError('replay needs ids of messages, --all or a file');
}

async function repaired([id, payload, ...more]: string[], spoolFile: string, print: Print): Promise<number> {
  if (id === undefined || payload === undefined) throw new UsageError('repair needs an id and a payload');
  requireIds([id]);
  refuseExtraArguments(more);
  const spool = opened(spoolFile);
  try {
    const problem = repairDeadLetter(spool, Number(id), payload);
    await print(problem === undefined ? replaySummary({ replayed: 1, left: 0 }) : printable(problem));
    return problem === undefined ? 0 : 1;
  } finally {
    spool.close();
  }
}

function opened(file: string): Spool {
  if (file === '') throw new DeadLetterFileError('SPOOL_FILE is required');
  requireFile(file);
  if (isFile(file))
    throw new DeadLetterFileError(
      `${printable(file)} is not a spool. First step: ${DEAD_LETTERS_COMMAND} list ${printable(file)}`,
    );
  try {
    return openSpool(file);
  } catch (error) {
    if (!(error instanceof SpoolError)) throw error;
    throw new DeadLetterFileError(
      `${printable(file)} cannot be opened as a spool: ${printable(error.message)}`,
    );
  }
}

/** Yields the dead letters that exist now, one at a time. It leaves out letters that a replay adds later. */
export function* deadLettersOf(spool: Spool): Generator<DeadLetterRow> {
  const newest = spool.newestDeadLetter();
  for (let after = 0; after < newest;) {
    const letter = spool.nextDeadLetter(after);
    if (letter === null || letter.id > newest) return;
    yield letter;
    after = letter.id;
  }
}

/** Lists the dead letters in the spool, and the files with letters that were moved out of the spool. */
async function list(spool: Spool, folder: string, print: Print): Promise<void> {
  for (const letter of deadLettersOf(spool)) await print(listed(letter));
  for (const { name, isReplaying } of deadLetterFilesIn(folder)) {
    const file = join(folder, name);
    const verb = isReplaying ? 'replay' : 'list';
    await print(
      `${await countMessagesIn(file)} more in ${printable(file)}: ${DEAD_LETTERS_COMMAND} ${verb} ${printable(file)}`,
    );
  }
}

/** @returns the exit status: 1 if an id does not exist */
export async function replaySelectedDeadLetters(
  spool: Spool,
  ids: ReadonlySet<number> | 'all',
  print: Print,
): Promise<number> {
  const seen = new Set<number>();
  function* wanted() {
    for (const letter of deadLettersOf(spool)) {
      if (ids !== 'all' && !ids.has(letter.id)) continue;
      seen.add(letter.id);
      yield { letter };
    }
  }
  const replays = await replayDeadLetters(spool, wanted());
  await print(replaySummary(replays));
  if (replays.replayed > 0) await print('a message that is refused again is listed with a new id');
  const unknown = ids === 'all' ? [] : [...ids].filter((id) => !seen.has(id));
  if (unknown.length === 0) return 0;
  await print(`no dead letter has the id ${unknown.join(', ')}`);
  return 1;
}
