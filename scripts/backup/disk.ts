const SQLITE_FULL = 13;
/** No room for the index of a write-ahead log; SQLite calls it an I/O error. */
const SQLITE_IOERR_SHMSIZE = 4874;

/** The message says which disk is full. */
class OutOfRoom extends Error {
  override name = 'OutOfRoom';
}

/** Whether the system or SQLite reported a full disk, directly or as the cause of another error. */
function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;
  return (
    (code & 0xff) === SQLITE_FULL ||
    code === SQLITE_IOERR_SHMSIZE ||
    /\b(ENOSPC|EDQUOT|SQLITE_FULL)\b|database or disk is full/.test(error.message) ||
    isOutOfRoom(error.cause)
  );
}

/**
 * Runs work that writes into the folder.
 * @throws OutOfRoom, naming the folder, when its disk is full; other errors pass through
 */
export async function onDiskOf<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutOfRoom || !isOutOfRoom(error)) throw error;
    throw new OutOfRoom(`no room is left on the disk of ${folder}: make some there and try again`, {
      cause: error,
    });
  }
}
