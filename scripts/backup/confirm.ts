import { printable } from '#contract/printable-text';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { renameFile } from '../../firmware-bridge/src/files.ts';
import { markRestoreBegun, restoreCommandLine } from '../database/unfinished-restore.ts';
import { LOCAL } from '../deployment-name.ts';
import { quoteForShell } from '../terminal.ts';
import { lastStoreChange } from './after-restore.ts';
import { unpackArchive, type Manifest, addObjectTable, MANIFEST_TABLES } from './archive.ts';
import { ANY_AUTHOR, UNKNOWN_AUTHOR, ownKeyFingerprint } from './author.ts';
import type { ArchiveKeys } from './encryption.ts';
import type { Store } from './store.ts';
import { withWorkFolder, withDiskFullError, workFolderOf } from './work-folder.ts';
import { DATABASES } from '../database/local-d1.ts';
import { appliedMigrations, schemaAfterMigrations, refuseUnreleasedMigrations } from '../database/migrate.ts';
import { MIGRATION_TABLES, tableNameInArchive } from './both-databases.ts';

/* The checks and questions of a restore. They come before anything is moved or replaced. */

export type RestoreOptions = {
  archive: string;
  keys?: ArchiveKeys;
  /** The name of the store, if the operator allows that the store is overwritten. */
  overwrite: string | undefined;
  /** Whether data that was stored after the archive was made may be lost. */
  discardNewer?: boolean;
  /** Whether keys that were revoked after the archive was made work again. */
  reviveKeys?: boolean;
  /** Archives by this author are accepted, besides those by this installation. */
  author?: string | typeof ANY_AUTHOR | undefined;
  /** Whether receivers of alerts that the store did not have are restored too. */
  keepReceivers?: boolean;
  /** Asks the operator; absent without a terminal. */
  ask?: ((question: string) => Promise<string>) | undefined;
  say: (line: string) => void;
  /** Prints the differences between store and archive. If absent, `say` prints them. */
  sayWithheld?: (line: string) => void;
};

/** @throws Error if the archive is damaged, or if it is not from a released version */
export async function openArchiveOfRelease(
  file: string,
  { archive, keys }: Pick<RestoreOptions, 'archive' | 'keys'>,
) {
  const { db, ...whole } = await unpackArchive(archive, file, keys);
  try {
    refuseOtherSchema(db);
  } finally {
    db.close();
  }
  return whole;
}

/** The options as text for a command that the operator can type again, without the archive and the store. */
export function restoreOptionsText({
  author,
  discardNewer,
  reviveKeys,
  keepReceivers,
}: Omit<RestoreOptions, 'archive' | 'say'>) {
  const words = [
    typeof author === 'string' && `--author ${quoteForShell(author)}`,
    discardNewer === true && '--discard-newer',
    reviveKeys === true && '--revive-keys',
    keepReceivers === true && '--keep-receivers',
  ];
  return words.map((word) => (word === false ? '' : ` ${word}`)).join('');
}

/**
 * @returns the options, with the author that the operator has allowed
 * @throws Error unless this installation made the archive, or the operator has allowed its author
 */
export async function confirmAuthor<Given extends RestoreOptions>(
  where: string,
  dataDir: string,
  author: string,
  options: Given,
): Promise<Given> {
  const { author: known, ask, say } = options;
  const own = ownKeyFingerprint(dataDir);
  if (author === own || known === ANY_AUTHOR) return options;
  const who = author === UNKNOWN_AUTHOR ? 'not signed, like all archives of 0.1.0' : `signed by ${author}`;
  const told = `the archive is ${who}, and this installation is ${own ?? 'a new one'}: whoever made the archive decides who is an admin`;
  const allowed = { ...options, author };
  if (known !== author && (await ask?.(`${told}. If you trust this archive, type ${author}: `)) !== author) {
    const overwrite =
      options.overwrite === undefined ? '' : ` --overwrite ${quoteForShell(options.overwrite)}`;
    const again = restoreCommandLine(
      dataDir,
      where,
      quoteForShell(options.archive),
      overwrite + restoreOptionsText(allowed),
    );
    throw new Error(
      `${told}. Nothing was changed. First step: check that the backup which made the archive printed that name, then ${again}`,
    );
  }
  say(`accepted as you allowed: ${who}`);
  return allowed;
}

/** @throws Error unless the operator agrees that the store is overwritten and that newer data is lost */
export async function confirmDataLoss(
  store: Store,
  { madeAt }: Manifest,
  options: RestoreOptions,
): Promise<void> {
  const { overwrite, discardNewer = false, ask } = options;
  const { name } = store;
  if (overwrite !== name) {
    const named = await ask?.(`${name} has data. To replace all of it, type ${name}: `);
    if (named !== name) throw new Error(`${name} has data: add --overwrite ${name} to replace all of it`);
  }
  const last = await lastStoreChange(store);
  if (discardNewer || last === undefined || last.getTime() <= Date.parse(madeAt)) return;
  const loss = `${name} was last changed at ${last.toISOString()} and the archive was made at ${madeAt}: the changes between would be lost`;
  if ((await ask?.(`${loss}. To go on, type discard: `)) !== 'discard')
    throw new Error(`${loss}. Back up the present data, or add --discard-newer`);
}

/**
 * Moves a data folder away, because a restore cannot replace its damaged database.
 * @returns the options, with the author that the operator has allowed
 * @throws Error, before anything is moved, if the archive cannot be restored or the operator does not agree
 */
export async function moveDamagedDataAside<Given extends RestoreOptions>(
  dataDir: string,
  folder: string,
  damage: string,
  options: Given,
): Promise<Given> {
  const { archive, overwrite, ask, say } = options;
  const told = `local is damaged (${printable(damage)})`;
  const named = overwrite ?? (await ask?.(`${told}. To move its data aside and restore, type local: `));
  if (named !== 'local') throw new Error(`${told}: add --overwrite local to move its data aside and restore`);
  const allowed = await withWorkFolder(workFolderOf(dataDir, LOCAL), (workplace) =>
    withDiskFullError(workplace, async () => {
      const { author } = await openArchiveOfRelease(join(workplace, 'archive'), options);
      return await confirmAuthor(LOCAL, dataDir, author, options);
    }),
  );
  const aside = `${folder}-damaged-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  markRestoreBegun(dataDir, LOCAL, archive, restoreOptionsText(allowed));
  renameFile(folder, aside);
  say(
    `${told}, and was moved to ${aside}. Levels and keys that were taken away after the archive was made could not be read: check the lists of users and of bridge keys`,
  );
  return allowed;
}

const told = { what: 'the archive', way: 'it cannot be restored' };

/** The statement without quotes and spaces: D1's export and `ALTER TABLE` write them differently. */
const plain = (sql: string) => sql.replace(/["`\s]/g, '');

type Part = { type: string; name: string; sql: string };
const partsOf = (db: DatabaseSync): Part[] =>
  db
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence'")
    .all()
    .map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: plain(String(sql)) }));

const MANIFESTS = new Set(MANIFEST_TABLES.map(plain));

/** Whether a table is Cloudflare's own. A restore does not copy these tables. */
const isCloudflares = ({ type, name }: Part) => name.startsWith('_cf_') && type !== 'trigger';

/**
 * Compares the archive's tables, indexes and triggers with those that its migrations create. Otherwise
 * somebody could add a trigger to an archive, and the trigger would change the restored data.
 * @throws Error naming the first difference
 */
function refuseOtherSchema(archive: DatabaseSync): void {
  const expected: Part[] = [];
  for (const database of DATABASES) {
    const applied = appliedMigrations(archive, MIGRATION_TABLES[database]);
    refuseUnreleasedMigrations(applied, database, told);
    const made = schemaAfterMigrations(database, applied);
    for (const { type, name, sql } of partsOf(made)) {
      const archived = database === 'PLANTS_DB' ? tableNameInArchive(name) : name;
      expected.push({
        type,
        name: archived,
        sql: sql.replace(`CREATETABLE${name}(`, `CREATETABLE${archived}(`),
      });
    }
    made.close();
  }
  const own = new DatabaseSync(':memory:');
  addObjectTable(own);
  expected.push(...partsOf(own));
  own.close();
  const wanted = new Map(expected.map((part) => [`${part.type} ${part.name}`, part.sql]));
  for (const part of partsOf(archive)) {
    const key = `${part.type} ${part.name}`;
    const sql = wanted.get(key);
    wanted.delete(key);
    // wrangler creates its list of migrations itself, with other SQL.
    const isBook = part.type === 'table' && Object.values(MIGRATION_TABLES).includes(part.name);
    if (sql === part.sql || isBook || isCloudflares(part) || MANIFESTS.has(part.sql)) continue;
    throw new Error(
      `the archive cannot be restored: its ${printable(key)} is ${sql === undefined ? 'unknown to every version' : 'different from the migrations'}. Somebody has changed it: take another archive`,
    );
  }
  for (const key of wanted.keys()) throw new Error(`the archive cannot be restored: it has no ${key}`);
}
