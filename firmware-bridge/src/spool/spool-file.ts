import { randomInt } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { DeadBoard } from '#contract/readings';
import type { Clock } from '../clock.ts';
import { contentOf, decodeElements, type Decoded, type Message } from '../broker/decode.ts';
import { diskRoom } from './disk-room.ts';
import { dueReadings } from './due-readings.ts';
import type { BoardLimits } from './quota.ts';
import { recentDeliveries } from './recent-deliveries.ts';
import type { Reserve } from './reserve.ts';
import { SpoolError } from './spool-error.ts';
import { prepareTables, type SpooledReading } from './tables.ts';
import { OVER_QUOTA, spooledDeadLetters, type DeadLetterRow, type Rejection } from './dead-letters.ts';
import { waitingOf, type OverQuota, type QuotaNews, type Stamp } from './waiting.ts';
import { writeAheadLog } from './write-ahead-log.ts';

export type SpoolLimits = BoardLimits & {
  /** How many bytes of dead letters each board may fill; more are only counted. */
  deadLetterBytes: number;
  /** How many boards there may be: at a broker that takes anybody, anybody can make up names. */
  boards: number;
};

/** The result of decoding a dead letter again, with that dead letter's id. */
export type Replayed = { id: number; message: Message; decoded: Decoded };
/** A dead letter as the log tells of it. */
export type LoggedDeadLetter = { topic: string; bytes: number; count: number; reason: string };
/** What became of messages, and of the quotas of their boards. */
export type Taken = QuotaNews & { deadLetters: LoggedDeadLetter[] };
export type Outcome = 'kept' | 'repeat' | 'refused';

export type SpoolStatus = {
  /** Readings on their way, without those that wait for their board's quota, and when the oldest was received. */
  depth: number;
  oldestReceivedAt: number | null;
  /** Readings beyond the quotas of their boards, and these boards. */
  waiting: number;
  overQuota: OverQuota[];
  /** Messages that are dead letters, and the readings in them. */
  deadLetters: number;
  deadReadings: number;
  /** The boards with the most of them. */
  deadBoards: DeadBoard[];
  /** Dead letters that were ever exported into a file for want of room or of age, in messages. */
  deadExported: number;
};

/** Random per file, so that two bridges do not assign the same numbers to two readings of one instant. */
const SEQ_BASE_MAX = 2 ** 47;

/** How many readings of one board are unpacked ahead of their delivery, once fewer than `least` are left. */
const AHEAD = { least: 500, most: 2000 };
/** `not_before` of a reading that has waited for its quota: it is due, but says nothing of how delivery goes. */
const WAITED = -1;
/** How many readings are unpacked in one step, of all boards. */
const UNPACKED_AT_ONCE = 2000;

/** What a loss of power takes back is sent again, and the ingest worker answers as it did before. */
const leftToNextSync = () => undefined;

type Place = { file: string; reserve: Reserve; limits: SpoolLimits; clock: Pick<Clock, 'boot' | 'uptime'> };

const statusSchema = z.object({
  depth: z.int(),
  oldestReceivedAt: z.int().nullable(),
  exported: z.int(),
});

/** The spool in an open database, without what its file may do. */
export function spoolIn(db: DatabaseSync, { file, reserve, limits, clock }: Place) {
  prepareTables(db);
  db.prepare(
    `INSERT INTO spool (id, seq_base, opened_at) VALUES (1, ?1, ?2)
     ON CONFLICT (id) DO UPDATE SET opened_at = excluded.opened_at`,
  ).run(randomInt(SEQ_BASE_MAX), Date.now());
  const log = writeAheadLog(file);
  const room = diskRoom(db, file, reserve);
  const due = dueReadings(db);
  const deliveries = recentDeliveries(db);
  const waiting = waitingOf(db, limits, clock);
  const deadLetters = spooledDeadLetters(db, limits.deadLetterBytes, limits.boards);

  const addReading = db.prepare(
    `INSERT INTO readings (plant, datetime, soil_moisture, seq, needs_seq, undated, message, not_before, received_at,
       epoch, uptime)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addEpoch = db.prepare('INSERT OR IGNORE INTO epochs (epoch, boot) VALUES (?, ?)');
  const findUnknownEpoch = db.prepare('SELECT 1 FROM epochs WHERE boot = ? AND server_offset IS NULL');
  const fixEpochs = db.prepare(
    'UPDATE epochs SET server_offset = ? WHERE boot = ? AND server_offset IS NULL',
  );
  const removeReadings = db.prepare('DELETE FROM readings WHERE id IN (SELECT value FROM json_each(?))');
  const postpone = db.prepare('UPDATE readings SET not_before = ? WHERE id = ?');
  const countMessage = db.prepare('UPDATE spool SET messages = messages + 1 RETURNING messages AS number');
  const countExported = db.prepare('UPDATE spool SET exported = exported + ?');
  const findStatus = db.prepare(
    `SELECT (SELECT count(*) FROM readings) AS depth, exported,
       (SELECT coalesce(server_offset + uptime, received_at) FROM readings
        LEFT JOIN epochs ON epochs.epoch = readings.epoch
        WHERE not_before > ${WAITED} ORDER BY readings.id LIMIT 1) AS oldestReceivedAt
     FROM spool`,
  );

  function inTransaction<T>(work: () => T, sync = log.sync): T {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      db.exec('COMMIT');
      sync();
      return result;
    } catch (error) {
      // SQLite rolls back by itself on a full disk; a second ROLLBACK would hide the original error.
      if (db.isTransaction) db.exec('ROLLBACK');
      waiting.forget();
      deliveries.forget();
      throw error;
    }
  }

  const nextNumber = () => z.object({ number: z.int() }).parse(countMessage.get()).number;

  function stampOf({ receivedAt, stampedBy }: Message): Stamp {
    const own = typeof stampedBy === 'object' ? stampedBy : undefined;
    if (own) addEpoch.run(own.epoch, own.boot);
    return [receivedAt, own?.epoch ?? (stampedBy === 'server' ? 'server' : null), own?.uptime ?? null];
  }

  /**
   * Adds what a message was decoded to, or what a part of it was that `continues` others or has `waited`. `number` is
   * that of a message of several readings. Returns the dead letter that this made, if any.
   */
  function keep(
    { topic, receivedAt }: Message,
    { readings, deadLetter }: Decoded,
    number: number | null,
    stamp: Stamp,
    { continues, waited } = { continues: false, waited: false },
  ): LoggedDeadLetter[] {
    const notBefore = waited ? WAITED : 0;
    for (const { plant, datetime, soilMoisture, seq, needsSeq, undated } of readings) {
      const flags = [needsSeq ? 1 : 0, undated ? 1 : 0];
      addReading.run(plant, datetime, soilMoisture, seq, ...flags, number, notBefore, ...stamp);
    }
    if (deadLetter === null) return [];
    const { payload, count, reason } = deadLetter;
    const became = deadLetters.add({ topic, receivedAt, message: number, continues, ...deadLetter });
    return became === 'kept' ? [{ topic, bytes: payload.byteLength, count, reason }] : [];
  }

  function take(message: Message, told: LoggedDeadLetter[]): Outcome {
    if (deliveries.isRepeat(message)) return 'repeat';
    const content = contentOf(message);
    const stamp = stampOf(message);
    const { payload } = message;
    if ('reason' in content) {
      told.push(...keep(message, { readings: [], deadLetter: { payload, ...content } }, null, stamp));
      return 'kept';
    }
    const count = content.elements.length;
    const admission = waiting.admit(message, content, nextNumber, stamp);
    if (admission === 'through') {
      const number = content.isArray ? nextNumber() : null;
      told.push(...keep(message, decodeElements(content, message), number, stamp));
    } else if (admission === 'refused') {
      keep(message, { readings: [], deadLetter: { payload, reason: OVER_QUOTA, count } }, null, stamp);
      return 'refused';
    }
    return 'kept';
  }

  function takeAll(messages: Iterable<Message>): Taken & { outcomes: Outcome[] } {
    const told: LoggedDeadLetter[] = [];
    const outcomes = Array.from(messages, (message) => take(message, told));
    deliveries.save();
    room.demand();
    return { outcomes, deadLetters: told, ...waiting.save() };
  }

  function statusNow(): SpoolStatus {
    const { depth, oldestReceivedAt, exported } = statusSchema.parse(findStatus.get());
    const { packed, unpaid, oldestReceivedAt: oldestPacked } = waiting.status();
    const { messages, readings } = deadLetters.totals();
    const oldest = [oldestReceivedAt, oldestPacked].filter((instant) => instant !== null);
    return {
      depth: depth + packed - unpaid,
      oldestReceivedAt: oldest.length === 0 ? null : Math.min(...oldest),
      waiting: unpaid,
      overQuota: waiting.overQuota(),
      deadLetters: messages,
      deadReadings: readings,
      deadBoards: deadLetters.most(),
      deadExported: exported,
    };
  }

  return {
    commit: (messages: Iterable<Message>): Taken & { outcomes: Outcome[] } => {
      if (!reserve.isThere() && !reserve.hasRoomBeside())
        throw new SpoolError('full', 'no room for the reserve');
      return inTransaction(() => takeAll(messages));
    },
    unpack: (): Taken & { unpacked: number } => {
      const boards = waiting.boards();
      if (boards.length === 0) return { deadLetters: [], over: [], within: [], unpacked: 0 };
      return inTransaction(() => {
        const told: LoggedDeadLetter[] = [];
        let left = UNPACKED_AT_ONCE;
        for (const plant of boards) {
          const ahead = due.countOf(plant, AHEAD.least);
          const most = ahead < AHEAD.least ? Math.min(left, AHEAD.most - ahead) : 0;
          for (const part of waiting.unpack(plant, most)) {
            const { message, number, decoded, stamp } = part;
            told.push(...keep(message, decoded, number, stamp, part));
            left -= decoded.readings.length + (decoded.deadLetter?.count ?? 0);
          }
        }
        return { deadLetters: told, unpacked: UNPACKED_AT_ONCE - left, ...waiting.save() };
      });
    },
    hasRoom: room.isThere,
    oldest: due.pick,
    holds: due.holds,
    learnTime: (boot: string, serverOffset: number) => {
      if (findUnknownEpoch.get(boot) === undefined) return;
      fixEpochs.run(serverOffset, boot);
      log.sync();
    },
    settle: (
      accepted: readonly SpooledReading[],
      rejected: readonly (SpooledReading & Rejection)[],
      now: number,
    ) => {
      inTransaction(() => {
        removeReadings.run(JSON.stringify([...accepted, ...rejected].map(({ id }) => id)));
        deadLetters.addRejected(rejected, now);
      }, leftToNextSync);
    },
    putOff: (id: number, until: number) => {
      // A jittered delay is not a whole number, and the column accepts only integers.
      postpone.run(Math.ceil(until), id);
    },
    nextDue: due.nextDue,
    nextTokenIn: waiting.nextTokenIn,
    forgetDeliveries: () => {
      deliveries.forgetAll();
      log.sync();
    },
    nextDeadLetter: deadLetters.next,
    newestDeadLetter: deadLetters.newest,
    deadLetterBytes: () => deadLetters.totals().bytes,
    removeExported: (letters: readonly DeadLetterRow[]) => {
      inTransaction(() => {
        for (const { id } of letters) deadLetters.remove(id);
        countExported.run(letters.reduce((sum, { messages }) => sum + messages, 0));
      });
    },
    replay: (letters: readonly Replayed[]) => {
      inTransaction(() => {
        for (const { id, message, decoded } of letters) {
          deadLetters.remove(id);
          keep(message, decoded, decoded.readings.length > 1 ? nextNumber() : null, stampOf(message));
        }
      });
    },
    status: statusNow,
    close: () => {
      log.close();
      db.close();
    },
  };
}
