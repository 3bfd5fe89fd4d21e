import type { BoardWithDeadLetters } from '#contract/readings';
import { explainError } from '../system-error.ts';
import type { OverQuota } from './quota.ts';

/* The state of the spool: its content, and its failures. */

export type SpoolStatus = {
  /** Readings ready for delivery, without those that wait for a quota, and the oldest receipt time. */
  depth: number;
  oldestReceivedAt: number | null;
  /** Readings that wait because of their boards' quotas, and these boards. */
  waiting: number;
  overQuota: OverQuota[];
  /** Messages that are dead letters, and the readings in them. */
  deadLetters: number;
  deadReadings: number;
  deadBoards: BoardWithDeadLetters[];
  /** Messages ever exported into files as dead letters, for lack of room or because of age. */
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

/** SQLite's primary result codes that concern the file; other codes mean an error in a statement. */
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
export function withSpoolErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const kind = error instanceof Error ? kindOf(error) : undefined;
    if (kind === undefined || !(error instanceof Error)) throw error;
    throw new SpoolError(kind, explainError(error));
  }
}
