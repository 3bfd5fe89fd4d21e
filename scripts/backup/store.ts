import type { DatabaseSync } from 'node:sqlite';
import type { StoredObject } from './archive.ts';

/** Rows and stored files of a backup, and its bytes before they are packed. */
export type BackupContent = { rows: number; files: number; bytes: number };
/** Without content it failed. */
export type BackupNote = { at: Date; content?: BackupContent };

/** The note as SQL: numbers alone, because wrangler's way takes no parameters. */
export function noteSql({ at, content }: BackupNote): string {
  const counts = content ? [1, content.rows, content.files, content.bytes] : [0, 'NULL', 'NULL', 'NULL'];
  return `INSERT INTO backups (at, ok, rows, files, bytes) VALUES (${[at.getTime(), ...counts].join(', ')})`;
}

/** Where the product keeps its data: the local run's folder, or Cloudflare. */
export type Store = {
  /** The word with which an operator allows it to be overwritten. */
  name: string;
  /** Folder on this machine for what an archive holds in the clear. */
  workplace: string;
  /** Writes the database as it is at one moment into the new SQLite file `to`. */
  copyDatabase: (to: string) => Promise<void>;
  /** What a SELECT answers, of the database as it is now. */
  rows: (select: string) => Promise<unknown[]>;
  objectKeys: () => Promise<string[]>;
  /** Undefined for one that was deleted meanwhile. */
  readObject: (key: string) => Promise<StoredObject | undefined>;
  /** Whether there is nothing that a restore would overwrite. */
  isEmpty: () => Promise<boolean>;
  /** Puts the archive's tables in place of what there is: all of them or none. */
  replaceDatabase: (archive: DatabaseSync, file: string) => Promise<void>;
  writeObject: (object: StoredObject) => Promise<void>;
  deleteObject: (key: string) => Promise<void>;
  /** Brings restored tables to the schema of this version; names of the migrations. */
  migrate: () => Promise<string[]>;
  /** Leaves word of a backup, made or failed, for the health page. */
  noteBackup: (made: BackupNote) => Promise<void>;
  close: () => Promise<void>;
};
