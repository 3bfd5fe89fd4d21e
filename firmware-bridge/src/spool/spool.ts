import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClock, type Clock } from '../clock.ts';
import type { Message } from '../broker/decode.ts';
import { makeFolder } from '../folders.ts';
import { reserveFor } from './reserve.ts';
import { onSpool, SpoolError } from './spool-error.ts';
import { onPath } from '../system-error.ts';
import {
  spoolIn,
  type Outcome,
  type Replayed,
  type SpoolLimits,
  type SpoolStatus,
  type Taken,
} from './spool-file.ts';
import type { SpooledReading } from './tables.ts';
import type { DeadLetterRow, Rejection } from './dead-letters.ts';

/** What the operator's commands, which take no messages in, open the spool with. */
const UNLIMITED: SpoolLimits = {
  burst: Number.MAX_SAFE_INTEGER,
  perMinute: 1,
  waitingReadings: Number.MAX_SAFE_INTEGER,
  waitingBytes: Number.MAX_SAFE_INTEGER,
  deadLetterBytes: Number.MAX_SAFE_INTEGER,
  boards: Number.MAX_SAFE_INTEGER,
};

/**
 * Readings on their way and messages that could not be decoded, in one SQLite file that survives crashes and power
 * failures. Every function throws SpoolError when the file fails, and then has changed nothing.
 */
export type Spool = {
  /**
   * Stores the messages, all or none, consuming them one at a time. Only then may they be acknowledged. Returns for
   * each whether it is new, a repetition, or refused because too much of its board waits.
   */
  commit: (messages: Iterable<Message>) => Taken & { outcomes: Outcome[] };
  /** Unpacks messages that waited, as far as the quotas of their boards allow and delivery needs; says how much. */
  unpack: () => Taken & { unpacked: number };
  /**
   * At most `limit` readings, fairly of each board and its oldest first, except those put off until after `now` and those with
   * the ids `besides`.
   */
  oldest: (limit: number, now: number, besides?: readonly number[]) => SpooledReading[];
  /** Whether at least so many readings are unpacked, due or put off. */
  holds: (count: number) => boolean;
  /** Permanently corrects the receipts stamped by the machine's own clock during that boot. */
  learnTime: (boot: string, serverOffset: number) => void;
  /** Removes what the ingest worker has stored, and turns what it rejected into dead letters. */
  settle: (
    accepted: readonly SpooledReading[],
    rejected: readonly (SpooledReading & Rejection)[],
    now: number,
  ) => void;
  /** Excludes a reading until an instant, so that it does not delay the others. */
  putOff: (id: number, until: number) => void;
  /** When the next reading is due, in milliseconds since 1970; null when there is none. */
  nextDue: () => number | null;
  /** Milliseconds until something that waits may be unpacked; null when nothing waits. */
  nextTokenIn: () => number | null;
  /** The broker started a new session, whose packet ids start again and repeat nothing from before. */
  forgetDeliveries: () => void;
  /** The oldest dead letter with a higher id, received before an instant; null when there is none. */
  nextDeadLetter: (after: number, before?: number) => DeadLetterRow | null;
  /** Id of the newest dead letter; 0 when there is none. */
  newestDeadLetter: () => number;
  /** Bytes of all dead letters. */
  deadLetterBytes: () => number;
  /** Removes dead letters that were exported, and counts them. */
  removeExported: (letters: readonly DeadLetterRow[]) => void;
  /** Replaces dead letters with the results of decoding them again, all or none, whatever the quotas. */
  replay: (letters: readonly Replayed[]) => void;
  status: () => SpoolStatus;
  /** Whether the disk has room for more; shrinks the file if that is what it takes. */
  hasRoom: () => boolean;
  close: () => void;
};

/**
 * Opens the spool file, creating it and its folder if necessary, and verifies that it is writable. On a full disk the
 * reserve is released for this, and for anything that shrinks the spool.
 * @param clock counts what comes back of the boards' quotas
 * @throws SpoolError when it cannot be opened, read or written
 */
export function openSpool(
  file: string,
  limits: SpoolLimits = UNLIMITED,
  clock: Pick<Clock, 'boot' | 'uptime'> = createClock(),
): Spool {
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
    makeFolder(dirname(file));
    return onPath(file, () => {
      const db = new DatabaseSync(file);
      try {
        return spoolIn(db, { file, reserve, limits, clock });
      } catch (error) {
        db.close();
        throw error;
      }
    });
  });
  return {
    commit: (...args) => onSpool(() => spool.commit(...args)),
    unpack: () => withReserve(spool.unpack),
    oldest: (...args) => onSpool(() => spool.oldest(...args)),
    holds: (...args) => onSpool(() => spool.holds(...args)),
    learnTime: (...args) => withReserve(() => spool.learnTime(...args)),
    settle: (...args) => withReserve(() => spool.settle(...args)),
    putOff: (...args) => withReserve(() => spool.putOff(...args)),
    nextDue: () => onSpool(spool.nextDue),
    nextTokenIn: () => onSpool(spool.nextTokenIn),
    forgetDeliveries: () => onSpool(spool.forgetDeliveries),
    nextDeadLetter: (...args) => onSpool(() => spool.nextDeadLetter(...args)),
    newestDeadLetter: () => onSpool(spool.newestDeadLetter),
    deadLetterBytes: () => onSpool(spool.deadLetterBytes),
    removeExported: (...args) => withReserve(() => spool.removeExported(...args)),
    replay: (...args) => onSpool(() => spool.replay(...args)),
    status: () => onSpool(spool.status),
    hasRoom: () => onSpool(spool.hasRoom),
    close: () => onSpool(spool.close),
  };
}
