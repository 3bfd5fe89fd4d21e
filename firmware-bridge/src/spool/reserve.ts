import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Disk space set aside next to the spool and released when the disk is full: SQLite has to write before it can delete a
 * reading.
 */
export type Reserve = {
  /** Releases the space; false when there was none. */
  giveUp: () => boolean;
  isThere: () => boolean;
  /** Whether there is room for more readings beside the reserve, which is recreated if necessary. */
  hasRoomBeside: () => boolean;
  /** Available bytes on the file system. */
  free: () => number;
};

/** Four times the size at which SQLite checkpoints its write-ahead log by itself (see tables.ts). */
const RESERVE_BYTES = 4 * 1024 * 1024;
/** Free space required beside the reserve before more readings are accepted. */
const SPARE_BYTES = 1024 * 1024;

export function reserveFor(spoolFile: string): Reserve {
  const file = `${spoolFile}-reserve`;

  function isThere(): boolean {
    return statSync(file, { throwIfNoEntry: false })?.size === RESERVE_BYTES;
  }

  function free(): number {
    const { bavail, bsize } = statfsSync(dirname(spoolFile));
    return bavail * bsize;
  }

  return {
    isThere,
    free,
    giveUp: () => {
      const was = isThere();
      rmSync(file, { force: true });
      return was;
    },
    hasRoomBeside: () => {
      if (isThere()) return free() >= SPARE_BYTES;
      if (free() < RESERVE_BYTES + SPARE_BYTES) return false;
      try {
        // Random, because some file systems do not allocate space for zeros.
        writeFileSync(file, randomBytes(RESERVE_BYTES), { mode: 0o600 });
      } catch {
        rmSync(file, { force: true });
      }
      return isThere();
    },
  };
}
