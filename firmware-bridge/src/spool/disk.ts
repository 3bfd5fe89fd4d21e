import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { withSpoolErrors, SpoolError } from './state.ts';

/** Four times the size at which SQLite moves its write-ahead log into the file (see tables.ts). */
const RESERVE_BYTES = 4 * 1024 * 1024;
/** Free space that the disk must have beside the reserve so that the spool accepts more readings. */
const SPARE_BYTES = 1024 * 1024;
/** How much the file may grow in one commit without a check of the free space. */
const GROWTH_BYTES = 1024 * 1024;

/** The file is shrunk only if that frees at least this much and rewrites at most REWRITTEN_MAX bytes. */
const WORTH_SHRINKING = 1024 * 1024;
const REWRITTEN_MAX = 16 * 1024 * 1024;

const pagesSchema = z.object({ pages: z.int(), unused: z.int(), size: z.int() });

const pagesOf = (db: DatabaseSync) =>
  pagesSchema.parse(
    db
      .prepare(
        `SELECT page_count AS pages, freelist_count AS unused, page_size AS size
         FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
      )
      .get(),
  );

/** Free and total bytes of the folder's disk; null if the system does not say. */
export function diskSpace(folder: string): { free: number; size: number } | null {
  try {
    const { bsize, bavail, blocks } = statfsSync(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}

/**
 * Checks the disk of the spool. SQLite has to write before it can delete a reading, so a reserve file beside
 * the spool takes up space. When the disk is full, the reserve file is deleted.
 */
export class SpoolDisk {
  readonly #file: string;
  readonly #reserve: string;
  #log: number | undefined;

  constructor(file: string) {
    this.#file = file;
    this.#reserve = `${file}-reserve`;
  }

  /**
   * Returns when all committed data is on the disk. Node's SQLite would call fsync, which also writes the
   * file's times: ext4 then adds 12 KB to its journal for each commit.
   */
  sync(): void {
    // The first commit creates the file. It then stays as long as the database is open.
    this.#log ??= openSync(`${this.#file}-wal`, 'r+');
    fdatasyncSync(this.#log);
  }

  close(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
  }

  hasReserve(): boolean {
    return statSync(this.#reserve, { throwIfNoEntry: false })?.size === RESERVE_BYTES;
  }

  /** Whether there is room for more readings beside the reserve. Creates a missing reserve again. */
  hasRoomBeside(): boolean {
    if (this.hasReserve()) return this.#free() >= SPARE_BYTES;
    if (this.#free() < RESERVE_BYTES + SPARE_BYTES) return false;
    try {
      // Writes random bytes, because some file systems do not allocate space for zeros.
      writeFileSync(this.#reserve, randomBytes(RESERVE_BYTES), { mode: 0o600 });
    } catch {
      rmSync(this.#reserve, { force: true });
    }
    return this.hasReserve();
  }

  /**
   * Call this before a commit. It ensures that SQLite can later move the change from its log into the file,
   * even if the disk is full then and the reserve was deleted.
   * @throws SpoolError if there is not enough room for the coming commit
   */
  demand(db: DatabaseSync): void {
    const { pages, size } = pagesOf(db);
    const growth = pages * size - statSync(this.#file).size;
    if (growth > GROWTH_BYTES && this.#free() < growth) throw new SpoolError('full', 'too little free space');
  }

  /** Shrinks the file if that frees enough space and costs little. */
  shrink(db: DatabaseSync): void {
    const { pages, unused, size } = pagesOf(db);
    if (unused * size < WORTH_SHRINKING || (pages - unused) * size > REWRITTEN_MAX) return;
    try {
      db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE);');
    } catch {
      // Shrinking needs free space too. If there is none, the file keeps its size.
    }
  }

  /** Runs work that frees space in the spool. If the disk is full, deletes the reserve and runs it again. */
  withReserve<T>(work: () => T): T {
    try {
      return withSpoolErrors(work);
    } catch (error) {
      if (!(error instanceof SpoolError && error.kind === 'full' && this.#giveUpReserve())) throw error;
      return withSpoolErrors(work);
    }
  }

  #free(): number {
    const { bavail, bsize } = statfsSync(dirname(this.#file));
    return bavail * bsize;
  }

  #giveUpReserve(): boolean {
    const was = this.hasReserve();
    rmSync(this.#reserve, { force: true });
    return was;
  }
}
