import type { DeadBoard } from '#contract/readings';
import { explainError } from '../system-error.ts';
import type { OverQuota } from './quota.ts';

/* How the spool stands: what is in it, and what is wrong with it. */

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
  deadBoards: DeadBoard[];
  /** Dead letters that were ever exported into a file for want of room or of age, in messages. */
  deadExported: number;
};

/**
 * What is wrong with the spool: disk full, no write permission, not a database, any other error from the disk or
 * SQLite, or not open.
 */
export type SpoolFailure = 'full' | 'readonly' | 'corrupt' | 'failed' | 'closed';

/** A failure of the spool's file. Anything else thrown while using the spool is a bug. */
export class SpoolError extends Error {
  override name = 'SpoolError';
  readonly kind: SpoolFailure;

  constructor(kind: SpoolFailure, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** SQLite's primary result codes that concern the file; the others concern the statement. */
const sqliteFailures: Record<number, SpoolFailure> = {
  5: 'failed', // BUSY
  6: 'failed', // LOCKED
  8: 'readonly',
  10: 'failed', // IOERR
  11: 'corrupt',
  13: 'full',
  14: 'failed', // CANTOPEN
  15: 'failed', // PROTOCOL
  26: 'corrupt', // NOTADB
};
/** The shared-memory file could not be extended (disk full). */
const IOERR_SHMSIZE = 4874;

const fileFailures: Record<string, SpoolFailure> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'readonly',
  EACCES: 'readonly',
  EPERM: 'readonly',
};

function kindOf(error: Error): SpoolFailure | undefined {
  if ('errcode' in error && typeof error.errcode === 'number') {
    return error.errcode === IOERR_SHMSIZE ? 'full' : sqliteFailures[error.errcode & 0xff];
  }
  if ('syscall' in error && 'code' in error) return fileFailures[String(error.code)] ?? 'failed';
  return undefined;
}

/** Runs `work` and rethrows failures of the file as SpoolError; other errors pass through. */
export function onSpool<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const kind = error instanceof Error ? kindOf(error) : undefined;
    if (kind === undefined || !(error instanceof Error)) throw error;
    throw new SpoolError(kind, explainError(error));
  }
}
