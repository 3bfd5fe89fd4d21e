import { appendFileSync, createReadStream, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { D1Database, R2Bucket } from '@cloudflare/workers-types';
import { migrateRemote, remoteDatabases, type RemoteDatabase } from '../deploy/remote-database.ts';
import { wrangler } from '../deploy/wrangler.ts';
import { DATABASES, type DatabaseName } from '../database/local-d1.ts';
import { commandEnvSchema, parseSettings } from '../variables.ts';
import { tableNames } from './archive.ts';
import { addPlantsDatabase, archivePart, type ArchivePart } from './both-databases.ts';
import { readCells, sqlLiteral, quoteId } from './cells.ts';
import { restoreDumpedTexts } from './dumped-texts.ts';
import { markRestoreBegun, markRestoreEnded, isRestoreUnfinished } from '../database/unfinished-restore.ts';
import { drillOutcomeSql, backupOutcomeSql, type Store } from './store.ts';
import { workFolderOf } from './work-folder.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPlatformProxy } from 'wrangler';
import { bucketOf, readDeployConfig } from '../deploy/wrangler-configs.ts';
import { commandEnvironment } from '../command-environment.ts';

/** Opens the databases and files of a deployment. It needs wrangler's login. */
export async function openRemoteStore(deployment: string): Promise<Store> {
  const { config, databases } = await remoteDatabases(deployment);
  const { bound, dispose, ...objects } = await openBindings(deployment, databases);
  const onDatabase = (command: string[], { name }: RemoteDatabase, options: string[]) =>
    wrangler([...command, name, '--remote', '--config', config, ...options]);
  const exportTo = async (name: DatabaseName, to: string) => {
    const dump = `${to}.sql`;
    await onDatabase(['d1', 'export'], databases[name], ['--skip-confirmation', '--output', dump]);
    const db = new DatabaseSync(to);
    try {
      await executeSqlDump(db, dump);
      await restoreDumpedTexts(db, bound[name]);
    } finally {
      db.close();
    }
  };
  const holdsRows = async (binding: D1Database) => {
    const { results } = await binding
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('d1_migrations')")
      .all<{ name: string }>();
    for (const { name } of results.filter(({ name }) => !/^(_cf_|sqlite_)/.test(name))) {
      if (await binding.prepare(`SELECT 1 FROM ${quoteId(name)} LIMIT 1`).first()) return true;
    }
    return false;
  };
  const { DATA_DIR } = parseSettings(commandEnvSchema);
  return {
    name: deployment,
    workplace: workFolderOf(DATA_DIR, deployment),
    isUnfinished: () => isRestoreUnfinished(DATA_DIR, deployment),
    beginRestore: (archive, words) => markRestoreBegun(DATA_DIR, deployment, archive, words),
    endRestore: () => markRestoreEnded(DATA_DIR, deployment),
    ...objects,
    copyDatabases: async (to) => {
      const plants = `${to}.plants`;
      await exportTo('DB', to);
      await exportTo('PLANTS_DB', plants);
      return addPlantsDatabase(to, plants);
    },
    rows: async (select, database = 'DB') => (await bound[database].prepare(select).all()).results,
    isEmpty: async () => {
      for (const name of DATABASES) if (await holdsRows(bound[name])) return false;
      return (await objects.objectKeys()).length === 0;
    },
    replaceDatabases: async (archive, file, plants) => {
      for (const name of DATABASES) {
        const dump = `${file}.${name}.sql`;
        writeSqlDump(archive, dump, archivePart(archive, plants, name));
        // If one statement fails, D1 rolls back the whole file.
        await onDatabase(['d1', 'execute'], databases[name], ['--yes', '--file', dump]);
      }
    },
    migrate: async () => {
      await migrateRemote(deployment);
      return [];
    },
    noteBackup: async (note) => {
      await bound.DB.prepare(backupOutcomeSql(note)).run();
    },
    noteDrill: async (note) => {
      await bound.DB.prepare(drillOutcomeSql(note)).run();
    },
    close: dispose,
  };
}

/**
 * Runs an SQL file, one statement after another, because the file may be larger than the memory.
 * @throws Error at the first statement that fails, or if the file ends in the middle of a statement
 */
export async function executeSqlDump(db: DatabaseSync, file: string): Promise<void> {
  // These settings are faster. They are safe here, because after a failure the copy is deleted.
  db.exec('PRAGMA foreign_keys = OFF; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
  let statement = '';
  for await (const line of linesOf(file)) {
    // D1's export has NUL characters in texts, but SQLite stops reading a statement at a NUL.
    statement += line.replaceAll('\0', "'||char(0)||'");
    if (!line.endsWith(';\n')) continue;
    try {
      db.exec(statement);
      statement = '';
    } catch (error) {
      // The line may have ended inside a text or a trigger, which only SQLite can know. Then read on.
      if (!(error instanceof Error && /incomplete input|unrecognized token/.test(error.message))) throw error;
    }
  }
  if (statement.trim() !== '') throw new Error('the dump ends in the middle of a statement');
}

/** Yields the lines with their line ends. node:readline would remove carriage returns from texts. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield `${line}\n`;
  }
  if (rest !== '') yield `${rest}\n`;
}

/** Writes SQL that replaces a database's data with the archive's part for it. Triggers come last. */
export function writeSqlDump(
  archive: DatabaseSync,
  file: string,
  { tables, counters, schema }: ArchivePart,
): void {
  const write = (sql: string) => appendFileSync(file, `${sql};\n`);
  writeFileSync(file, 'PRAGMA defer_foreign_keys = true;\n', { mode: 0o600 });
  for (const { name } of tables) write(`DROP TABLE IF EXISTS ${quoteId(name)}`);
  for (const { sql } of schema.filter(({ type }) => type === 'table')) write(sql);
  const insert = (archived: string, name: string, columns: string[], values: string[], rest: string) => {
    for (const cells of readCells(archive, archived, values, rest))
      write(
        `INSERT INTO ${quoteId(name)} (${columns.join(', ')}) VALUES (${cells.map(sqlLiteral).join(',')})`,
      );
  };
  for (const { archived, name } of tables) {
    const columns = archive
      .prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid')
      .all(archived)
      .map((column) => quoteId(String(column['name'])));
    insert(archived, name, columns, columns, '');
  }
  // The counters come last, because each INSERT updates them.
  if (tableNames(archive).includes('sqlite_sequence')) {
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

type Bindings = { bound: Record<DatabaseName, D1Database>; dispose: () => Promise<void> } & Pick<
  Store,
  'objectKeys' | 'readObject' | 'writeObject' | 'deleteObject'
>;

/** The bindings of a deployment's databases and files. They need wrangler's login. */
export async function openBindings(
  deployment: string,
  databases: Record<DatabaseName, RemoteDatabase>,
): Promise<Bindings> {
  const { api } = readDeployConfig(deployment);
  // Uses a separate configuration, without the other bindings of the site.
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-bindings-'));
  const configPath = join(place, 'wrangler.json');
  writeFileSync(
    configPath,
    JSON.stringify({
      name: 'cps-lab-backup',
      compatibility_date: api.compatibility_date,
      d1_databases: DATABASES.map((binding) => ({
        binding,
        database_name: databases[binding].name,
        database_id: databases[binding].id,
        remote: true,
      })),
      r2_buckets: [{ binding: 'FILES', bucket_name: bucketOf(api), remote: true }],
    }),
  );
  const open = commandEnvironment().openBindings ?? getPlatformProxy;
  const proxy = await open<{ FILES: R2Bucket } & Record<DatabaseName, D1Database>>({
    configPath,
    remoteBindings: true,
    persist: false,
  });
  const { FILES: files, ...bound } = proxy.env;
  return {
    bound,
    dispose: async () => {
      await proxy.dispose();
      rmSync(place, { recursive: true });
    },
    objectKeys: async () => {
      const keys: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await files.list(cursor === undefined ? {} : { cursor });
        keys.push(...page.objects.map(({ key }) => key));
        cursor = page.truncated ? page.cursor : undefined;
      } while (cursor !== undefined);
      return keys;
    },
    readObject: async (key) => {
      const object = await files.get(key);
      if (!object) return undefined;
      const content = new Uint8Array(await object.arrayBuffer());
      return { key, type: object.httpMetadata?.contentType ?? 'application/octet-stream', content };
    },
    writeObject: async ({ key, type, content }) => {
      await files.put(key, content, { httpMetadata: { contentType: type } });
    },
    deleteObject: (key) => files.delete(key),
  };
}
