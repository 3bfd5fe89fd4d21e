import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { DatabaseName } from '../database/local-d1.ts';
import type { StoredObject } from './archive.ts';

/** The name of the last step: the archive is verified and has its name. */
export const CLOSING_STEP = 'closing';

/** Number of rows and stored files, and their uncompressed bytes. */
export type BackupContent = { rows: number; files: number; bytes: number };
/** Without content, the backup has failed. */
export type BackupOutcome = { at: Date; content?: BackupContent };

/** SQL that records a backup. It contains only numbers, because wrangler accepts no parameters. */
export function backupOutcomeSql({ at, content }: BackupOutcome): string {
  const counts = content ? [1, content.rows, content.files, content.bytes] : [0, 'NULL', 'NULL', 'NULL'];
  return `INSERT INTO backups (at, ok, rows, files, bytes) VALUES (${[at.getTime(), ...counts].join(', ')})`;
}

/** What a drill restored, and when its archive was made. */
export type DrillContent = { madeAt: Date; rows: number; files: number };
export type DrillOutcome = { at: Date; content?: DrillContent };

export function drillOutcomeSql({ at, content }: DrillOutcome): string {
  const counts = content
    ? [1, content.madeAt.getTime(), content.rows, content.files]
    : [0, 'NULL', 'NULL', 'NULL'];
  return `INSERT INTO drills (at, ok, made_at, rows, files) VALUES (${[at.getTime(), ...counts].join(', ')})`;
}

/** The data folder in which the store's workplace is; it also has the installation's own key. */
export const dataDirOf = ({ workplace }: Pick<Store, 'workplace'>) => dirname(workplace);

/** Where the product stores its data: the local run's folder, or Cloudflare. */
export type Store = {
  /** The operator types this name to allow that the store is overwritten. */
  name: string;
  /** Local folder for an archive's unencrypted content. */
  workplace: string;
  /**
   * Writes a consistent snapshot of each database into the new SQLite file `to`.
   * @returns the names of PLANTS_DB's tables there
   */
  copyDatabases: (to: string) => Promise<string[]>;
  /** Reads from DB unless another database is given. */
  rows: (select: string, database?: DatabaseName) => Promise<unknown[]>;
  objectKeys: () => Promise<string[]>;
  /** Undefined if the file was deleted after its key was listed. */
  readObject: (key: string) => Promise<StoredObject | undefined>;
  /** Whether a restore into the store was interrupted. */
  isUnfinished: () => boolean;
  /** Marks the store as being restored, until `endRestore`. */
  beginRestore: (archive: string, words: string) => void;
  endRestore: () => void;
  /** Whether a restore would overwrite nothing. */
  isEmpty: () => Promise<boolean>;
  /**
   * Replaces the existing tables of each database with the archive's, all or none of them.
   * @param plants the names of PLANTS_DB's tables there
   */
  replaceDatabases: (archive: DatabaseSync, file: string, plants: string[]) => Promise<void>;
  writeObject: (object: StoredObject) => Promise<void>;
  deleteObject: (key: string) => Promise<void>;
  /** Brings restored databases to this version; returns the names of the applied migrations. */
  migrate: () => Promise<string[]>;
  /** Records a backup, successful or failed, for the health page. */
  noteBackup: (made: BackupOutcome) => Promise<void>;
  noteDrill: (done: DrillOutcome) => Promise<void>;
  close: () => Promise<void>;
};
