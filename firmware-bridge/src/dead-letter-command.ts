import { existsSync } from 'node:fs';
import { readingSchema } from '#contract/readings';
import { decode, type Decoded, type Message } from './decode.ts';
import { openSpool, type DeadLetterRow } from './spool.ts';

const usage = `usage: dead-letters list              one line for each
       dead-letters export            one line of JSON for each, with the whole payload
       dead-letters replay <id>…      tries these again, as if they had just been understood
       dead-letters replay --all      tries all of them

SPOOL_FILE names the spool; the bridge may be running.`;

const SHOWN_MAX = 60;

function textOf(payload: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
  } catch {
    return null;
  }
}

const iso = (instant: number) => new Date(instant).toISOString();

function listed({ id, receivedAt, topic, reason, payload }: DeadLetterRow): string {
  const text = textOf(payload.subarray(0, 4 * SHOWN_MAX));
  const shown = text === null ? `${payload.byteLength} bytes` : JSON.stringify(text.slice(0, SHOWN_MAX));
  return `${id}\t${iso(receivedAt)}\t${topic}\t${reason}\t${shown}`;
}

function exported({ id, receivedAt, topic, reason, payload }: DeadLetterRow): string {
  const text = textOf(payload);
  const content =
    text === null ? { payload_base64: Buffer.from(payload).toString('base64') } : { payload: text };
  return JSON.stringify({ id, received_at: iso(receivedAt), topic, reason, ...content });
}

/** What was rejected by the ingest worker lies there as it was sent, everything else as it came from the board. */
function understood(letter: DeadLetterRow): { message: Message; decoded: Decoded } {
  const { topic, payload, receivedAt } = letter;
  const retained = letter.reason.startsWith('retained');
  const message: Message = { topic, payload, retained, receivedAt };
  try {
    const { plant, datetime, soil_moisture, seq, received_at } = readingSchema.parse(
      JSON.parse(textOf(payload) ?? ''),
    );
    const reading = {
      plant,
      datetime: Date.parse(datetime),
      soilMoisture: soil_moisture,
      seq: seq ?? null,
      needsSeq: false,
    };
    return {
      message: { ...message, receivedAt: Date.parse(received_at) },
      decoded: { readings: [reading], deadLetters: [] },
    };
  } catch {
    return { message, decoded: decode(message) };
  }
}

/**
 * Lists, exports or replays the dead letters of the spool in SPOOL_FILE.
 * @param print takes one line at a time: there may be more than fit into memory
 * @returns the exit code
 */
export function deadLetterCommand(
  args: readonly string[],
  env: Record<string, string | undefined>,
  print: (line: string) => void,
): number {
  const [action, ...rest] = args;
  const file = env['SPOOL_FILE'] ?? '';
  const isKnown =
    action === 'list' || action === 'export' ? rest.length === 0 : action === 'replay' && rest.length > 0;
  if (!isKnown) {
    print(usage);
    return 64;
  }
  if (!existsSync(file)) {
    print(`SPOOL_FILE ${file === '' ? 'is required' : `${file} is not there`}`);
    return 78;
  }
  const isAll = rest[0] === '--all' && rest.length === 1;
  const ids = new Set(rest.map(Number));
  if (action === 'replay' && !isAll && [...ids].some((id) => !Number.isSafeInteger(id))) {
    print(usage);
    return 64;
  }

  const spool = openSpool(file);
  let replayed = 0;
  let left = 0;
  for (let after = 0; ;) {
    const letter = spool.nextDeadLetter(after);
    if (letter === null) break;
    after = letter.id;
    if (action === 'list') print(listed(letter));
    else if (action === 'export') print(exported(letter));
    else if (isAll || ids.has(letter.id)) {
      const { message, decoded } = understood(letter);
      if (decoded.deadLetters.length === 0) {
        spool.replay(letter.id, { message, decoded });
        replayed += 1;
      } else {
        left += 1;
      }
    }
  }
  spool.close();
  if (action === 'replay') print(`${replayed} replayed, ${left} still not understood`);
  return 0;
}
