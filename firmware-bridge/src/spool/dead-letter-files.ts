import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS } from '#contract/time';
import type { Clock } from '../clock.ts';
import { exportedLine } from './dead-letter-lines.ts';
import { append, filedCounter, filesIn } from './filed-dead-letters.ts';
import { errorText, log } from '../log.ts';
import { createPause } from '../pause.ts';
import type { Spool } from './spool.ts';
import type { DeadLetterRow } from './dead-letters.ts';

export type DeadLetterLimits = {
  /** Bytes of all dead letters, and the age of one, beyond which the oldest are exported. */
  bytes: number;
  ageMs: number;
  /** Bytes of all files of exported letters, beyond which the oldest file is removed. */
  filesBytes: number;
};

export type DeadLetterFiles = {
  /** How many messages the letters in the files stand for; null before they were counted. */
  filed: () => number | null;
  stop: () => Promise<void>;
};

/** A file takes so large a part of the room of all, so that what is removed at once is not all there is. */
const FILE_SHARE = 1 / 4;
/** Beyond their limit the letters are reduced to this share of it, so that it is not reached again at once. */
const REDUCED_TO = 0.9;
/** Letters are exported in groups of this many bytes, between which the bridge goes on. */
const GROUP_BYTES = 1024 * 1024;
const GROUP_MAX = 500;

function fileFor(folder: string, day: string, partBytes: number): string {
  const last = filesIn(folder).findLast((file) => file.day === day);
  const part = last === undefined ? 1 : last.size < partBytes ? last.part : last.part + 1;
  return join(folder, `dead-letters-${day}-${String(part).padStart(3, '0')}.jsonl`);
}

function removeOldestFiles(folder: string, filesBytes: number): void {
  const files = filesIn(folder);
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  for (const { name, size } of files.slice(0, -1)) {
    if (bytes <= filesBytes) return;
    rmSync(join(folder, name));
    log('warn', 'dead_letter_file_removed', { file: name, bytes: size });
    bytes -= size;
  }
}

/**
 * Exports the oldest dead letters into files in the folder, while there are too many bytes of them or they are too old.
 * @param before when a letter was received that is too old
 * @throws Error when a file or the spool fails; what was not exported stays
 */
export async function exportDeadLetters(
  spool: () => Spool,
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
    append(file, group.map((letter) => `${exportedLine(letter)}\n`).join(''));
    spool().removeExported(group);
    const count = group.reduce((sum, { messages }) => sum + messages, 0);
    log('info', 'dead_letters_exported', { count, file });
    removeOldestFiles(folder, limits.filesBytes);
    await new Promise(setImmediate);
  }
}

/** The oldest letters: enough for the excess of bytes, and those received before an instant. */
function nextGroup(spool: Spool, excess: number, before: number): DeadLetterRow[] {
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

/** Exports dead letters from time to time, until it is stopped. */
export function startDeadLetterFiles(
  spool: () => Spool,
  folder: string,
  limits: DeadLetterLimits,
  clock: Clock,
): DeadLetterFiles {
  const pause = createPause();
  const stopping = new AbortController();
  const countFiled = filedCounter(folder);
  let agedAt = -Infinity;
  let filed: number | null = null;

  async function look(): Promise<void> {
    // Before the server's time is known, everything may seem too old.
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
