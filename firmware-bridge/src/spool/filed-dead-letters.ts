import {
  closeSync,
  createReadStream,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { visible } from '#contract/visible-text';
import * as z from 'zod';
import type { DeadLetterRow } from './dead-letters.ts';

const NAME = /^dead-letters-(\d{4}-\d{2}-\d{2})-(\d{3,})\.jsonl$/;

/** Every file of exported letters in the folder, oldest first. */
export function filesIn(folder: string): { name: string; day: string; part: number; size: number }[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const [, day, part] = NAME.exec(name) ?? [];
      if (day === undefined) return [];
      return [{ name, day, part: Number(part), size: statSync(join(folder, name)).size }];
    })
    .toSorted((a, b) => (a.day === b.day ? a.part - b.part : a.day < b.day ? -1 : 1));
}

/** Appends the lines and waits for the disk. Adds all of them or none. */
export function append(file: string, lines: string): void {
  const opened = openSync(file, 'a', 0o600);
  const { size } = fstatSync(opened);
  try {
    fchmodSync(opened, 0o600);
    writeSync(opened, lines);
    fsyncSync(opened);
  } catch (error) {
    ftruncateSync(opened, size);
    throw error;
  } finally {
    closeSync(opened);
  }
}

/** A line as `exportedLine` writes it. */
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

/** A file that cannot be used, in words for the operator. */
export class FileError extends Error {}

/**
 * The letters of a file, one at a time, each with its line.
 * @throws FileError naming the first line that is none
 */
export async function* lettersIn(file: string): AsyncGenerator<{ letter: DeadLetterRow; line: string }> {
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    if (line === '') continue;
    const letter = letterOf(line);
    if (letter === undefined) throw new FileError(`${visible(file)}: line ${number} is no dead letter`);
    yield { letter, line };
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

/** In a payload, which is a text within the line, the quotes would be escaped. */
const MESSAGES = /"messages":(\d+)/;

/** For how many messages the letters of a file stand. */
export async function messagesIn(file: string): Promise<number> {
  let messages = 0;
  for await (const line of linesOf(file)) {
    if (line !== '') messages += Number(MESSAGES.exec(line)?.[1] ?? 1);
  }
  return messages;
}

/** Counts the messages in all files of a folder, and reads only those that have changed since the last time. */
export function filedCounter(folder: string): () => Promise<number> {
  let known = new Map<string, number>();
  return async () => {
    const counts = new Map<string, number>();
    for (const { name, size } of filesIn(folder)) {
      const key = `${name} ${size}`;
      counts.set(key, known.get(key) ?? (await messagesIn(join(folder, name))));
    }
    known = counts;
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  };
}
