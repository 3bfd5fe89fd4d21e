import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { DatabaseName } from '../database/local-d1.ts';
import type { StoredObject } from './archive.ts';

/** The name of a backup's last step. When it begins, the archive is verified and has its final name. */
export const CLOSING_STEP = 'closing';

/** The number of rows and of stored files, and the bytes of both without compression. */
export type BackupContent = { rows: number; files: number; bytes: number };
/** If `content` is absent, the backup has failed. */
export type BackupOutcome = { at: Date; content?: BackupContent };

/** SQL that records a backup. It contains only numbers, because wrangler accepts no parameters. */
export function backupOutcomeSql({ at, content }: BackupOutcome): string {
  const counts = content ? [1, content.rows, content.files, content.bytes] : [0, 'NULL', 'NULL', 'NULL'];
  return `INSERT INTO backups (at, ok, rows, files, bytes) VALUES (${[at.getTime(), ...counts].join(', ')})`;
}

/** What a restore drill has restored, and when the archive was made. */
export type DrillContent = { madeAt: Date; rows: number; files: number };
export type DrillOutcome = { at: Date; content?: DrillContent };

export function drillOutcomeSql({ at, content }: DrillOutcome): string {
  const counts = content
    ? [1, content.madeAt.getTime(), content.rows, content.files]
    : [0, 'NULL', 'NULL', 'NULL'];
  return `INSERT INTO drills (at, ok, made_at, rows, files) VALUES (${[at.getTime(), ...counts].join(', ')})`;
}

/** The data folder that contains the store's workplace. The installation's own key is also in it. */
export const dataDirOf = ({ workplace }: Pick<Store, 'workplace'>) => dirname(workplace);

/** A place where the product stores its data: the local run's folder, or Cloudflare. */
export type Store = {
  /** The operator types this name to allow that a restore overwrites the store. */
  name: string;
  /** A local folder for the unencrypted content of an archive. */
  workplace: string;
  /**
   * Writes a consistent snapshot of both databases into the new SQLite file `to`.
   * @returns the names that PLANTS_DB's tables have in `to`
   */
  copyDatabases: (to: string) => Promise<string[]>;
  /** Reads rows from DB, or from the other database if `database` names it. */
  rows: (select: string, database?: DatabaseName) => Promise<unknown[]>;
  objectKeys: () => Promise<string[]>;
  /** Undefined if the file was deleted after its key was listed. */
  readObject: (key: string) => Promise<StoredObject | undefined>;
  /** Whether a restore into the store was begun and interrupted. */
  isUnfinished: () => boolean;
  /** Marks the store as half restored, until `endRestore` is called. */
  beginRestore: (archive: string, words: string) => void;
  endRestore: () => void;
  /** Whether the store has no data that a restore would overwrite. */
  isEmpty: () => Promise<boolean>;
  /**
   * Replaces the tables of both databases with the archive's: in each database all tables, or none.
   * @param plants the names that PLANTS_DB's tables have in the archive
   */
  replaceDatabases: (archive: DatabaseSync, file: string, plants: string[]) => Promise<void>;
  writeObject: (object: StoredObject) => Promise<void>;
  deleteObject: (key: string) => Promise<void>;
  /** Brings restored databases to this version. Returns the names of the migrations that it has applied. */
  migrate: () => Promise<string[]>;
  /** Records for the health page that a backup succeeded or failed. */
  noteBackup: (made: BackupOutcome) => Promise<void>;
  noteDrill: (done: DrillOutcome) => Promise<void>;
  close: () => Promise<void>;
};
