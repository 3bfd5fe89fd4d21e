/**
 * What is wrong with the spool: no room on its disk, no right to write there, no database in its file, anything
 * else that the disk or SQLite says, or that it is not open.
 */
export type SpoolFailure = 'full' | 'readonly' | 'corrupt' | 'failed' | 'closed';

/** The spool's file did not obey. Whatever else is thrown around it is a fault of the program. */
export class SpoolError extends Error {
  override name = 'SpoolError';
  readonly kind: SpoolFailure;

  constructor(kind: SpoolFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Primary result codes of SQLite that tell of the file; the others tell of the statement. */
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
/** The file that SQLite shares between processes could not be made as long as it must be. */
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

/** Does the work on the spool's file; what the file refuses is thrown as SpoolError, all else as it is. */
export function onSpool<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const kind = error instanceof Error ? kindOf(error) : undefined;
    if (kind === undefined || !(error instanceof Error)) throw error;
    throw new SpoolError(kind, error.message, error);
  }
}
