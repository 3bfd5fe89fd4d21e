import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { plantTopic } from '#contract/plant-id';
import { readingSchema } from '#contract/readings';
import { visible } from '#contract/visible-text';
import { EXIT_USAGE, helpText, readLine, wantsHelp, wrongUse, WrongUse } from './command-line.ts';
import { exportedLine, iso, textOf } from '../spool/dead-letter-lines.ts';
import { COMMAND, DEAD_LETTERS_HELP, isFile, orderIn, type Order } from './dead-letter-order.ts';
import {
  contentOf,
  decode,
  decodeElements,
  elementsPayload,
  RETAINED,
  type Decoded,
  type Message,
} from '../broker/decode.ts';
import { append, FileError, filesIn, lettersIn, messagesIn } from '../spool/filed-dead-letters.ts';
import { SpoolError } from '../spool/spool-error.ts';
import type { Replayed } from '../spool/spool-file.ts';
import { openSpool, type Spool } from '../spool/spool.ts';
import type { DeadLetterRow } from '../spool/dead-letters.ts';

const SHOWN_MAX = 60;
/** Dead letters, or readings in them, replayed per transaction, with a pause after each so that the bridge can write. */
const REPLAY_GROUP = 100;
const REPLAY_READINGS = 5000;
const REPLAY_PAUSE_MS = 50;

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

/**
 * Lists, exports or replays the dead letters of the spool in SPOOL_FILE.
 * @param print prints a line; called one line at a time, because there may be more than fit into memory
 * @returns the exit code
 */
export async function deadLetterCommand(
  args: readonly string[],
  env: Record<string, string | undefined>,
  print: (line: string) => Promise<void>,
): Promise<number> {
  if (wantsHelp(args)) {
    await print(helpText(DEAD_LETTERS_HELP));
    return 0;
  }
  try {
    return await carryOut(orderIn(readLine(DEAD_LETTERS_HELP, args)), env['SPOOL_FILE'] ?? '', print);
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

async function carryOut(
  order: Order,
  spoolFile: string,
  print: (line: string) => Promise<void>,
): Promise<number> {
  if ('file' in order && order.action === 'list') {
    requireFile(order.file);
    for await (const { letter } of lettersIn(order.file)) await print(listed(letter));
    return 0;
  }
  if (spoolFile === '') throw new FileError('SPOOL_FILE is required');
  requireFile(spoolFile);
  if (isFile(spoolFile))
    throw new FileError(
      `${visible(spoolFile)} is no spool: it is listed by ${COMMAND} list ${visible(spoolFile)}`,
    );
  const spool = opened(spoolFile);
  try {
    if ('file' in order) {
      const { replayed, left } = await replayFile(spool, order.file);
      await print(`${replayed} put back for delivery, ${left} still not understood`);
    } else if ('ids' in order) {
      return await replayWanted(spool, order.ids, print);
    } else {
      for (const letter of deadLetters(spool)) {
        await print(order.action === 'list' ? listed(letter) : exportedLine(letter));
      }
      if (order.action === 'list') await listFiles(dirname(spoolFile), print);
    }
  } finally {
    spool.close();
  }
  return 0;
}

function requireFile(file: string): void {
  if (!existsSync(file)) throw new FileError(`${visible(file)} is not there`);
}

function opened(file: string): Spool {
  try {
    return openSpool(file);
  } catch (error) {
    if (!(error instanceof SpoolError)) throw error;
    throw new FileError(`${visible(file)} cannot be opened as a spool: ${visible(error.message)}`);
  }
}

/** Letters that were moved out of the spool are not lost. */
async function listFiles(folder: string, print: (line: string) => Promise<void>): Promise<void> {
  for (const { name } of filesIn(folder)) {
    const file = join(folder, name);
    await print(`${await messagesIn(file)} more in ${visible(file)}: ${COMMAND} list ${visible(file)}`);
  }
}

async function replayWanted(
  spool: Spool,
  ids: Set<number> | 'all',
  print: (line: string) => Promise<void>,
): Promise<number> {
  const { replayed, left, seen } = await replay(spool, (id) => ids === 'all' || ids.has(id));
  await print(`${replayed} put back for delivery, ${left} still not understood`);
  if (replayed > 0) await print('one that is refused again returns to the list under another id');
  const unknown = ids === 'all' ? [] : [...ids].filter((id) => !seen.has(id));
  if (unknown.length === 0) return 0;
  await print(`no dead letter has the id ${unknown.join(', ')}`);
  return 1;
}
/** The dead letters that exist now, one at a time. Replaying may add new ones, which are not included. */
function* deadLetters(spool: Spool): Generator<DeadLetterRow> {
  const newest = spool.newestDeadLetter();
  for (let after = 0; after < newest;) {
    const letter = spool.nextDeadLetter(after);
    if (letter === null || letter.id > newest) return;
    yield letter;
    after = letter.id;
  }
}

async function replay(spool: Spool, isWanted: (id: number) => boolean) {
  let left = 0;
  const seen = new Set<number>();
  const group = replayGroup(spool);
  for (const letter of deadLetters(spool)) {
    if (!isWanted(letter.id)) continue;
    seen.add(letter.id);
    const made = understood(letter);
    if (made.decoded.deadLetter !== null) left += 1;
    if (made.decoded.readings.length > 0) await group.add({ id: letter.id, ...made });
  }
  return { replayed: await group.end(), left, seen };
}

/** Of a letter in a file nothing is in the spool. */
const NOWHERE = 0;

/**
 * Puts what is understood of a file back for delivery. The bridge may be appending to the file, so it is renamed first;
 * a replay that was ended goes on with that one.
 */
async function replayFile(spool: Spool, file: string) {
  const underway = `${file}.replaying`;
  if (!existsSync(underway)) {
    requireFile(file);
    renameSync(file, underway);
  }
  let left = 0;
  const rest: string[] = [];
  const group = replayGroup(spool);
  for await (const { letter, line } of lettersIn(underway)) {
    const made = letter.folded === 1 ? undefined : understood(letter);
    if (made === undefined || made.decoded.deadLetter !== null) left += 1;
    if (made !== undefined && made.decoded.readings.length > 0) await group.add({ id: NOWHERE, ...made });
    else rest.push(`${line}\n`);
  }
  const replayed = await group.end();
  for (let from = 0; from < rest.length; from += REPLAY_GROUP)
    append(file, rest.slice(from, from + REPLAY_GROUP).join(''));
  rmSync(underway);
  return { replayed, left };
}

/** Puts letters back in groups, between which the bridge, which uses the same file, can write. */
function replayGroup(spool: Spool) {
  let replayed = 0;
  let group: Replayed[] = [];
  let size = 0;
  async function flush(): Promise<void> {
    spool.replay(group);
    replayed += group.length;
    group = [];
    size = 0;
    await wait(REPLAY_PAUSE_MS);
  }
  return {
    add: async (made: Replayed) => {
      group.push(made);
      size += made.decoded.readings.length;
      if (group.length >= REPLAY_GROUP || size >= REPLAY_READINGS) await flush();
    },
    end: async () => {
      await flush();
      return replayed;
    },
  };
}
