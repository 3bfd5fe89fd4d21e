import { createHash, randomInt } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { reserveFor, type Reserve } from './reserve.ts';
import { onSpool, SpoolError } from './spool-error.ts';
import {
  deadLetterSchema,
  pagesSchema,
  prepareTables,
  readingFrom,
  stamped,
  statusSchema,
  type SpooledReading,
} from './spool-tables.ts';
import { topicOf, type Decoded, type Message } from './decode.ts';

export type DecodedMessage = { message: Message; decoded: Decoded };
/** The result of decoding a dead letter again, with that dead letter's id. */
export type Replayed = DecodedMessage & { id: number };
export type Rejection = Pick<SpooledReading, 'id' | 'reading'> & { reason: string };
export type DeadLetterRow = {
  id: number;
  topic: string;
  payload: Uint8Array;
  reason: string;
  receivedAt: number;
};
export type SpoolStatus = { depth: number; oldestReceivedAt: number | null; deadLetters: number };

/**
 * Readings on their way and messages that could not be decoded, in one SQLite file that survives crashes and power
 * failures. Every function throws SpoolError when the file fails, and then has changed nothing.
 */
export type Spool = {
  /**
   * Stores the messages, all or none, consuming them one at a time. Only then may they be acknowledged. Returns for
   * each whether it is new or a repetition.
   */
  commit: (messages: Iterable<DecodedMessage>) => ('kept' | 'repeat')[];
  /** At most `limit` readings, oldest first, except those put off until after `now`. */
  oldest: (limit: number, now: number) => SpooledReading[];
  /** Permanently corrects the receipts stamped by the machine's own clock during that boot. */
  learnTime: (boot: string, serverOffset: number) => void;
  /** Removes what the ingest worker has stored, and turns what it rejected into dead letters. */
  settle: (accepted: readonly SpooledReading[], rejected: readonly Rejection[], now: number) => void;
  /** Excludes a reading until an instant, so that it does not delay the others. */
  putOff: (id: number, until: number) => void;
  /** When the next reading is due, in milliseconds since 1970; null when there is none. */
  nextDue: () => number | null;
  /** The broker started a new session, whose packet ids start again and repeat nothing from before. */
  forgetDeliveries: () => void;
  lastFilter: () => string | null;
  rememberFilter: (filter: string) => void;
  /** The oldest dead letter with a higher id; null when there is none. */
  nextDeadLetter: (after: number) => DeadLetterRow | null;
  /** Id of the newest dead letter; 0 when there is none. */
  newestDeadLetter: () => number;
  /** Replaces dead letters with the results of decoding them again, all or none. */
  replay: (letters: readonly Replayed[]) => void;
  status: () => SpoolStatus;
  /** Whether the disk has room for more; shrinks the file if that is what it takes. */
  hasRoom: () => boolean;
  close: () => void;
};

/** Random per file, so that two bridges do not assign the same numbers to two readings of one instant. */
const SEQ_BASE_MAX = 2 ** 47;

/**
 * After this many later arrivals the broker must have received the acknowledgement, because it allows fewer to be
 * outstanding. When packet ids wrap around after 65,535 messages, a repeated id is then a new message, whatever its
 * content.
 */
const DELIVERIES_KEPT = 10_000;

function digestOf(message: Message): Uint8Array {
  return createHash('sha256').update(`${message.topic}\0`).update(message.payload).digest();
}

/**
 * Opens the spool file, creating it and its folder if necessary, and verifies that it is writable. On a full disk the
 * reserve is released for this, and for anything that shrinks the spool.
 * @throws SpoolError when it cannot be opened, read or written
 */
export function openSpool(file: string): Spool {
  const reserve = reserveFor(file);
  const withReserve = <T>(work: () => T): T => {
    try {
      return onSpool(work);
    } catch (error) {
      if (!(error instanceof SpoolError && error.kind === 'full' && reserve.giveUp())) throw error;
      return onSpool(work);
    }
  };
  const spool = withReserve(() => {
    mkdirSync(dirname(file), { recursive: true });
    const db = new DatabaseSync(file);
    try {
      return spoolOn(db, file, reserve);
    } catch (error) {
      db.close();
      throw error;
    }
  });
  return {
    commit: (...args) => onSpool(() => spool.commit(...args)),
    oldest: (...args) => onSpool(() => spool.oldest(...args)),
    learnTime: (...args) => withReserve(() => spool.learnTime(...args)),
    settle: (...args) => withReserve(() => spool.settle(...args)),
    putOff: (...args) => withReserve(() => spool.putOff(...args)),
    nextDue: () => onSpool(spool.nextDue),
    forgetDeliveries: () => onSpool(spool.forgetDeliveries),
    lastFilter: () => onSpool(spool.lastFilter),
    rememberFilter: (...args) => onSpool(() => spool.rememberFilter(...args)),
    nextDeadLetter: (...args) => onSpool(() => spool.nextDeadLetter(...args)),
    newestDeadLetter: () => onSpool(spool.newestDeadLetter),
    replay: (...args) => onSpool(() => spool.replay(...args)),
    status: () => onSpool(spool.status),
    hasRoom: () => onSpool(spool.hasRoom),
    close: () => onSpool(spool.close),
  };
}

/** Shrink only to gain at least this much, and only if no more than this has to be rewritten. */
const WORTH_SHRINKING = 1024 * 1024;
const REWRITTEN_MAX = 16 * 1024 * 1024;

function spoolOn(db: DatabaseSync, file: string, reserve: Reserve): Spool {
  prepareTables(db);
  db.prepare(
    `INSERT INTO spool (id, seq_base, opened_at) VALUES (1, ?1, ?2)
     ON CONFLICT (id) DO UPDATE SET opened_at = excluded.opened_at`,
  ).run(randomInt(SEQ_BASE_MAX), Date.now());

  const addReading = db.prepare(
    `INSERT INTO readings (plant, datetime, soil_moisture, seq, needs_seq, undated, received_at, epoch, uptime)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addEpoch = db.prepare('INSERT OR IGNORE INTO epochs (epoch, boot) VALUES (?, ?)');
  const findUnknownEpoch = db.prepare('SELECT 1 FROM epochs WHERE boot = ? AND server_offset IS NULL');
  const fixEpochs = db.prepare(
    'UPDATE epochs SET server_offset = ? WHERE boot = ? AND server_offset IS NULL',
  );
  const addDeadLetter = db.prepare(
    'INSERT INTO dead_letters (topic, payload, reason, received_at) VALUES (?, ?, ?, ?)',
  );
  const findDelivery = db.prepare('SELECT 1 FROM recent_deliveries WHERE packet_id = ? AND digest = ?');
  const addDelivery = db.prepare(
    'INSERT OR REPLACE INTO recent_deliveries (packet_id, digest) VALUES (?, ?)',
  );
  const forgetAcknowledged = db.prepare(
    'DELETE FROM recent_deliveries WHERE arrival <= (SELECT max(arrival) FROM recent_deliveries) - ?',
  );
  const findOldest = db.prepare(
    `SELECT stamped.id, plant, datetime, soil_moisture, received_at, by_server,
       CASE WHEN needs_seq THEN seq_base + stamped.id ELSE seq END AS seq
     FROM (${stamped}) AS stamped, spool WHERE not_before <= ? ORDER BY stamped.id LIMIT ?`,
  );
  const removeReading = db.prepare('DELETE FROM readings WHERE id = ?');
  const postpone = db.prepare('UPDATE readings SET not_before = ? WHERE id = ?');
  const findNextDue = db.prepare('SELECT min(not_before) AS due FROM readings');
  const findDeadLetter = db.prepare(
    `SELECT id, topic, payload, reason, received_at AS receivedAt FROM dead_letters
     WHERE id > ? ORDER BY id LIMIT 1`,
  );
  const findFilter = db.prepare('SELECT filter FROM subscription');
  const replaceFilter = db.prepare('INSERT OR REPLACE INTO subscription (id, filter) VALUES (1, ?)');
  const findNewestDeadLetter = db.prepare('SELECT coalesce(max(id), 0) AS id FROM dead_letters');
  const removeDeadLetter = db.prepare('DELETE FROM dead_letters WHERE id = ?');
  const findStatus = db.prepare(
    `SELECT (SELECT count(*) FROM readings) AS depth,
       (SELECT received_at FROM (${stamped}) ORDER BY id LIMIT 1) AS oldestReceivedAt,
       (SELECT count(*) FROM dead_letters) AS deadLetters`,
  );

  const findPages = db.prepare(
    `SELECT page_count AS pages, freelist_count AS unused, page_size AS size
     FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
  );

  /**
   * A committed change must later fit into the file itself, whatever else fills the disk, if need be by releasing the
   * reserve.
   */
  function demandRoom(): void {
    const { pages, size } = pagesSchema.parse(findPages.get());
    const growth = pages * size - statSync(file).size;
    if (growth > WORTH_SHRINKING && reserve.free() < growth)
      throw new SpoolError('full', 'no room for so much');
  }

  function shrink(): void {
    const { pages, unused, size } = pagesSchema.parse(findPages.get());
    if (unused * size < WORTH_SHRINKING || (pages - unused) * size > REWRITTEN_MAX) return;
    try {
      db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE);');
    } catch {
      // There is not enough room even for that, so the file stays as it is.
    }
  }

  function inTransaction<T>(work: () => T): T {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite rolls back by itself on a full disk; a second ROLLBACK would hide the original error.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  function keep({ message, decoded }: DecodedMessage): 'kept' | 'repeat' {
    if (message.delivery !== undefined) {
      const { packetId, repeated } = message.delivery;
      const digest = digestOf(message);
      if (repeated && findDelivery.get(packetId, digest) !== undefined) return 'repeat';
      addDelivery.run(packetId, digest);
    }
    const { receivedAt, stampedBy } = message;
    const own = typeof stampedBy === 'object' ? stampedBy : undefined;
    if (own && decoded.readings.length > 0) addEpoch.run(own.epoch, own.boot);
    const stamp = [receivedAt, own?.epoch ?? (stampedBy === 'server' ? 'server' : null), own?.uptime ?? null];
    for (const { plant, datetime, soilMoisture, seq, needsSeq, undated } of decoded.readings) {
      addReading.run(plant, datetime, soilMoisture, seq, needsSeq ? 1 : 0, undated ? 1 : 0, ...stamp);
    }
    for (const { payload, reason } of decoded.deadLetters) {
      addDeadLetter.run(message.topic, payload, reason, receivedAt);
    }
    return 'kept';
  }

  return {
    commit: (messages) => {
      if (!reserve.isThere() && !reserve.hasRoomBeside())
        throw new SpoolError('full', 'no room for the reserve');
      return inTransaction(() => {
        const outcomes = Array.from(messages, keep);
        forgetAcknowledged.run(DELIVERIES_KEPT);
        demandRoom();
        return outcomes;
      });
    },
    hasRoom: () => {
      if (reserve.hasRoomBeside()) return true;
      shrink();
      return reserve.hasRoomBeside();
    },
    oldest: (limit, now) => findOldest.all(now, limit).map(readingFrom),
    learnTime: (boot, serverOffset) => {
      if (findUnknownEpoch.get(boot) !== undefined) fixEpochs.run(serverOffset, boot);
    },
    settle: (accepted, rejected, now) => {
      inTransaction(() => {
        for (const { id } of accepted) removeReading.run(id);
        for (const { id, reading, reason } of rejected) {
          removeReading.run(id);
          const payload = new TextEncoder().encode(JSON.stringify(reading));
          addDeadLetter.run(topicOf(reading.plant), payload, reason, now);
        }
      });
    },
    putOff: (id, until) => {
      // A jittered delay is not a whole number, and the column accepts only integers.
      postpone.run(Math.ceil(until), id);
    },
    nextDue: () => z.object({ due: z.int().nullable() }).parse(findNextDue.get()).due,
    forgetDeliveries: () => {
      db.exec('DELETE FROM recent_deliveries');
    },
    lastFilter: () => z.object({ filter: z.string() }).optional().parse(findFilter.get())?.filter ?? null,
    rememberFilter: (filter) => {
      replaceFilter.run(filter);
    },
    nextDeadLetter: (after) => {
      const found = findDeadLetter.get(after);
      return found === undefined ? null : deadLetterSchema.parse(found);
    },
    newestDeadLetter: () => z.object({ id: z.int() }).parse(findNewestDeadLetter.get()).id,
    replay: (letters) => {
      inTransaction(() => {
        for (const { id, ...made } of letters) {
          removeDeadLetter.run(id);
          keep(made);
        }
      });
    },
    status: () => statusSchema.parse(findStatus.get()),
    close: () => {
      db.close();
    },
  };
}
