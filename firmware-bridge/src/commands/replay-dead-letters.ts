import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { REPAIR_STEPS } from '#contract/first-steps';
import { plantTopic } from '#contract/plant-id';
import { readingSchema } from '#contract/readings';
import { printable } from '#contract/printable-text';
import {
  parseMessage,
  decodeMessage,
  decodeElements,
  elementsPayload,
  RETAINED_REASON,
  type DecodedMessage,
  type MqttMessage,
} from '../broker/decode.ts';
import { withFileLock } from '../file-lock.ts';
import { appendLines, removeFile, renameFile } from '../files.ts';
import { DeadLetterFileError, readDeadLetterLines, REPLAYING_SUFFIX } from '../spool/dead-letter-files.ts';
import type { DeadLetterRow } from '../spool/dead-letter-store.ts';
import type { ReplayedLetter, Spool } from '../spool/spool.ts';
import { damagedFilePath, errorFirstStep, currentInstallation } from '../system-error.ts';

/* Replays dead letters from the spool, and from the files into which letters were moved. */

/** Maximum letters and readings per transaction. A pause after each lets the bridge write to the spool. */
const REPLAY_GROUP = 100;
const REPLAY_READINGS = 5000;
const REPLAY_PAUSE_MS = 50;
const NOWHERE = 0;

export const SHOWN_TEXT_LENGTH = 60;

/** The message about a damaged line, which a full disk or a power failure cut off. It stays in the file. */
export const damagedLineText = (file: string, number: number, line: string) =>
  `${printable(file)}: line ${number} is not a dead letter: ${printable(JSON.stringify(line.slice(0, SHOWN_TEXT_LENGTH)))}`;

/** The first step for a file with damaged lines. */
export const damagedFileStep = (file: string) =>
  REPAIR_STEPS.letters(file, dirname(file), asideOf(file), currentInstallation());

const asideOf = (file: string) => `${damagedFilePath(file)}.jsonl`;

/** @throws DeadLetterFileError if the file does not exist */
export function requireFile(file: string): void {
  if (!existsSync(file))
    throw new DeadLetterFileError(
      `${printable(file)} does not exist. First step: ${errorFirstStep('ENOENT', file)}`,
    );
}

type Replays = { replayed: number; left: number };

export const replaySummary = ({ replayed, left }: Replays) =>
  `messages to send: ${replayed}; not understood: ${left}`;

type DecodedReading = DecodedMessage['readings'][number];

/** Parses a reading in the form in which it was sent to the ingest worker; undefined for other elements. */
function rejectedReading(
  element: unknown,
  topic: string,
): { made: DecodedReading; receivedAt: number } | undefined {
  const parsed = readingSchema.safeParse(element);
  // A board could publish such an element itself. It must not be able to send readings of another plant.
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

/** Decodes a letter. Its elements are readings that the ingest worker rejected, or what a board sent. */
function understood(letter: DeadLetterRow): Omit<ReplayedLetter, 'id'> {
  const { topic, payload, receivedAt } = letter;
  const message: MqttMessage = {
    topic,
    payload,
    retained: letter.reason.includes(RETAINED_REASON),
    receivedAt,
  };
  const content = parseMessage(message);
  if ('reason' in content) return { message, decoded: decodeMessage(message) };
  const rejected = content.elements.flatMap((element) => rejectedReading(element, topic) ?? []);
  const others = content.elements.filter((element) => rejectedReading(element, topic) === undefined);
  // The new dead letter must not contain the readings that are now sent again.
  const left = rejected.length === 0 ? payload : elementsPayload(others);
  const decoded = decodeElements({ ...content, elements: others }, { ...message, payload: left });
  return {
    message: { ...message, receivedAt: rejected[0]?.receivedAt ?? receivedAt },
    decoded: { ...decoded, readings: [...rejected.map(({ made }) => made), ...decoded.readings] },
  };
}

/**
 * Puts the readings in a file back into the spool. It renames the file first, because the bridge may append
 * to the file meanwhile. Letters that are still not understood go into a file with the old name; then the
 * renamed file is deleted. A second call continues an interrupted replay.
 */
export async function replayDeadLetterFile(
  spool: Spool,
  named: string,
  print: (line: string) => Promise<void>,
): Promise<Replays> {
  const file = named.endsWith(REPLAYING_SUFFIX) ? named.slice(0, -REPLAYING_SUFFIX.length) : named;
  const underway = `${file}${REPLAYING_SUFFIX}`;
  if (!existsSync(underway)) {
    requireFile(file);
    withFileLock(file, () => renameFile(file, underway));
  }
  const rest: string[] = [];
  let isDamaged = false;
  const replays = await replayDeadLetters(
    spool,
    readDeadLetterLines(underway),
    async ({ letter, line, number }) => {
      rest.push(line);
      if (letter !== undefined) return;
      await print(damagedLineText(underway, number, line));
      isDamaged = true;
    },
  );
  withFileLock(file, () => {
    // An interrupted replay may already have written some of these lines. Do not write them twice.
    const there = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
    const missing = rest.filter((line) => !there.has(line));
    if (missing.length > 0) appendLines(file, missing.map((line) => `${line}\n`).join(''));
    removeFile(underway);
  });
  if (isDamaged)
    await print(
      `First step: ${printable(REPAIR_STEPS.lettersLeft(file, asideOf(file), currentInstallation()))}`,
    );
  return replays;
}

/**
 * Puts the readings in letters back into the spool, in groups. Between groups the bridge can write to it.
 * @param leave is called with each letter that has no readable reading
 */
export async function replayDeadLetters<Found extends { letter: DeadLetterRow | undefined }>(
  spool: Spool,
  letters: Iterable<Found> | AsyncIterable<Found>,
  leave: (found: Found) => void | Promise<void> = () => undefined,
): Promise<Replays> {
  const told = { replayed: 0, left: 0 };
  let group: ReplayedLetter[] = [];
  async function flush(): Promise<void> {
    spool.replay(group);
    told.replayed += group.length;
    group = [];
    await wait(REPLAY_PAUSE_MS);
  }
  for await (const found of letters) {
    const { letter } = found;
    const made = letter === undefined || letter.folded === 1 ? undefined : understood(letter);
    if (made?.decoded.deadLetter !== null) told.left += 1;
    if (letter === undefined || made === undefined || made.decoded.readings.length === 0) await leave(found);
    // A letter from a file has no row in the spool.
    else group.push({ id: 'line' in found ? NOWHERE : letter.id, ...made });
    const readings = group.reduce((sum, { decoded }) => sum + decoded.readings.length, 0);
    if (group.length >= REPLAY_GROUP || readings >= REPLAY_READINGS) await flush();
  }
  await flush();
  return told;
}

/**
 * Puts the readings of a dead letter back into the spool, with a payload that somebody has repaired.
 * @returns why the repaired payload cannot be decoded; undefined on success
 */
export function repairDeadLetter(spool: Spool, id: number, payload: string): string | undefined {
  const letter = spool.nextDeadLetter(id - 1);
  if (letter?.id !== id) return `no dead letter has the id ${id}`;
  if (letter.folded === 1) return 'this message was only counted, not stored';
  const made = understood({ ...letter, payload: Buffer.from(payload) });
  if (made.decoded.deadLetter !== null) return made.decoded.deadLetter.reason;
  spool.replay([{ id, ...made }]);
  return undefined;
}
