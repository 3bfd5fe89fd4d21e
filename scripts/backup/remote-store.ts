import { appendFileSync, createReadStream, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { remoteDatabase } from '../deploy/remote-database.ts';
import { wrangler } from '../deploy/wrangler.ts';
import { commandVariables, settings } from '../variables.ts';
import { schemaOf, tableNames } from './archive.ts';
import { openBindings } from './bindings.ts';
import { cellsOf, literal, quoted } from './cells.ts';
import { mendTexts } from './dumped-texts.ts';
import { drillSql, noteSql, type Store } from './store.ts';
import { workplaceOf } from './workplace.ts';

/** The deployed product's D1 and R2, accessed through wrangler's login. */
export async function openRemoteStore(): Promise<Store> {
  const { config, name: database, id } = await remoteDatabase();
  const { d1, dispose, ...objects } = await openBindings(id);
  const onDatabase = (command: string[], options: string[]) =>
    wrangler([...command, database, '--remote', '--config', config, ...options]);
  return {
    name: database,
    workplace: workplaceOf(settings(commandVariables).DATA_DIR, 'remote'),
    ...objects,
    copyDatabase: async (to) => {
      const dump = `${to}.sql`;
      await onDatabase(['d1', 'export'], ['--skip-confirmation', '--output', dump]);
      const db = new DatabaseSync(to);
      try {
        await runDump(db, dump);
        await mendTexts(db, d1);
      } finally {
        db.close();
      }
    },
    rows: async (select) => (await d1.prepare(select).all()).results,
    isEmpty: async () => {
      const { results } = await d1
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('d1_migrations')")
        .all<{ name: string }>();
      for (const { name } of results.filter(({ name }) => !/^(_cf_|sqlite_)/.test(name))) {
        if (await d1.prepare(`SELECT 1 FROM ${quoted(name)} LIMIT 1`).first()) return false;
      }
      return (await objects.objectKeys()).length === 0;
    },
    replaceDatabase: async (archive, file) => {
      const dump = `${file}.sql`;
      writeDump(archive, dump);
      // D1 rolls back the whole file when one of its statements fails.
      await onDatabase(['d1', 'execute'], ['--yes', '--file', dump]);
    },
    migrate: async () => {
      await onDatabase(['d1', 'migrations', 'apply'], []);
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

/** The archive's tables as SQL that replaces the existing ones. Triggers come last, as in the local store. */
export function writeDump(archive: DatabaseSync, file: string): void {
  const schema = schemaOf(archive);
  // The counters last, because inserting updates them.
  const names = tableNames(archive).toSorted(
    (a, b) => Number(a === 'sqlite_sequence') - Number(b === 'sqlite_sequence'),
  );
  const write = (sql: string) => appendFileSync(file, `${sql};\n`);
  writeFileSync(file, 'PRAGMA defer_foreign_keys = true;\n', { mode: 0o600 });
  for (const name of names) if (name !== 'sqlite_sequence') write(`DROP TABLE IF EXISTS ${quoted(name)}`);
  for (const { sql } of schema.filter(({ type }) => type === 'table')) write(sql);
  for (const name of names) {
    const columns = archive
      .prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid')
      .all(name)
      .map((column) => quoted(String(column['name'])));
    if (name === 'sqlite_sequence') write('DELETE FROM sqlite_sequence');
    for (const cells of cellsOf(archive, name, columns)) {
      const values = cells.map(literal).join(',');
      write(`INSERT INTO ${quoted(name)} (${columns.join(', ')}) VALUES (${values})`);
    }
  }
  for (const { sql } of schema.filter(({ type }) => type !== 'table')) write(sql);
}
