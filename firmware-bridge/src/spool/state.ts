import type { BoardWithDeadLetters } from '#contract/readings';
import { explainError } from '../system-error.ts';
import type { OverQuota } from './quota.ts';

/* The state of the spool: its content, and its failures. */

export type SpoolStatus = {
  /** How many readings are ready for delivery; readings that wait because of a quota do not count. */
  depth: number;
  /** The oldest receipt time of these readings; null if there are none. */
  oldestReceivedAt: number | null;
  /** How many readings wait because of their boards' quotas, and the boards over their quota. */
  waiting: number;
  overQuota: OverQuota[];
  /** How many messages are dead letters, and how many readings they have. */
  deadLetters: number;
  deadReadings: number;
  deadBoards: BoardWithDeadLetters[];
  /** How many messages were ever exported into files as dead letters, for lack of room or because of age. */
  deadExported: number;
};

/**
 * What is wrong with the spool: the disk is full, the file is not writable, the file is not a database, the
 * disk or SQLite has another error, or the spool is not open.
 */
export type SpoolFailure = 'full' | 'readonly' | 'corrupt' | 'failed' | 'closed';

/** The spool's file has failed. Any other error that is thrown while the spool is used is a bug. */
export class SpoolError extends Error {
  override name = 'SpoolError';
  readonly kind: SpoolFailure;

  constructor(kind: SpoolFailure, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** SQLite's primary result codes for errors of the file. Any other code means an error in a statement. */
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
/** SQLite's code if the shared-memory file cannot grow, because the disk is full. */
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

/** Runs `work`. If the file fails, throws a SpoolError; other errors stay as they are. */
export function withSpoolErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const kind = error instanceof Error ? kindOf(error) : undefined;
    if (kind === undefined || !(error instanceof Error)) throw error;
    throw new SpoolError(kind, explainError(error));
  }
}
