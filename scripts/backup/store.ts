import type { DatabaseSync } from 'node:sqlite';
import type { StoredObject } from './archive.ts';

/** Where the product keeps its data: the local run's folder, or Cloudflare. */
export type Store = {
  /** The word with which an operator allows it to be overwritten. */
  name: string;
  /** Writes the database as it is at one moment into the new SQLite file `to`. */
  copyDatabase: (to: string) => Promise<void>;
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
  close: () => Promise<void>;
};
