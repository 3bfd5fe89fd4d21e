import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { readingSchema } from '#contract/readings';
import { decode, topicOf, type Decoded, type Message } from './decode.ts';
import { openSpool, type DeadLetterRow, type Replayed, type Spool } from './spool.ts';

const usage = `usage: dead-letters list              one line for each
       dead-letters export            one line of JSON for each, with the whole payload
       dead-letters replay <id>…      tries these again, as if they had just been understood
       dead-letters replay --all      tries all of them

SPOOL_FILE names the spool; the bridge may be running.`;

const SHOWN_MAX = 60;
/** Dead letters replayed per transaction, with a pause after each so that the bridge can write. */
const REPLAY_GROUP = 100;
const REPLAY_PAUSE_MS = 50;

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

/** A reading rejected by the ingest worker is stored as it was sent, anything else as it came from the board. */
function understood(letter: DeadLetterRow): { message: Message; decoded: Decoded } {
  const { topic, payload, receivedAt } = letter;
  const retained = letter.reason.startsWith('retained');
  const message: Message = { topic, payload, retained, receivedAt };
  try {
    const { plant, datetime, soil_moisture, seq, received_at } = readingSchema.parse(
      JSON.parse(textOf(payload) ?? ''),
    );
    // A board can forge such a payload, and must not speak for another plant.
    if (topic !== topicOf(plant)) return { message, decoded: decode(message) };
    const reading = {
      plant,
      datetime: Date.parse(datetime),
      soilMoisture: soil_moisture,
      seq: seq ?? null,
      undated: false,
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
 * @param print prints a line; called one line at a time, because there may be more than fit into memory
 * @returns the exit code
 */
export async function deadLetterCommand(
  args: readonly string[],
  env: Record<string, string | undefined>,
  print: (line: string) => Promise<void>,
): Promise<number> {
  const [action, ...rest] = args;
  const file = env['SPOOL_FILE'] ?? '';
  const isKnown =
    action === 'list' || action === 'export' ? rest.length === 0 : action === 'replay' && rest.length > 0;
  if (!isKnown) {
    await print(usage);
    return 64;
  }
  if (!existsSync(file)) {
    await print(`SPOOL_FILE ${file === '' ? 'is required' : `${file} is not there`}`);
    return 78;
  }
  const isAll = rest[0] === '--all' && rest.length === 1;
  const ids = new Set(isAll ? [] : rest.map(Number));
  if (action === 'replay' && !isAll && rest.some((id) => !/^[1-9][0-9]{0,14}$/.test(id))) {
    await print(usage);
    return 64;
  }

  const spool = openSpool(file);
  try {
    if (action === 'replay') {
      const { replayed, left, seen } = await replay(spool, (id) => isAll || ids.has(id));
      await print(`${replayed} put back for delivery, ${left} still not understood`);
      if (replayed > 0) await print('one that is refused again returns to the list under another id');
      const unknown = [...ids].filter((id) => !seen.has(id));
      if (unknown.length > 0) {
        await print(`no dead letter has the id ${unknown.join(', ')}`);
        return 1;
      }
    } else {
      for (const letter of deadLetters(spool)) {
        await print(action === 'list' ? listed(letter) : exported(letter));
      }
    }
  } finally {
    spool.close();
  }
  return 0;
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
  let replayed = 0;
  let left = 0;
  const seen = new Set<number>();
  let group: Replayed[] = [];
  async function flush(): Promise<void> {
    spool.replay(group);
    replayed += group.length;
    group = [];
    // Let the bridge, which uses the same file, write in between.
    await wait(REPLAY_PAUSE_MS);
  }
  for (const letter of deadLetters(spool)) {
    if (!isWanted(letter.id)) continue;
    seen.add(letter.id);
    const made = understood(letter);
    if (made.decoded.deadLetters.length > 0) left += 1;
    else group.push({ id: letter.id, ...made });
    if (group.length >= REPLAY_GROUP) await flush();
  }
  await flush();
  return { replayed, left, seen };
}
