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
/** What was made of the dead letter of that id. */
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
 * Readings on their way and messages that could not be understood, in one SQLite file that outlives the process
 * and the power supply. Every function throws SpoolError when the file does not obey; then it changed nothing.
 */
export type Spool = {
  /**
   * Keeps the messages, all or none, taking one after the other. Only after that may they be acknowledged. Tells of
   * each, in their order, whether it was kept now or before.
   */
  commit: (messages: Iterable<DecodedMessage>) => ('kept' | 'repeat')[];
  /** At most `limit` readings, oldest first, without those that are put off to after `now`. */
  oldest: (limit: number, now: number) => SpooledReading[];
  /** Puts right, for good, what was stamped during that boot by the machine's own clock. */
  learnTime: (boot: string, serverOffset: number) => void;
  /** Removes what the ingest worker has, and turns what it rejected into dead letters. */
  settle: (accepted: readonly SpooledReading[], rejected: readonly Rejection[], now: number) => void;
  /** Leaves one reading out until an instant, so that it does not hold up the others. */
  putOff: (id: number, until: number) => void;
  /** When the next reading is due, in milliseconds since 1970; null when there is none. */
  nextDue: () => number | null;
  /** The broker began a new session: its packet ids start again and repeat nothing from before. */
  forgetDeliveries: () => void;
  /** The filter that was remembered last; null before the first. */
  lastFilter: () => string | null;
  rememberFilter: (filter: string) => void;
  /** The oldest dead letter with a greater id; null when there is none. */
  nextDeadLetter: (after: number) => DeadLetterRow | null;
  /** Id of the newest dead letter; 0 when there is none. */
  newestDeadLetter: () => number;
  /** Puts what was made of dead letters in their place, all or none. */
  replay: (letters: readonly Replayed[]) => void;
  status: () => SpoolStatus;
  /** Whether the disk has room for more; gives back what the file no longer needs if that is what it takes. */
  hasRoom: () => boolean;
  close: () => void;
};

/** Another random start for every file, so that two bridges do not number two readings of one instant alike. */
const SEQ_BASE_MAX = 2 ** 47;

/**
 * After so many later arrivals the broker must have had the acknowledgement: it leaves fewer unanswered. A packet id that
 * comes round again, after 65,535 messages, is then another message, whatever stands in it.
 */
const DELIVERIES_KEPT = 10_000;

function digestOf(message: Message): Uint8Array {
  return createHash('sha256').update(`${message.topic}\0`).update(message.payload).digest();
}

/**
 * Opens the spool file, making it and its folder when absent, and proves that it can be written. On a full disk the
 * reserve is given up for that, and for whatever makes the spool emptier.
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

/** So much is worth being given back, and so much at most is rewritten for it. */
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

  /** What was committed must find room in the file itself, later and whoever else writes: in the reserve, if need be. */
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
      // There is not even room for that: it stays as it is.
    }
  }

  function inTransaction<T>(work: () => T): T {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk rolls back by itself, and a second ROLLBACK would hide why.
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
      // A pause by chance is no whole number, and the column takes no other.
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
