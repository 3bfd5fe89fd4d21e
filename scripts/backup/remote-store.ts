import { appendFileSync, createReadStream, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { D1Database } from '@cloudflare/workers-types';
import { migrateRemote } from '../deploy/migrate-remote.ts';
import { unbound } from '../deploy/remote-homes.ts';
import { namesSchema, remoteDatabases, type RemoteDatabase } from '../deploy/remote-database.ts';
import { wrangler } from '../deploy/wrangler.ts';
import type { DatabaseName } from '../local-d1.ts';
import { NAMED_HOMES, plantsIn } from '../plant-homes.ts';
import { commandVariables, settings } from '../variables.ts';
import { tableNames } from './archive.ts';
import { openBindings } from './bindings.ts';
import {
  addPlants,
  DIRECTORY,
  homesInArchive,
  partOf,
  whileNothingMoves,
  type Part,
} from './both-databases.ts';
import { cellsOf, literal, quoted } from './cells.ts';
import { mendTexts } from './dumped-texts.ts';
import { beginRestore, endRestore, isRestoreUnfinished } from '../unfinished-restore.ts';
import { drillSql, noteSql, type Store } from './store.ts';
import { workplaceOf } from './workplace.ts';

/** Where the copy of a database goes before it is part of the archive's, which is DB's. */
const fileOf = (to: string, name: DatabaseName) => (name === 'DB' ? to : `${to}.${name}`);

/** The deployed product's D1 and R2, accessed through wrangler's login. */
export async function openRemoteStore(): Promise<Store> {
  const { config, databases } = await remoteDatabases();
  const { DB } = databases;
  const names = namesSchema.parse(Object.keys(databases));
  const ids = Object.fromEntries(
    Object.entries(databases).flatMap(([name, database]) => (database ? [[name, database.id] as const] : [])),
  );
  const { bound, dispose, ...objects } = await openBindings(ids);
  const bindingOf = (name: DatabaseName): D1Database => {
    const binding = bound(name);
    if (!binding) throw new Error(`${name} is not bound`);
    return binding;
  };
  const d1 = bindingOf('DB');
  const onDatabase = (command: string[], { name }: RemoteDatabase, options: string[]) =>
    wrangler([...command, name, '--remote', '--config', config, ...options]);
  const exportTo = async (database: RemoteDatabase, binding: D1Database, to: string) => {
    const dump = `${to}.sql`;
    await onDatabase(['d1', 'export'], database, ['--skip-confirmation', '--output', dump]);
    const db = new DatabaseSync(to);
    try {
      await runDump(db, dump);
      await mendTexts(db, binding);
    } finally {
      db.close();
    }
  };
  const holdsRows = async (binding: D1Database) => {
    const { results } = await binding
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('d1_migrations')")
      .all<{ name: string }>();
    for (const { name } of results.filter(({ name }) => !/^(_cf_|sqlite_)/.test(name))) {
      if (await binding.prepare(`SELECT 1 FROM ${quoted(name)} LIMIT 1`).first()) return true;
    }
    return false;
  };
  const readDirectory = async (select: string) => {
    if (!names.includes('PLANTS_DB')) return [];
    const plants = bindingOf('PLANTS_DB');
    const isThere = await plants.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'plant_homes'").first();
    return isThere ? (await plants.prepare(select).all()).results : [];
  };
  const away = plantsIn(await readDirectory(NAMED_HOMES), (home) => !names.some((name) => name === home));
  /** A backup would not have those plants, and a restore would leave them there. */
  const refuseAway = () => {
    if (away) throw unbound(away);
  };
  const { DATA_DIR } = settings(commandVariables);
  return {
    name: DB.name,
    workplace: workplaceOf(DATA_DIR, 'remote'),
    isUnfinished: () => isRestoreUnfinished(DATA_DIR, 'remote'),
    beginRestore: (archive) => beginRestore(DATA_DIR, 'remote', archive),
    endRestore: () => endRestore(DATA_DIR, 'remote'),
    ...objects,
    databases: () => names,
    copyDatabases: (to) =>
      whileNothingMoves(
        () => readDirectory(DIRECTORY),
        async () => {
          refuseAway();
          for (const name of names) {
            const database = databases[name];
            const file = fileOf(to, name);
            rmSync(file, { force: true });
            if (database) await exportTo(database, bindingOf(name), file);
          }
          const [, plants, ...further] = names;
          if (plants === undefined) return undefined;
          const homes = further.map((name) => ({ name, file: fileOf(to, name) }));
          return addPlants(to, fileOf(to, plants), homes);
        },
      ),
    rows: async (select, database = 'DB') => (await bound(database)?.prepare(select).all())?.results ?? [],
    isEmpty: async () => {
      for (const name of names) if (await holdsRows(bindingOf(name))) return false;
      return (await objects.objectKeys()).length === 0;
    },
    makeRoomFor: (tables) => {
      refuseAway();
      const archived = tables === undefined ? [] : ['PLANTS_DB' as const, ...homesInArchive(tables)];
      const missing = archived.find((name) => !names.includes(name));
      if (missing !== undefined)
        throw new Error(
          `the archive has plants of ${missing}, and the account has no such database: bind it in wrangler.toml and ingest/wrangler.toml, and run npm run deploy first`,
        );
    },
    replaceDatabases: async (archive, file, tables) => {
      for (const name of names) {
        const database = databases[name];
        if (!database) continue;
        const dump = `${file}.${name}.sql`;
        writeDump(archive, dump, partOf(archive, tables, name));
        // D1 rolls back the whole file when one of its statements fails.
        await onDatabase(['d1', 'execute'], database, ['--yes', '--file', dump]);
      }
    },
    migrate: async (say = () => undefined) => {
      await migrateRemote(say);
      return [];
    },
    noteBackup: async (note) => {
      await d1.prepare(noteSql(note)).run();
    },
    noteDrill: async (note) => {
      await d1.prepare(drillSql(note)).run();
    },
    close: dispose,
  };
}

/**
 * Runs an SQL file one statement at a time, because it may exceed available memory and the maximum string length.
 * @throws Error at the first failing statement, or when the file ends in the middle of one
 */
export async function runDump(db: DatabaseSync, file: string): Promise<void> {
  // Durability does not matter: the copy is discarded on any failure.
  db.exec('PRAGMA foreign_keys = OFF; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
  let statement = '';
  for await (const line of linesOf(file)) {
    // D1 writes NUL characters of texts verbatim, but SQLite stops reading a statement at a NUL.
    statement += line.replaceAll('\0', "'||char(0)||'");
    if (!line.endsWith(';\n')) continue;
    try {
      db.exec(statement);
      statement = '';
    } catch (error) {
      // The line may have ended inside a text or a trigger; only SQLite can tell.
      if (!(error instanceof Error && /incomplete input|unrecognized token/.test(error.message))) throw error;
    }
  }
  if (statement.trim() !== '') throw new Error('the dump ends in the middle of a statement');
}

/** Preserves line ends; node:readline would remove carriage returns from texts. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield `${line}\n`;
  }
  if (rest !== '') yield `${rest}\n`;
}

/** A database's part of the archive as SQL that replaces what is there. Triggers come last, as in the local store. */
export function writeDump(archive: DatabaseSync, file: string, { tables, counters, schema }: Part): void {
  const write = (sql: string) => appendFileSync(file, `${sql};\n`);
  writeFileSync(file, 'PRAGMA defer_foreign_keys = true;\n', { mode: 0o600 });
  for (const { name } of tables) write(`DROP TABLE IF EXISTS ${quoted(name)}`);
  for (const { sql } of schema.filter(({ type }) => type === 'table')) write(sql);
  const insert = (archived: string, name: string, columns: string[], values: string[], rest: string) => {
    for (const cells of cellsOf(archive, archived, values, rest))
      write(`INSERT INTO ${quoted(name)} (${columns.join(', ')}) VALUES (${cells.map(literal).join(',')})`);
  };
  for (const { archived, name } of tables) {
    if (archived === undefined) continue;
    const columns = archive
      .prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid')
      .all(archived)
      .map((column) => quoted(String(column['name'])));
    insert(archived, name, columns, columns, '');
  }
  // The counters last, because inserting updates them.
  if (tableNames(archive).includes('sqlite_sequence') && tables.length > 0) {
    write('DELETE FROM sqlite_sequence');
    insert(
      'sqlite_sequence',
      'sqlite_sequence',
      ['name', 'seq'],
      [counters.name, 'seq'],
      `WHERE ${counters.isOwn} ORDER BY rowid`,
    );
  }
  for (const { sql } of schema.filter(({ type }) => type !== 'table')) write(sql);
}
