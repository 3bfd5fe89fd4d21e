import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { parseMessage, decodeElements, type DecodedMessage, type MqttMessage } from '../broker/decode.ts';
import { OVER_QUOTA_REASON, type DeadLetterTable } from './dead-letter-store.ts';
import type { Outbox } from './outbox.ts';
import { createRecentDeliveries, type RecentDeliveries } from './recent-deliveries.ts';
import { NOT_BEFORE_THROTTLED } from './tables.ts';
import type { QuotaChanges } from './quota.ts';
import type { StampColumns, ThrottledMessages } from './throttled-messages.ts';

type LoggedDeadLetter = { topic: string; bytes: number; count: number; reason: string };
export type WriteResult = QuotaChanges & { deadLetters: LoggedDeadLetter[] };
export type WriteOutcome = 'kept' | 'repeat' | 'refused';

/** If a board has fewer than `least` unpacked readings, more of its readings are unpacked, up to `most`. */
const AHEAD = { least: 500, most: 2000 };
const UNPACKED_AT_ONCE = 2000;
/** Maximum number of topics whose retained message is remembered: an open broker may have very many. */
const RETAINED_MAX = 20_000;
const DIGEST_BYTES = 16;

const statementsIn = (db: DatabaseSync) => ({
  addReading: db.prepare(
    `INSERT INTO readings (plant, datetime, soil_moisture, seq, needs_seq, undated, message, not_before, received_at,
       epoch, uptime, newest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  addEpoch: db.prepare('INSERT OR IGNORE INTO epochs (epoch, boot) VALUES (?, ?)'),
  findRetained: db.prepare('SELECT digest FROM retained WHERE topic = ?'),
  saveRetained: db.prepare('INSERT OR REPLACE INTO retained VALUES (?, ?)'),
  forgetRetained: db.prepare('DELETE FROM retained WHERE (SELECT count(*) FROM retained) >= ?'),
  countMessage: db.prepare('UPDATE spool SET messages = messages + 1 RETURNING messages AS number'),
});

/** Writes received messages into the spool, within a transaction. If the transaction fails, call `forget`. */
export class SpoolWriter {
  readonly #sql: ReturnType<typeof statementsIn>;
  readonly #deliveries: RecentDeliveries;
  readonly #due: Outbox;
  readonly #waiting: ThrottledMessages;
  readonly #deadLetters: DeadLetterTable;

  constructor(db: DatabaseSync, due: Outbox, waiting: ThrottledMessages, deadLetters: DeadLetterTable) {
    this.#sql = statementsIn(db);
    this.#deliveries = createRecentDeliveries(db);
    this.#due = due;
    this.#waiting = waiting;
    this.#deadLetters = deadLetters;
  }

  takeAll(messages: Iterable<MqttMessage>): WriteResult & { outcomes: WriteOutcome[] } {
    const told: LoggedDeadLetter[] = [];
    const outcomes = Array.from(messages, (message) => this.#take(message, told));
    this.#deliveries.save();
    return { outcomes, deadLetters: told, ...this.#waiting.save() };
  }

  unpack(boards: readonly string[]): WriteResult & { unpacked: number } {
    const told: LoggedDeadLetter[] = [];
    let left = UNPACKED_AT_ONCE;
    for (const plant of boards) {
      const ahead = this.#due.countOf(plant, AHEAD.least);
      const most = ahead < AHEAD.least ? Math.min(left, AHEAD.most - ahead) : 0;
      for (const part of this.#waiting.unpack(plant, most)) {
        const { message, number, decoded, stamp } = part;
        told.push(...this.#keep(message, decoded, number, stamp, part));
        left -= decoded.readings.length + (decoded.deadLetter?.count ?? 0);
      }
    }
    return { deadLetters: told, unpacked: UNPACKED_AT_ONCE - left, ...this.#waiting.save() };
  }

  takeAgain(message: MqttMessage, decoded: DecodedMessage): void {
    const number = decoded.readings.length > 1 ? this.#nextNumber() : null;
    this.#keep(message, decoded, number, this.#stampOf(message));
  }

  forget(): void {
    this.#waiting.forget();
    this.#deliveries.forget();
  }

  /** Call this when the broker begins a new session: packet ids start again, a known id is a new message. */
  forgetDeliveries(): void {
    this.#deliveries.forgetAll();
  }

  #take(message: MqttMessage, told: LoggedDeadLetter[]): WriteOutcome {
    if (this.#deliveries.isRepeat(message) || (message.retained && this.#wasRetained(message)))
      return 'repeat';
    const content = parseMessage(message);
    const stamp = this.#stampOf(message);
    const { payload } = message;
    if ('reason' in content) {
      told.push(...this.#keep(message, { readings: [], deadLetter: { payload, ...content } }, null, stamp));
      return 'kept';
    }
    const count = content.elements.length;
    const admission = this.#waiting.admit(message, content, () => this.#nextNumber(), stamp);
    if (admission === 'through') {
      const number = content.isArray ? this.#nextNumber() : null;
      told.push(...this.#keep(message, decodeElements(content, message), number, stamp));
    } else if (admission === 'refused') {
      this.#keep(
        message,
        { readings: [], deadLetter: { payload, reason: OVER_QUOTA_REASON, count } },
        null,
        stamp,
      );
      return 'refused';
    }
    return 'kept';
  }

  /**
   * Stores a message, or a part if it is unpacked in parts. `continues`: the part is not the first. `waited`:
   * it waited for tokens. `number` is null for a message with one reading. Returns a dead letter to log, if
   * there is one.
   */
  #keep(
    { topic, receivedAt, retained }: MqttMessage,
    { readings, newest, deadLetter }: DecodedMessage,
    number: number | null,
    stamp: StampColumns,
    { continues, waited } = { continues: false, waited: false },
  ): LoggedDeadLetter[] {
    const notBefore = waited ? NOT_BEFORE_THROTTLED : 0;
    const receipt: StampColumns = retained ? [receivedAt, 'retained', null] : stamp;
    for (const { plant, datetime, soilMoisture, seq, needsSeq, undated } of readings) {
      const flags = [needsSeq ? 1 : 0, undated ? 1 : 0];
      this.#sql.addReading.run(
        plant,
        datetime,
        soilMoisture,
        seq,
        ...flags,
        number,
        notBefore,
        ...receipt,
        undated ? null : (newest ?? null),
      );
    }
    if (deadLetter === null) return [];
    const { payload, count, reason } = deadLetter;
    const became = this.#deadLetters.add({ topic, receivedAt, message: number, continues, ...deadLetter });
    return became === 'kept' ? [{ topic, bytes: payload.byteLength, count, reason }] : [];
  }

  /** Whether the same retained message was received before: the broker sends them all on each connection. */
  #wasRetained({ topic, payload }: MqttMessage): boolean {
    const digest = hash('sha256', payload, 'buffer').subarray(0, DIGEST_BYTES);
    const before = this.#sql.findRetained.get(topic)?.['digest'];
    if (before instanceof Uint8Array && digest.equals(before)) return true;
    if (before === undefined) this.#sql.forgetRetained.run(RETAINED_MAX);
    this.#sql.saveRetained.run(topic, digest);
    return false;
  }

  #stampOf({ receivedAt, stampedBy }: MqttMessage): StampColumns {
    const own = typeof stampedBy === 'object' ? stampedBy : undefined;
    if (own) this.#sql.addEpoch.run(own.epoch, own.boot);
    return [receivedAt, own?.epoch ?? (stampedBy === 'server' ? 'server' : null), own?.uptime ?? null];
  }

  #nextNumber(): number {
    return z.object({ number: z.int() }).parse(this.#sql.countMessage.get()).number;
  }
}
