import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { DecodedMessage, MqttMessage } from '../broker/decode.ts';
import { createClock } from '../clock.ts';
import { makeFolder } from '../files.ts';
import { withErrorPath } from '../system-error.ts';
import { DeadLetterTable, type DeadLetterRow, type RejectedReading } from './dead-letter-store.ts';
import { SpoolDisk } from './disk.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { UNLIMITED_BOARD, type BoardLimits, type BootClock } from './quota.ts';
import { withSpoolErrors, SpoolError, type SpoolStatus } from './state.ts';
import { prepareTables, NOT_BEFORE_THROTTLED, type SpooledReading } from './tables.ts';
import { SpoolWriter, type WriteOutcome, type WriteResult } from './spool-writer.ts';
import { ThrottledMessages } from './throttled-messages.ts';

/** A dead letter that was decoded again: the result, and the letter's id. */
export type ReplayedLetter = { id: number; message: MqttMessage; decoded: DecodedMessage };
/** Each file begins at a random number: two bridges must not assign one seq to two readings of an instant. */
const SEQ_BASE_MAX = 2 ** 47;

const statusSchema = z.object({
  depth: z.int(),
  oldestReceivedAt: z.int().nullable(),
  exported: z.int(),
});

const statementsIn = (db: DatabaseSync) => ({
  findUnknownEpoch: db.prepare('SELECT 1 FROM epochs WHERE boot = ? AND server_offset IS NULL'),
  fixEpochs: db.prepare('UPDATE epochs SET server_offset = ? WHERE boot = ? AND server_offset IS NULL'),
  removeReadings: db.prepare('DELETE FROM readings WHERE id IN (SELECT value FROM json_each(?))'),
  postpone: db.prepare('UPDATE readings SET not_before = ? WHERE id = ?'),
  countExported: db.prepare('UPDATE spool SET exported = exported + ?'),
  findStatus: db.prepare(
    `SELECT (SELECT count(*) FROM readings) AS depth, exported,
       (SELECT coalesce(server_offset + uptime, received_at) FROM readings
        LEFT JOIN epochs ON epochs.epoch = readings.epoch
        WHERE not_before > ${NOT_BEFORE_THROTTLED} ORDER BY readings.id LIMIT 1) AS oldestReceivedAt
     FROM spool`,
  ),
});

/**
 * One SQLite file with the dead letters and the readings that are not delivered yet. Crashes and power
 * failures do not damage it. If the file fails, each function throws SpoolError and has changed nothing.
 */
export class Spool {
  readonly #disk: SpoolDisk;
  readonly #db: DatabaseSync;
  readonly #sql: ReturnType<typeof statementsIn>;
  readonly #due: Outbox;
  readonly #waiting: ThrottledMessages;
  readonly #deadLetters: DeadLetterTable;
  readonly #taking: SpoolWriter;

  constructor(disk: SpoolDisk, db: DatabaseSync, limits: BoardLimits, clock: BootClock) {
    if (!prepareTables(db))
      throw new SpoolError(
        'failed',
        'an unreleased version made the file: move it away, then start the bridge again',
      );
    db.prepare(
      `INSERT INTO spool (id, seq_base, opened_at) VALUES (1, ?1, ?2)
       ON CONFLICT (id) DO UPDATE SET opened_at = excluded.opened_at`,
    ).run(randomInt(SEQ_BASE_MAX), Date.now());
    this.#disk = disk;
    this.#db = db;
    this.#sql = statementsIn(db);
    this.#due = createOutbox(db);
    this.#waiting = new ThrottledMessages(db, limits, clock);
    this.#deadLetters = new DeadLetterTable(db, limits);
    this.#taking = new SpoolWriter(db, this.#due, this.#waiting, this.#deadLetters);
  }

  /**
   * Stores all of the messages, or none. Acknowledge them only after that. Returns for each message whether
   * it is new, repeated, or refused because too many readings of its board wait.
   */
  commit(messages: Iterable<MqttMessage>): WriteResult & { outcomes: WriteOutcome[] } {
    return withSpoolErrors(() => {
      if (!this.#disk.hasReserve() && !this.#disk.hasRoomBeside())
        throw new SpoolError('full', 'no room for the reserve file');
      return this.#inTransaction(() => {
        const taken = this.#taking.takeAll(messages);
        this.#disk.demand(this.#db);
        return taken;
      });
    });
  }

  /** Unpacks waiting readings, as many as the quotas allow and the delivery needs. Returns their number. */
  unpack(): WriteResult & { unpacked: number } {
    return this.#disk.withReserve(() => {
      const boards = this.#waiting.boards();
      if (boards.length === 0) return { deadLetters: [], over: [], within: [], unpacked: 0 };
      return this.#inTransaction(() => this.#taking.unpack(boards));
    });
  }

  /**
   * Returns at most `limit` readings: the same number of each board, each board's oldest first. Leaves out
   * readings that are postponed beyond `now`, and readings with the ids `besides`.
   */
  oldest(limit: number, now: number, besides?: readonly number[]): SpooledReading[] {
    return withSpoolErrors(() => this.#due.pick(limit, now, besides));
  }

  /** Whether there are at least `count` unpacked readings. Postponed readings count too. */
  holds(count: number): boolean {
    return withSpoolErrors(() => this.#due.holds(count));
  }

  /** Corrects the receipt times that this machine's own clock measured during the given boot. */
  learnTime(boot: string, serverOffset: number): void {
    this.#disk.withReserve(() => {
      if (this.#sql.findUnknownEpoch.get(boot) === undefined) return;
      this.#sql.fixEpochs.run(serverOffset, boot);
      this.#disk.sync();
    });
  }

  /**
   * Removes readings that the ingest worker has stored; makes dead letters of readings that it rejected. Does
   * not wait for the disk: after a power failure they are sent again, and the ingest worker answers as
   * before.
   */
  settle(
    accepted: readonly SpooledReading[],
    rejected: readonly (SpooledReading & RejectedReading)[],
    now: number,
  ): void {
    this.#disk.withReserve(() =>
      this.#inTransaction(() => {
        this.#sql.removeReadings.run(JSON.stringify([...accepted, ...rejected].map(({ id }) => id)));
        this.#deadLetters.addRejected(rejected, now);
      }, false),
    );
  }

  /** Leaves a reading out until an instant, so that it does not delay the others. */
  putOff(id: number, until: number): void {
    // `until` has a random part and is not a whole number, but the column accepts only integers.
    this.#disk.withReserve(() => this.#sql.postpone.run(Math.ceil(until), id));
  }

  /** When the next reading may be sent, in milliseconds since 1970; null if there is none. */
  nextDue(): number | null {
    return withSpoolErrors(() => this.#due.nextDue());
  }

  /** Milliseconds until a waiting message may be unpacked; null if no message waits. */
  nextTokenIn(): number | null {
    return withSpoolErrors(() => this.#waiting.nextTokenIn());
  }

  /** Call this when the broker begins a new session: packet ids start again, a known id is a new message. */
  forgetDeliveries(): void {
    withSpoolErrors(() => {
      this.#taking.forgetDeliveries();
      this.#disk.sync();
    });
  }

  /** The first dead letter with an id above `after` that arrived before `before`; null if there is none. */
  nextDeadLetter(after: number, before?: number): DeadLetterRow | null {
    return withSpoolErrors(() => this.#deadLetters.next(after, before));
  }

  newestDeadLetter(): number {
    return withSpoolErrors(() => this.#deadLetters.newest());
  }

  deadLetterBytes(): number {
    return withSpoolErrors(() => this.#deadLetters.totals().bytes);
  }

  removeExported(letters: readonly DeadLetterRow[]): void {
    this.#disk.withReserve(() =>
      this.#inTransaction(() => {
        for (const { id } of letters) this.#deadLetters.remove(id);
        this.#sql.countExported.run(letters.reduce((sum, { messages }) => sum + messages, 0));
      }),
    );
  }

  /** Replaces all of the dead letters, or none, with the results of decoding them again, without quotas. */
  replay(letters: readonly ReplayedLetter[]): void {
    withSpoolErrors(() =>
      this.#inTransaction(() => {
        for (const { id, message, decoded } of letters) {
          this.#deadLetters.remove(id);
          this.#taking.takeAgain(message, decoded);
        }
      }),
    );
  }

  status(): SpoolStatus {
    return withSpoolErrors(() => this.#status());
  }

  /** Whether the disk has room for more readings; shrinks the file before that if necessary. */
  hasRoom(): boolean {
    return withSpoolErrors(() => {
      if (this.#disk.hasRoomBeside()) return true;
      this.#disk.shrink(this.#db);
      return this.#disk.hasRoomBeside();
    });
  }

  close(): void {
    withSpoolErrors(() => {
      this.#disk.close();
      this.#db.close();
    });
  }

  #inTransaction<T>(work: () => T, sync = true): T {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#db.exec('COMMIT');
      if (sync) this.#disk.sync();
      return result;
    } catch (error) {
      // SQLite rolls back by itself on a full disk; a second ROLLBACK would hide the original error.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.#taking.forget();
      throw error;
    }
  }

  #status(): SpoolStatus {
    const { depth, oldestReceivedAt, exported } = statusSchema.parse(this.#sql.findStatus.get());
    const { packed, unpaid, oldestReceivedAt: oldestPacked } = this.#waiting.status();
    const { messages, readings } = this.#deadLetters.totals();
    const oldest = [oldestReceivedAt, oldestPacked].filter((instant) => instant !== null);
    return {
      depth: depth + packed - unpaid,
      oldestReceivedAt: oldest.length === 0 ? null : Math.min(...oldest),
      waiting: unpaid,
      overQuota: this.#waiting.overQuota(),
      deadLetters: messages,
      deadReadings: readings,
      deadBoards: this.#deadLetters.most(),
      deadExported: exported,
    };
  }
}

/**
 * Opens the spool file and verifies that it is writable. Creates the file and its folder if they are missing.
 * @param clock counts the tokens that come back to the boards' quotas
 * @throws SpoolError if the file cannot be opened, read or written
 */
export function openSpool(
  file: string,
  limits: BoardLimits = UNLIMITED_BOARD,
  clock: BootClock = createClock(),
): Spool {
  const disk = new SpoolDisk(file);
  return disk.withReserve(() => {
    makeFolder(dirname(file));
    return withErrorPath(file, () => {
      const db = new DatabaseSync(file);
      try {
        return new Spool(disk, db, limits, clock);
      } catch (error) {
        db.close();
        throw error;
      }
    });
  });
}
