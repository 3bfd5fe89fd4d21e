import { closeSync, fdatasyncSync, openSync } from 'node:fs';

type WriteAheadLog = {
  /** Returns when all that was committed is on the disk. */
  sync: () => void;
  close: () => void;
};

/**
 * Syncs the log of an open database in place of SQLite, which as Node builds it calls fsync. That writes the file's times
 * too, for which ext4 adds 12 KB to its journal with each commit.
 */
export function writeAheadLog(databaseFile: string): WriteAheadLog {
  let fd: number | undefined;
  return {
    sync: () => {
      // The first commit makes it, and it stays for as long as the database is open.
      fd ??= openSync(`${databaseFile}-wal`, 'r+');
      fdatasyncSync(fd);
    },
    close: () => {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}
