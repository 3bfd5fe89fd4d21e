import { statfsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Reserve } from './reserve.ts';
import { SpoolError } from './spool-error.ts';
import { pagesSchema } from './tables.ts';

/** Shrink only to gain at least this much, and only if no more than this has to be rewritten. */
const WORTH_SHRINKING = 1024 * 1024;
const REWRITTEN_MAX = 16 * 1024 * 1024;

type DiskRoom = {
  /** @throws SpoolError when there is no room for what is about to be committed */
  demand: () => void;
  /** Whether the disk has room for more; shrinks the file if that is what it takes. */
  isThere: () => boolean;
};

/** Room for the spool on its disk. */
export function diskRoom(db: DatabaseSync, file: string, reserve: Reserve): DiskRoom {
  const findPages = db.prepare(
    `SELECT page_count AS pages, freelist_count AS unused, page_size AS size
     FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
  );

  function shrink(): void {
    const { pages, unused, size } = pagesSchema.parse(findPages.get());
    if (unused * size < WORTH_SHRINKING || (pages - unused) * size > REWRITTEN_MAX) return;
    try {
      db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE);');
    } catch {
      // There is not enough room even for that, so the file stays as it is.
    }
  }

  return {
    // A committed change must later fit into the file itself, whatever else fills the disk, if need be by releasing the
    // reserve.
    demand: () => {
      const { pages, size } = pagesSchema.parse(findPages.get());
      const growth = pages * size - statSync(file).size;
      if (growth > WORTH_SHRINKING && reserve.free() < growth)
        throw new SpoolError('full', 'no room for so much');
    },
    isThere: () => {
      if (reserve.hasRoomBeside()) return true;
      shrink();
      return reserve.hasRoomBeside();
    },
  };
}

/** Bytes of the disk on which the folder lies; null when it cannot be asked. */
export function diskOf(folder: string): { free: number; size: number } | null {
  try {
    const { bsize, bavail, blocks } = statfsSync(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}
