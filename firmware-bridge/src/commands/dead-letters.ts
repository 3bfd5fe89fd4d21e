import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { plantTopic } from '#contract/plant-id';
import { readingSchema } from '#contract/readings';
import { visible } from '#contract/visible-text';
import {
  calledAs,
  EXIT_USAGE,
  helpText,
  noMore,
  readLine,
  wantsHelp,
  wrongUse,
  WrongUse,
  type Line,
} from './command-line.ts';
import {
  contentOf,
  decode,
  decodeElements,
  elementsPayload,
  RETAINED,
  type Decoded,
  type Message,
} from '../broker/decode.ts';
import {
  append,
  exportedLine,
  FileError,
  filesIn,
  iso,
  lettersIn,
  messagesIn,
  textOf,
} from '../spool/dead-letter-files.ts';
import { SpoolError } from '../spool/state.ts';
import { openSpool, type Replayed, type Spool } from '../spool/spool.ts';
import type { DeadLetterRow } from '../spool/dead-letters.ts';

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

const SHOWN_MAX = 60;
/** Dead letters, or readings in them, replayed per transaction, with a pause after each so that the bridge can write. */
const REPLAY_GROUP = 100;
const REPLAY_READINGS = 5000;
const REPLAY_PAUSE_MS = 50;
const NOWHERE = 0;

/** For how much a letter stands, where that is more than one reading. */
function countsOf({ messages, readings }: DeadLetterRow): string {
  if (messages > 1) return `${messages} messages of ${readings} readings`;
  return readings > 1 ? `${readings} readings` : '';
}

function listed(letter: DeadLetterRow): string {
  const { id, receivedAt, topic, reason, payload, folded } = letter;
  const text = textOf(payload.subarray(0, 4 * SHOWN_MAX));
  const shown = text === null ? `${payload.byteLength} bytes` : JSON.stringify(text.slice(0, SHOWN_MAX));
  const parts = [visible(topic), visible(reason), countsOf(letter), folded === 1 ? '' : visible(shown)];
  return [id, iso(receivedAt), ...parts.filter((part) => part !== '')].join('\t');
}

type DecodedReading = Decoded['readings'][number];

/** A reading that the ingest worker rejected, which is kept as it was sent; undefined for anything else. */
function rejectedReading(
  element: unknown,
  topic: string,
): { made: DecodedReading; receivedAt: number } | undefined {
  const parsed = readingSchema.safeParse(element);
  // A board can forge such an element, and must not speak for another plant.
  if (!parsed.success || topic !== plantTopic(parsed.data.plant, 'soil_moisture')) return undefined;
  const { plant, datetime, soil_moisture, seq, received_at } = parsed.data;
  const at = Date.parse(datetime);
  return {
    made: {
      plant,
      datetime: at,
      soilMoisture: soil_moisture,
      seq: seq ?? null,
      undated: false,
      needsSeq: false,
    },
    receivedAt: Date.parse(received_at),
  };
}

/** Readings that were rejected are taken as they were sent, anything else as it came from the board. */
function understood(letter: DeadLetterRow): Omit<Replayed, 'id'> {
  const { topic, payload, receivedAt } = letter;
  const message: Message = { topic, payload, retained: letter.reason.includes(RETAINED), receivedAt };
  const content = contentOf(message);
  if ('reason' in content) return { message, decoded: decode(message) };
  const rejected = content.elements.flatMap((element) => rejectedReading(element, topic) ?? []);
  const others = content.elements.filter((element) => rejectedReading(element, topic) === undefined);
  // What is still not understood must not be kept with the readings that are put back for delivery.
  const left = rejected.length === 0 ? payload : elementsPayload(others);
  const decoded = decodeElements({ ...content, elements: others }, { ...message, payload: left });
  return {
    message: { ...message, receivedAt: rejected[0]?.receivedAt ?? receivedAt },
    decoded: { ...decoded, readings: [...rejected.map(({ made }) => made), ...decoded.readings] },
  };
}

type Print = (line: string) => Promise<void>;

/**
 * Lists, exports or replays the dead letters of the spool in SPOOL_FILE.
 * @param print prints a line; called one line at a time, because there may be more than fit into memory
 * @returns the exit code
 */
export async function deadLetterCommand(
  args: readonly string[],
  env: Record<string, string | undefined>,
  print: Print,
): Promise<number> {
  if (wantsHelp(args)) {
    await print(helpText(DEAD_LETTERS_HELP));
    return 0;
  }
  try {
    return await carryOut(readLine(DEAD_LETTERS_HELP, args), env['SPOOL_FILE'] ?? '', print);
  } catch (error) {
    if (error instanceof WrongUse) {
      await print(wrongUse(DEAD_LETTERS_HELP, error.message));
      return EXIT_USAGE;
    }
    if (!(error instanceof FileError)) throw error;
    await print(error.message);
    return 78;
  }
}

/** A file into which letters were moved out of the spool. */
const isFile = (word: string) => word.endsWith('.jsonl');

async function carryOut(
  { words: [action, ...rest], values: { all = false } }: Line<typeof DEAD_LETTERS_HELP.options>,
  spoolFile: string,
  print: Print,
): Promise<number> {
  if (action === undefined) throw new WrongUse('say what to do: list, export or replay');
  if (action !== 'list' && action !== 'export' && action !== 'replay')
    throw new WrongUse(`there is no ${visible(action)}: list, export or replay`);
  if (all && action !== 'replay') throw new WrongUse('--all goes with replay alone');
  const file = action !== 'export' && !all && isFile(rest[0] ?? '') ? rest[0] : undefined;
  if (file !== undefined || all || action !== 'replay') noMore(rest.slice(file === undefined ? 0 : 1));
  else requireIds(rest);
  if (action === 'list' && file !== undefined) {
    requireFile(file);
    for await (const { letter } of lettersIn(file)) await print(listed(letter));
    return 0;
  }
  const spool = opened(spoolFile);
  try {
    if (file !== undefined) await print(told(await replayFile(spool, file)));
    else if (action === 'replay')
      return await replayWanted(spool, all ? 'all' : new Set(rest.map(Number)), print);
    else if (action === 'export') for (const letter of lettersOf(spool)) await print(exportedLine(letter));
    else await list(spool, dirname(spoolFile), print);
  } finally {
    spool.close();
  }
  return 0;
}

function requireIds(words: readonly string[]): void {
  const wrong = words.find((word) => !/^[1-9][0-9]{0,14}$/.test(word));
  if (wrong !== undefined) throw new WrongUse(`${visible(wrong)} is no id`);
  if (words.length === 0) throw new WrongUse('replay needs ids, --all or a file');
}

function requireFile(file: string): void {
  if (!existsSync(file)) throw new FileError(`${visible(file)} is not there`);
}

function opened(file: string): Spool {
  if (file === '') throw new FileError('SPOOL_FILE is required');
  requireFile(file);
  if (isFile(file))
    throw new FileError(`${visible(file)} is no spool: it is listed by ${COMMAND} list ${visible(file)}`);
  try {
    return openSpool(file);
  } catch (error) {
    if (!(error instanceof SpoolError)) throw error;
    throw new FileError(`${visible(file)} cannot be opened as a spool: ${visible(error.message)}`);
  }
}

/** The dead letters that exist now, one at a time. Replaying may add new ones, which are not included. */
function* lettersOf(spool: Spool): Generator<DeadLetterRow> {
  const newest = spool.newestDeadLetter();
  for (let after = 0; after < newest;) {
    const letter = spool.nextDeadLetter(after);
    if (letter === null || letter.id > newest) return;
    yield letter;
    after = letter.id;
  }
}

/** Letters that were moved out of the spool are not lost. */
async function list(spool: Spool, folder: string, print: Print): Promise<void> {
  for (const letter of lettersOf(spool)) await print(listed(letter));
  for (const { name } of filesIn(folder)) {
    const file = join(folder, name);
    await print(`${await messagesIn(file)} more in ${visible(file)}: ${COMMAND} list ${visible(file)}`);
  }
}

type Replays = { replayed: number; left: number };

const told = ({ replayed, left }: Replays) =>
  `${replayed} put back for delivery, ${left} still not understood`;

async function replayWanted(spool: Spool, ids: ReadonlySet<number> | 'all', print: Print): Promise<number> {
  const seen = new Set<number>();
  function* wanted() {
    for (const letter of lettersOf(spool)) {
      if (ids !== 'all' && !ids.has(letter.id)) continue;
      seen.add(letter.id);
      yield { letter };
    }
  }
  const replays = await replay(spool, wanted());
  await print(told(replays));
  if (replays.replayed > 0) await print('one that is refused again returns to the list under another id');
  const unknown = ids === 'all' ? [] : [...ids].filter((id) => !seen.has(id));
  if (unknown.length === 0) return 0;
  await print(`no dead letter has the id ${unknown.join(', ')}`);
  return 1;
}

/**
 * Puts what is understood of a file back for delivery. The bridge may be appending to the file, so it is renamed first;
 * a replay that was ended goes on with that one.
 */
async function replayFile(spool: Spool, file: string): Promise<Replays> {
  const underway = `${file}.replaying`;
  if (!existsSync(underway)) {
    requireFile(file);
    renameSync(file, underway);
  }
  const rest: string[] = [];
  const replays = await replay(spool, lettersIn(underway), ({ line }) => void rest.push(`${line}\n`));
  for (let from = 0; from < rest.length; from += REPLAY_GROUP)
    append(file, rest.slice(from, from + REPLAY_GROUP).join(''));
  rmSync(underway);
  return replays;
}

/**
 * Puts what is understood of letters back, in groups, between which the bridge, which uses the same file, can write.
 * @param leave gets each letter of which nothing was understood
 */
async function replay<Found extends { letter: DeadLetterRow }>(
  spool: Spool,
  letters: Iterable<Found> | AsyncIterable<Found>,
  leave: (found: Found) => void = () => undefined,
): Promise<Replays> {
  const told = { replayed: 0, left: 0 };
  let group: Replayed[] = [];
  async function flush(): Promise<void> {
    spool.replay(group);
    told.replayed += group.length;
    group = [];
    await wait(REPLAY_PAUSE_MS);
  }
  for await (const found of letters) {
    const made = found.letter.folded === 1 ? undefined : understood(found.letter);
    if (made?.decoded.deadLetter !== null) told.left += 1;
    if (made === undefined || made.decoded.readings.length === 0) leave(found);
    // Of a letter in a file nothing is in the spool.
    else group.push({ id: 'line' in found ? NOWHERE : found.letter.id, ...made });
    const readings = group.reduce((sum, { decoded }) => sum + decoded.readings.length, 0);
    if (group.length >= REPLAY_GROUP || readings >= REPLAY_READINGS) await flush();
  }
  await flush();
  return told;
}
