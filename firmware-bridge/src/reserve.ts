import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Room on the spool's file system that is given up when the disk is full: to take a reading out of SQLite's file, SQLite
 * has to write first.
 */
export type Reserve = {
  /** Gives the room to whoever writes first; false when there was none. */
  giveUp: () => boolean;
  isThere: () => boolean;
  /** Whether there is room for more beside it, which is made anew if need be. */
  hasRoomBeside: () => boolean;
  /** Bytes that anybody can still write. */
  free: () => number;
};

/** Four times what SQLite writes beside its file before it takes that over by itself (see spool-tables.ts). */
const RESERVE_BYTES = 4 * 1024 * 1024;
/** How much must be free beside the reserve for more readings to be taken. */
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
        // Not zeros: some file systems give them no room.
        writeFileSync(file, randomBytes(RESERVE_BYTES), { mode: 0o600 });
      } catch {
        rmSync(file, { force: true });
      }
      return isThere();
    },
  };
}
