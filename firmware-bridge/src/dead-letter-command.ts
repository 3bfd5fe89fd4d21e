import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { readingSchema } from '#contract/readings';
import { visible } from '#contract/visible-text';
import { exportedLine, iso, textOf } from './dead-letter-lines.ts';
import {
  contentOf,
  decode,
  decodeElements,
  elementsPayload,
  RETAINED,
  topicOf,
  type Decoded,
  type Message,
} from './decode.ts';
import type { Replayed } from './spool-file.ts';
import { openSpool, type Spool } from './spool.ts';
import type { DeadLetterRow } from './spooled-dead-letters.ts';

const usage = `usage: dead-letters list              one line for each
       dead-letters export            one line of JSON for each, with the whole payload
       dead-letters replay <id>…      tries these again, as if they had just been understood
       dead-letters replay --all      tries all of them

SPOOL_FILE names the spool; the bridge may be running.`;

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
  if (!parsed.success || topic !== topicOf(parsed.data.plant)) return undefined;
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
  const [action, ...rest] = args;
  const file = env['SPOOL_FILE'] ?? '';
  const isKnown =
    action === 'list' || action === 'export' ? rest.length === 0 : action === 'replay' && rest.length > 0;
  if (!isKnown) {
    await print(usage);
    return 64;
  }
  if (!existsSync(file)) {
    await print(`SPOOL_FILE ${file === '' ? 'is required' : `${visible(file)} is not there`}`);
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
        await print(action === 'list' ? listed(letter) : exportedLine(letter));
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
  let size = 0;
  async function flush(): Promise<void> {
    spool.replay(group);
    replayed += group.length;
    group = [];
    size = 0;
    // Let the bridge, which uses the same file, write in between.
    await wait(REPLAY_PAUSE_MS);
  }
  for (const letter of deadLetters(spool)) {
    if (!isWanted(letter.id)) continue;
    seen.add(letter.id);
    const made = understood(letter);
    const { readings, deadLetter } = made.decoded;
    if (deadLetter !== null) left += 1;
    if (readings.length > 0) group.push({ id: letter.id, ...made });
    size += readings.length;
    if (group.length >= REPLAY_GROUP || size >= REPLAY_READINGS) await flush();
  }
  await flush();
  return { replayed, left, seen };
}
