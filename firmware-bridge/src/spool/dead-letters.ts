import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { DEAD_BOARDS_MAX, type DeadBoard, type Reading } from '#contract/readings';
import { plantTopic } from '#contract/plant-id';
import { PAYLOAD_MAX, REASON_MAX, plantOf } from '../broker/decode.ts';

const rowSchema = z.object({
  id: z.int(),
  topic: z.string(),
  payload: z.instanceof(Uint8Array),
  reason: z.string(),
  receivedAt: z.int(),
  /** For how many messages, and readings in them, it stands. */
  messages: z.int(),
  readings: z.int(),
  /** 1 when these are only counted. */
  folded: z.int(),
});
export type DeadLetterRow = z.infer<typeof rowSchema>;

export type NewDeadLetter = {
  topic: string;
  payload: Uint8Array;
  reason: string;
  /** Readings in it. */
  count: number;
  /** Number of the message of several readings that it is about, and whether more of it came before. */
  message: number | null;
  continues: boolean;
  receivedAt: number;
};

export type Rejection = { message: number | null; reading: Reading; reason: string };

/** The table of dead letters. Every function is called within a transaction. */
export type SpooledDeadLetters = {
  /** Keeps the letter, adds it to that of its message, or only counts it when its board has enough of them. */
  add: (letter: NewDeadLetter) => 'kept' | 'added' | 'counted';
  /** Keeps readings that the ingest worker rejected, those of one message together, or counts them as well. */
  addRejected: (rejected: readonly Rejection[], now: number) => void;
  /** The oldest with a higher id, received before an instant; null when there is none. */
  next: (after: number, before?: number) => DeadLetterRow | null;
  newest: () => number;
  remove: (id: number) => void;
  totals: () => { messages: number; readings: number; bytes: number };
  /** The boards with the most, by their level of the topic. */
  most: () => DeadBoard[];
};

/** What is only counted, by why it is a dead letter. */
const COUNTED = {
  misunderstood: 'not understood, and only counted: its board has enough dead letters',
  refused: 'beyond the quota of its board, and only counted',
  crowded: 'of more boards than there may be, and only counted',
  rejected: 'rejected by the ingest worker, and only counted: its board has enough dead letters',
} as const;
/**
 * How much more room readings that the worker rejected have: a key without its plants is an operator's slip, which a
 * replay mends, so of an ordinary board weeks of them are kept.
 */
const REJECTED_SHARE = 4;
export const OVER_QUOTA = 'beyond the quota of its board';

/** Under which what made-up plants send is counted together. */
const EVERY_TOPIC = plantTopic('+', 'soil_moisture');

const totalsSchema = z.object({ messages: z.int(), readings: z.int(), bytes: z.int() });
const boardSchema = z.object({ topic: z.string(), messages: z.int() });
const bytesSchema = z.object({ bytes: z.int() }).optional();
const countSchema = z.object({ count: z.int() });
const mergedSchema = z
  .object({ id: z.int(), payload: z.instanceof(Uint8Array), reason: z.string(), readings: z.int() })
  .optional();
const listSchema = z.array(z.unknown());

const elementsIn = (payload: Uint8Array) => listSchema.parse(JSON.parse(new TextDecoder().decode(payload)));
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/**
 * @param bytesPerBoard how many bytes of letters each board may fill; rejected readings go on to four times of it
 * @param boards how many boards may have letters
 */
export function spooledDeadLetters(
  db: DatabaseSync,
  bytesPerBoard: number,
  boards: number,
): SpooledDeadLetters {
  const insert = db.prepare(
    'INSERT INTO dead_letters (topic, payload, reason, received_at, message, readings) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const count = db.prepare(
    `INSERT INTO dead_letters (topic, payload, reason, received_at, readings, messages, folded)
     VALUES (?, x'', ?, ?, ?, ?, 1)
     ON CONFLICT (topic, reason) WHERE folded = 1 DO UPDATE SET messages = messages + excluded.messages,
       readings = readings + excluded.readings, received_at = excluded.received_at`,
  );
  const findBytes = db.prepare('SELECT bytes FROM dead_letter_sizes WHERE topic = ?');
  const findOfMessage = db.prepare(
    'SELECT id, payload, reason, readings FROM dead_letters WHERE message = ? ORDER BY id DESC LIMIT 1',
  );
  const change = db.prepare('UPDATE dead_letters SET payload = ?, reason = ?, readings = ? WHERE id = ?');
  const findNext = db.prepare(
    `SELECT id, topic, payload, reason, received_at AS receivedAt, messages, readings, folded
     FROM dead_letters WHERE id > ? AND received_at < ? ORDER BY id LIMIT 1`,
  );
  const findNewest = db.prepare('SELECT coalesce(max(id), 0) AS id FROM dead_letters');
  const removeOne = db.prepare('DELETE FROM dead_letters WHERE id = ?');
  const findTotals = db.prepare(
    `SELECT coalesce(sum(messages), 0) AS messages, coalesce(sum(readings), 0) AS readings,
       coalesce(sum(bytes), 0) AS bytes FROM dead_letter_sizes`,
  );

  const findMost = db.prepare(
    `SELECT topic, messages FROM dead_letter_sizes WHERE messages > 0
     ORDER BY messages DESC, topic LIMIT ${DEAD_BOARDS_MAX}`,
  );

  /** Adds elements to the letter of their message; false when there is none or it is large already. */
  function merge(message: number, elements: readonly unknown[], reason: string): boolean {
    const found = mergedSchema.parse(findOfMessage.get(message));
    if (found === undefined || found.payload.byteLength > PAYLOAD_MAX) return false;
    const before = elementsIn(found.payload);
    const reasons = found.reason.includes(reason) ? found.reason : `${found.reason}; ${reason}`;
    change.run(
      encode([...before, ...elements]),
      reasons.slice(0, REASON_MAX),
      found.readings + elements.length,
      found.id,
    );
    return true;
  }

  const countTopics = db.prepare('SELECT count(*) AS count FROM dead_letter_sizes');
  /** At a broker that takes anybody, who makes up ever new names must not push the letters of others out. */
  const isCrowded = (topic: string) =>
    findBytes.get(topic) === undefined && countSchema.parse(countTopics.get()).count >= boards;
  const bytesOf = (topic: string) => bytesSchema.parse(findBytes.get(topic))?.bytes ?? 0;

  /** Keeps readings of one board that were rejected for one reason, or counts them. */
  function keepRejected(readings: readonly Reading[], reason: string, message: number | null, now: number) {
    const topic = plantTopic(readings[0]?.plant ?? '', 'soil_moisture');
    const payload = encode(message === null ? readings[0] : readings);
    if (isCrowded(topic)) count.run(EVERY_TOPIC, COUNTED.crowded, now, readings.length, 1);
    else if (bytesOf(topic) + payload.byteLength > REJECTED_SHARE * bytesPerBoard)
      count.run(topic, COUNTED.rejected, now, readings.length, 1);
    else if (message === null || !merge(message, readings, reason))
      insert.run(topic, payload, reason, now, message, readings.length);
  }

  return {
    add: ({ topic, payload, reason, count: readings, message, continues, receivedAt }) => {
      if (message !== null && merge(message, elementsIn(payload), reason)) return 'added';
      if (isCrowded(topic)) {
        count.run(EVERY_TOPIC, COUNTED.crowded, receivedAt, readings, continues ? 0 : 1);
        return 'counted';
      }
      if (bytesOf(topic) + payload.byteLength > bytesPerBoard) {
        const why = reason === OVER_QUOTA ? COUNTED.refused : COUNTED.misunderstood;
        count.run(topic, why, receivedAt, readings, continues ? 0 : 1);
        return 'counted';
      }
      insert.run(topic, payload, reason, receivedAt, message, readings);
      return 'kept';
    },
    addRejected: (rejected, now) => {
      const ofMessages = Map.groupBy(rejected, ({ message }) => message);
      for (const [message, rejections] of ofMessages) {
        if (message === null) {
          for (const { reading, reason } of rejections) keepRejected([reading], reason, null, now);
          continue;
        }
        for (const [reason, those] of Map.groupBy(rejections, (rejection) => rejection.reason)) {
          const readings = those.map(({ reading }) => reading);
          keepRejected(readings, reason, message, now);
        }
      }
    },
    next: (after, before = Number.MAX_SAFE_INTEGER) => {
      const found = findNext.get(after, before);
      return found === undefined ? null : rowSchema.parse(found);
    },
    newest: () => z.object({ id: z.int() }).parse(findNewest.get()).id,
    remove: (id) => void removeOne.run(id),
    totals: () => totalsSchema.parse(findTotals.get()),
    most: () =>
      z
        .array(boardSchema)
        .parse(findMost.all())
        .map(({ topic, messages }) => ({ plant: (plantOf(topic) ?? topic).slice(0, 200), messages })),
  };
}
