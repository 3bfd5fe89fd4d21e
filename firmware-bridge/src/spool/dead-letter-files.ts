import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time';
import { printableJson } from '#contract/printable-text';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import { appendLines, removeFile } from '../files.ts';
import { errorText, log } from '../log.ts';
import { createPause } from '../pause.ts';
import type { DeadLetterRow } from './dead-letter-store.ts';

export function utf8TextOrNull(payload: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
  } catch {
    return null;
  }
}

export const isoTime = (instant: number) => new Date(instant).toISOString();

export function deadLetterLine(letter: DeadLetterRow): string {
  const { id, receivedAt, topic, reason, payload, messages, readings, folded } = letter;
  const counts = { messages, readings };
  const text = utf8TextOrNull(payload);
  const content =
    text === null ? { payload_base64: Buffer.from(payload).toString('base64') } : { payload: text };
  return printableJson({
    id,
    received_at: isoTime(receivedAt),
    topic,
    reason,
    ...counts,
    ...(folded === 1 ? { only_counted: true } : content),
  });
}

/** A file's name ends like this during its replay, and after an interrupted replay. */
export const REPLAYING_SUFFIX = '.replaying';
const NAME = /^dead-letters-(\d{4}-\d{2}-\d{2})-(\d{3,})\.jsonl(\.replaying)?$/;

type Filed = { name: string; day: string; part: number; size: number; isReplaying: boolean };

export function deadLetterFilesIn(folder: string): Filed[] {
  return readdirSync(folder)
    .flatMap((name): Filed[] => {
      const [, day, part, replaying] = NAME.exec(name) ?? [];
      // Another process may have replayed or removed the file since its name was read.
      const found = day === undefined ? undefined : statSync(join(folder, name), { throwIfNoEntry: false });
      if (day === undefined || found === undefined) return [];
      return [{ name, day, part: Number(part), size: found.size, isReplaying: replaying !== undefined }];
    })
    .toSorted((a, b) => (a.day === b.day ? a.part - b.part : a.day < b.day ? -1 : 1));
}

const lineSchema = z.object({
  id: z.int(),
  received_at: z.iso.datetime().transform(Date.parse),
  topic: z.string(),
  reason: z.string(),
  messages: z.int(),
  readings: z.int(),
  only_counted: z.boolean().default(false),
  payload: z.string().optional(),
  payload_base64: z.string().optional(),
});

const linesOf = (file: string) => createInterface({ input: createReadStream(file, 'utf8') });

/** A file cannot be used. The error's message is for the operator. */
export class DeadLetterFileError extends Error {}

/** Reads the lines of a file, one at a time, each with its dead letter; undefined if a line is damaged. */
export async function* readDeadLetterLines(
  file: string,
): AsyncGenerator<{ letter: DeadLetterRow | undefined; line: string; number: number }> {
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    if (line !== '') yield { letter: letterOf(line), line, number };
  }
}

function letterOf(line: string): DeadLetterRow | undefined {
  const parsed = lineSchema.safeParse(jsonIn(line));
  if (!parsed.success) return undefined;
  const { received_at: receivedAt, only_counted, payload = '', payload_base64, ...rest } = parsed.data;
  const bytes = payload_base64 === undefined ? Buffer.from(payload) : Buffer.from(payload_base64, 'base64');
  return { ...rest, receivedAt, folded: only_counted ? 1 : 0, payload: bytes };
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Finds the number without parsing the line. Quotes in a payload are escaped, so they do not match. */
const MESSAGES = /"messages":(\d+)/;

export async function countMessagesIn(file: string): Promise<number> {
  let messages = 0;
  for await (const line of linesOf(file)) {
    if (line !== '') messages += Number(MESSAGES.exec(line)?.[1] ?? 1);
  }
  return messages;
}

/** Counts the messages in all files of a folder. Reads only files that have changed since the last count. */
export function createDeadLetterFileCounter(folder: string): () => Promise<number> {
  let known = new Map<string, number>();
  return async () => {
    const counts = new Map<string, number>();
    for (const { name, size } of deadLetterFilesIn(folder)) {
      const key = `${name} ${size}`;
      counts.set(key, known.get(key) ?? (await countMessagesIn(join(folder, name))));
    }
    known = counts;
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  };
}

const MEGABYTE = 1024 * 1024;

/** The functions of the spool that an export needs. */
type Source = {
  nextDeadLetter: (after: number, before?: number) => DeadLetterRow | null;
  deadLetterBytes: () => number;
  removeExported: (letters: readonly DeadLetterRow[]) => void;
};

type DeadLetterLimits = {
  /** If the letters together have more bytes than this, the oldest letters are exported into files. */
  /** Letters that are older than this are exported into files. */
  bytes: number;
  ageMs: number;
  /** If the files together have more bytes than this, the oldest file is removed. */
  filesBytes: number;
};

export type DeadLetterFiles = {
  /** The number of messages in the files; null until they are counted. */
  filed: () => number | null;
  stop: () => Promise<void>;
};

/** Enough for an operator who looks at the letters four times a year, and small enough for an SD card. */
const LIMITS: DeadLetterLimits = { bytes: 64 * MEGABYTE, ageMs: 90 * DAY_MS, filesBytes: 256 * MEGABYTE };

/** The maximum size of one file as a share of `filesBytes`: removing one file must not delete all letters. */
const FILE_SHARE = 1 / 4;
/** An export leaves this share of the limit in the spool: otherwise the limit would soon be reached again. */
const REDUCED_TO = 0.9;
/** Letters are exported in groups of this many bytes; between two groups the bridge does its other work. */
const GROUP_BYTES = MEGABYTE;
const GROUP_MAX = 500;

function fileFor(folder: string, day: string, partBytes: number): string {
  const last = deadLetterFilesIn(folder).findLast((file) => file.day === day && !file.isReplaying);
  const part = last === undefined ? 1 : last.size < partBytes ? last.part : last.part + 1;
  return join(folder, `dead-letters-${day}-${String(part).padStart(3, '0')}.jsonl`);
}

function removeOldestFiles(folder: string, filesBytes: number): void {
  const files = deadLetterFilesIn(folder);
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  for (const { name, size, isReplaying } of files.slice(0, -1)) {
    if (bytes <= filesBytes) return;
    if (isReplaying) continue;
    removeFile(join(folder, name));
    log('warn', 'dead_letter_file_removed', { file: name, bytes: size });
    bytes -= size;
  }
}

/**
 * Exports the oldest dead letters into files in the folder, if they are too old or have too many bytes.
 * @param before letters received before this instant are too old
 * @throws Error if a file or the spool fails; letters that were not exported stay in the spool
 */
export async function exportDeadLetters(
  spool: () => Source,
  folder: string,
  limits: DeadLetterLimits,
  { now, before }: { now: number; before: number },
): Promise<void> {
  const day = new Date(now).toISOString().slice(0, 10);
  const isTooMuch = spool().deadLetterBytes() > limits.bytes;
  for (;;) {
    const excess = isTooMuch ? spool().deadLetterBytes() - limits.bytes * REDUCED_TO : 0;
    const group = nextGroup(spool(), excess, before);
    if (group.length === 0) return;
    const file = fileFor(folder, day, limits.filesBytes * FILE_SHARE);
    appendLines(file, group.map((letter) => `${deadLetterLine(letter)}\n`).join(''));
    spool().removeExported(group);
    const count = group.reduce((sum, { messages }) => sum + messages, 0);
    log('info', 'dead_letters_exported', { count, file });
    removeOldestFiles(folder, limits.filesBytes);
    await new Promise(setImmediate);
  }
}

function nextGroup(spool: Source, excess: number, before: number): DeadLetterRow[] {
  const group: DeadLetterRow[] = [];
  let bytes = 0;
  while (bytes < GROUP_BYTES && group.length < GROUP_MAX) {
    const after = group.at(-1)?.id ?? 0;
    const letter = spool.nextDeadLetter(after, bytes < excess ? undefined : before);
    if (letter === null) break;
    group.push(letter);
    bytes += letter.payload.byteLength + letter.topic.length + letter.reason.length;
  }
  return group;
}

export function startDeadLetterFiles(
  spool: () => Source,
  folder: string,
  clock: Clock,
  limits = LIMITS,
): DeadLetterFiles {
  const pause = createPause();
  const stopping = new AbortController();
  const countFiled = createDeadLetterFileCounter(folder);
  let agedAt = -Infinity;
  let filed: number | null = null;

  async function look(): Promise<void> {
    // Until the server's time is known, letters may wrongly seem too old.
    const isHour = clock.serverOffset() !== null && clock.uptime() - agedAt >= HOUR_MS;
    const now = clock.now();
    await exportDeadLetters(spool, folder, limits, { now, before: isHour ? now - limits.ageMs : 0 });
    if (isHour) agedAt = clock.uptime();
    filed = await countFiled();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) =>
        log('warn', 'dead_letter_export_failed', { reason: errorText(error) }),
      );
      await pause.wait(MINUTE_MS);
    }
  }

  const done = run();
  return {
    filed: () => filed,
    stop: () => {
      stopping.abort();
      pause.wake();
      return done;
    },
  };
}
