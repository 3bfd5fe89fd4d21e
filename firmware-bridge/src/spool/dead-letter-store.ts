import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { DEAD_LETTER_BOARDS_MAX, type BoardWithDeadLetters, type Reading } from '#contract/readings';
import { plantTopic } from '#contract/plant-id';
import type { BoardLimits } from './quota.ts';
import { PAYLOAD_BYTES_MAX, REASON_LENGTH_MAX, plantOfReadingTopic } from '../broker/decode.ts';

const rowSchema = z.object({
  id: z.int(),
  topic: z.string(),
  payload: z.instanceof(Uint8Array),
  reason: z.string(),
  receivedAt: z.int(),
  /** How many messages and readings this row stores or, if it is `folded`, only counts. */
  messages: z.int(),
  readings: z.int(),
  /** 1 if the messages are only counted and not stored. */
  folded: z.int(),
});
export type DeadLetterRow = z.infer<typeof rowSchema>;

type NewDeadLetter = {
  topic: string;
  payload: Uint8Array;
  reason: string;
  count: number;
  /** The number of the message with several readings from which the letter comes; null for others. */
  message: number | null;
  /** Whether the spool already has an earlier part of the message. */
  continues: boolean;
  receivedAt: number;
};

export type RejectedReading = { message: number | null; reading: Reading; reason: string };

/** The reasons in rows that only count messages. */
const COUNTED = {
  misunderstood: 'not understood, and only counted: its board has enough dead letters',
  refused: 'beyond the quota of its board, and only counted',
  crowded: 'of more boards than there may be, and only counted',
  rejected: 'rejected by the ingest worker, and only counted: its board has enough dead letters',
} as const;
/**
 * Rejected readings may use this many times the space of other dead letters: if a key lacks a plant, the
 * worker rejects good readings for weeks, until an operator adds the plant and replays the readings.
 */
const REJECTED_SHARE = 4;
export const OVER_QUOTA_REASON = 'beyond the quota of its board';

/** The topic under which the messages of all boards beyond the maximum are counted together. */
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

const statementsIn = (db: DatabaseSync) => ({
  insert: db.prepare(
    'INSERT INTO dead_letters (topic, payload, reason, received_at, message, readings) VALUES (?, ?, ?, ?, ?, ?)',
  ),
  count: db.prepare(
    `INSERT INTO dead_letters (topic, payload, reason, received_at, readings, messages, folded)
     VALUES (?, x'', ?, ?, ?, ?, 1)
     ON CONFLICT (topic, reason) WHERE folded = 1 DO UPDATE SET messages = messages + excluded.messages,
       readings = readings + excluded.readings, received_at = excluded.received_at`,
  ),
  findBytes: db.prepare('SELECT bytes FROM dead_letter_sizes WHERE topic = ?'),
  findOfMessage: db.prepare(
    'SELECT id, payload, reason, readings FROM dead_letters WHERE message = ? ORDER BY id DESC LIMIT 1',
  ),
  change: db.prepare('UPDATE dead_letters SET payload = ?, reason = ?, readings = ? WHERE id = ?'),
  findNext: db.prepare(
    `SELECT id, topic, payload, reason, received_at AS receivedAt, messages, readings, folded
     FROM dead_letters WHERE id > ? AND received_at < ? ORDER BY id LIMIT 1`,
  ),
  findNewest: db.prepare('SELECT coalesce(max(id), 0) AS id FROM dead_letters'),
  removeOne: db.prepare('DELETE FROM dead_letters WHERE id = ?'),
  findTotals: db.prepare(
    `SELECT coalesce(sum(messages), 0) AS messages, coalesce(sum(readings), 0) AS readings,
       coalesce(sum(bytes), 0) AS bytes FROM dead_letter_sizes`,
  ),
  findMost: db.prepare(
    `SELECT topic, messages FROM dead_letter_sizes WHERE messages > 0
     ORDER BY messages DESC, topic LIMIT ${DEAD_LETTER_BOARDS_MAX}`,
  ),
  countTopics: db.prepare('SELECT count(*) AS count FROM dead_letter_sizes'),
});

/** The table of dead letters. Every function is called within a transaction. */
export class DeadLetterTable {
  readonly #sql: ReturnType<typeof statementsIn>;
  readonly #limits: BoardLimits;

  constructor(db: DatabaseSync, limits: BoardLimits) {
    this.#sql = statementsIn(db);
    this.#limits = limits;
  }

  /** Adds elements to the letter of their message. Returns false if there is none, or it is too large. */
  #merge(message: number, elements: readonly unknown[], reason: string): boolean {
    const found = mergedSchema.parse(this.#sql.findOfMessage.get(message));
    if (found === undefined || found.payload.byteLength > PAYLOAD_BYTES_MAX) return false;
    const before = elementsIn(found.payload);
    const reasons = found.reason.includes(reason) ? found.reason : `${found.reason}; ${reason}`;
    this.#sql.change.run(
      encode([...before, ...elements]),
      reasons.slice(0, REASON_LENGTH_MAX),
      found.readings + elements.length,
      found.id,
    );
    return true;
  }

  /** Whether there are too many topics already: at an open broker, made-up names must not fill the spool. */
  #isCrowded(topic: string): boolean {
    const isKnown = this.#sql.findBytes.get(topic) !== undefined;
    return !isKnown && countSchema.parse(this.#sql.countTopics.get()).count >= this.#limits.boards;
  }

  #isFull(topic: string, payload: Uint8Array, bytes: number): boolean {
    const has = bytesSchema.parse(this.#sql.findBytes.get(topic))?.bytes ?? 0;
    return has + payload.byteLength > bytes;
  }

  #keepRejected(readings: readonly Reading[], reason: string, message: number | null, now: number) {
    const topic = plantTopic(readings[0]?.plant ?? '', 'soil_moisture');
    const payload = encode(message === null ? readings[0] : readings);
    if (this.#isCrowded(topic)) this.#sql.count.run(EVERY_TOPIC, COUNTED.crowded, now, readings.length, 1);
    else if (this.#isFull(topic, payload, REJECTED_SHARE * this.#limits.deadLetterBytes))
      this.#sql.count.run(topic, COUNTED.rejected, now, readings.length, 1);
    else if (message === null || !this.#merge(message, readings, reason))
      this.#sql.insert.run(topic, payload, reason, now, message, readings.length);
  }

  /** Stores the letter or adds it to an earlier letter of its message. Without room, only counts it. */
  add({
    topic,
    payload,
    reason,
    count: readings,
    message,
    continues,
    receivedAt,
  }: NewDeadLetter): 'kept' | 'added' | 'counted' {
    if (message !== null && this.#merge(message, elementsIn(payload), reason)) return 'added';
    if (this.#isCrowded(topic)) {
      this.#sql.count.run(EVERY_TOPIC, COUNTED.crowded, receivedAt, readings, continues ? 0 : 1);
      return 'counted';
    }
    if (this.#isFull(topic, payload, this.#limits.deadLetterBytes)) {
      const why = reason === OVER_QUOTA_REASON ? COUNTED.refused : COUNTED.misunderstood;
      this.#sql.count.run(topic, why, receivedAt, readings, continues ? 0 : 1);
      return 'counted';
    }
    this.#sql.insert.run(topic, payload, reason, receivedAt, message, readings);
    return 'kept';
  }

  /** Stores readings that the ingest worker rejected, one letter per message, or only counts the readings. */
  addRejected(rejected: readonly RejectedReading[], now: number): void {
    const ofMessages = Map.groupBy(rejected, ({ message }) => message);
    for (const [message, rejections] of ofMessages) {
      if (message === null) {
        for (const { reading, reason } of rejections) this.#keepRejected([reading], reason, null, now);
        continue;
      }
      for (const [reason, those] of Map.groupBy(rejections, (rejection) => rejection.reason)) {
        const readings = those.map(({ reading }) => reading);
        this.#keepRejected(readings, reason, message, now);
      }
    }
  }

  next(after: number, before = Number.MAX_SAFE_INTEGER): DeadLetterRow | null {
    const found = this.#sql.findNext.get(after, before);
    return found === undefined ? null : rowSchema.parse(found);
  }

  newest(): number {
    return z.object({ id: z.int() }).parse(this.#sql.findNewest.get()).id;
  }

  remove(id: number): void {
    this.#sql.removeOne.run(id);
  }

  totals(): { messages: number; readings: number; bytes: number } {
    return totalsSchema.parse(this.#sql.findTotals.get());
  }

  most(): BoardWithDeadLetters[] {
    const found = z.array(boardSchema).parse(this.#sql.findMost.all());
    return found.map(({ topic, messages }) => ({
      plant: (plantOfReadingTopic(topic) ?? topic).slice(0, 200),
      messages,
    }));
  }
}
