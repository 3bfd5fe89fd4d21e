/**
 * Replaces the statements with which drizzle-kit rebuilds a table, because they lose rows
 * (docs/decisions/0028-rebuilds-that-keep.md). In D1 foreign keys are always enabled: `DROP TABLE` deletes or
 * changes the rows that refer to the table, and also drops the table's triggers.
 */
import type { DatabaseSync } from 'node:sqlite';

/** There is no safe migration for a change. The message says why, and what to do instead. */
export class UnsafeMigrationError extends Error {}

/**
 * @param statements the statements that drizzle-kit has written
 * @param db a database with all earlier migrations; the new statements are run on it
 * @throws UnsafeMigrationError if rows, triggers, indexes or foreign keys could be lost
 */
export function dataKeepingStatements(statements: string[], db: DatabaseSync): string[] {
  const left = statements
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '' && !/^PRAGMA foreign_keys\s*=/i.test(statement));
  const written: string[] = [];
  const write = (...next: string[]) => {
    for (const statement of next) run(db, statement);
    written.push(...next);
  };
  for (let first = left.shift(); first !== undefined; first = left.shift()) {
    const table = /^CREATE TABLE `__new_(\w+)`/.exec(first)?.[1];
    if (table !== undefined) {
      const parts = left.splice(0, 3).join('\n');
      if (!isRebuild(parts, table))
        throw new UnsafeMigrationError(
          `drizzle-kit rebuilds ${table} by statements that are not known here, so its rows could be lost:\n${first}\n${parts}`,
        );
      const indexes = left.filter((statement) => indexOn(statement, table) !== undefined);
      left.splice(0, left.length, ...left.filter((statement) => !indexes.includes(statement)));
      rebuild(db, table, first.replaceAll(`__new_${table}`, table), indexes, write);
      continue;
    }
    const dropped = /^DROP TABLE `(\w+)`/.exec(first)?.[1];
    const [pointing] = dropped === undefined ? [] : keysTo(db, dropped);
    if (pointing)
      throw new UnsafeMigrationError(
        `dropping ${dropped} would delete rows of ${pointing.name}, which refers to it.\n` +
          `First write a separate migration that removes this foreign key of ${pointing.name}.`,
      );
    write(first);
  }
  checkWhole(db);
  return written;
}

/** Whether the three statements copy a table's rows, drop the old table and rename the new table. */
function isRebuild(parts: string, table: string): boolean {
  return new RegExp(
    `^INSERT INTO \`__new_${table}\`[^;]+;\\s*DROP TABLE \`${table}\`;\\s*ALTER TABLE \`__new_${table}\` RENAME TO \`${table}\`;$`,
  ).test(parts);
}

function rebuild(
  db: DatabaseSync,
  table: string,
  create: string,
  indexes: string[],
  write: (...statements: string[]) => void,
): void {
  const before = columnsOf(db, table);
  for (const { name } of objects(db, 'index', [table])) {
    if (!indexes.some((statement) => indexOn(statement, table) === name))
      throw new UnsafeMigrationError(
        `${name} would be dropped with the old ${table}.\nTo drop it, first write a separate migration that does. To keep it, describe it in db/.`,
      );
  }
  const dependents = dependentsOf(db, table);
  const keys = [table, ...dependents].flatMap((name) => keysTo(db, name));
  const waits = keys.some(({ on_delete }) => !changesRows(on_delete));
  const triggers = objects(db, 'trigger', [table, ...dependents]);
  const copied = dependents.map((name) => ({ name, columns: list(columnsOf(db, name)) }));
  const isCounted = hasCounter(db, table) && /\bAUTOINCREMENT\b/i.test(create);
  const kept = `__kept_${table}`;

  write(
    `-- Rebuilds ${table}. Rows that its deletion would change are moved away first, and restored afterwards.\n` +
      keep(table),
  );
  if (waits) write('PRAGMA defer_foreign_keys = on;');
  write(
    ...triggers.map(({ name }) => `DROP TRIGGER \`${name}\`;`),
    ...dependents.flatMap((name) => [keep(name), `DELETE FROM \`${name}\`;`]),
  );
  if (isCounted) write(counterOf(table, kept));
  write(`DROP TABLE \`${table}\`;`, create);
  const now = columnsOf(db, table);
  for (const { name, isNeeded } of now) {
    if (isNeeded && !before.some((column) => column.name === name))
      throw new UnsafeMigrationError(
        `${table}.${name} is new and has no value in the existing rows.\n` +
          'Give it a default, or allow NULL and fill it in a separate migration.',
      );
  }
  const both = list(now.filter(({ name }) => before.some((column) => column.name === name)));
  write(`INSERT INTO \`${table}\` (${both}) SELECT ${both} FROM \`${kept}\`;`);
  if (isCounted)
    write(
      `DELETE FROM \`sqlite_sequence\` WHERE name = '${table}';`,
      counterOf(kept, table),
      `DELETE FROM \`sqlite_sequence\` WHERE name = '${kept}';`,
    );
  write(
    ...indexes,
    ...copied
      .toReversed()
      .map(
        ({ name, columns }) =>
          `INSERT INTO \`${name}\` (${columns}) SELECT ${columns} FROM \`__kept_${name}\`;`,
      ),
    ...triggers.map(({ sql }) => `${sql};`),
    ...[...dependents, table].map((name) => `DROP TABLE \`__kept_${name}\`;`),
  );
}

const keep = (table: string) => `CREATE TABLE \`__kept_${table}\` AS SELECT * FROM \`${table}\`;`;
const counterOf = (from: string, to: string) =>
  `INSERT INTO \`sqlite_sequence\` (name, seq) SELECT '${to}', seq FROM \`sqlite_sequence\` WHERE name = '${from}';`;
const indexOn = (statement: string, table: string) =>
  new RegExp(`^CREATE (?:UNIQUE )?INDEX \`(\\w+)\` ON \`${table}\``).exec(statement)?.[1];
const list = (columns: { name: string }[]) => columns.map(({ name }) => `\`${name}\``).join(', ');

function run(db: DatabaseSync, statement: string): void {
  try {
    db.exec(statement);
  } catch (error) {
    throw new UnsafeMigrationError(
      `${error instanceof Error ? error.message : String(error)}, in\n${statement}`,
    );
  }
}

/** The columns of a table. Generated columns are left out. */
function columnsOf(db: DatabaseSync, table: string) {
  return db
    .prepare('SELECT name, ("notnull" OR pk > 0) AND dflt_value IS NULL AS needed FROM pragma_table_info(?)')
    .all(table)
    .map(({ name, needed }) => ({ name: String(name), isNeeded: needed === 1 }));
}

/** The tables' indexes or triggers in creation order. SQLite's automatic indexes are left out. */
function objects(db: DatabaseSync, type: 'index' | 'trigger', tables: string[]) {
  return db
    .prepare(
      `SELECT name, sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL
         AND tbl_name IN (SELECT value FROM json_each(?)) ORDER BY rowid`,
    )
    .all(type, JSON.stringify(tables))
    .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
}

function hasCounter(db: DatabaseSync, table: string): boolean {
  const sql = db.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table)?.sql;
  return /\bAUTOINCREMENT\b/i.test(String(sql));
}

function keysTo(db: DatabaseSync, table: string) {
  return db
    .prepare(
      `SELECT pointing.name, key.on_delete FROM sqlite_schema AS pointing, pragma_foreign_key_list(pointing.name) AS key
       WHERE pointing.type = 'table' AND pointing.name <> ?1 AND key."table" = ?1 AND key.seq = 0`,
    )
    .all(table)
    .map(({ name, on_delete }) => ({ name: String(name), on_delete: String(on_delete) }));
}

/** CASCADE, SET NULL and SET DEFAULT act at once, even if foreign keys are deferred. */
const changesRows = (onDelete: string) => onDelete !== 'NO ACTION' && onDelete !== 'RESTRICT';

/** Tables whose rows change if this table's rows are deleted. A table comes before tables it refers to. */
function dependentsOf(db: DatabaseSync, table: string, above: string[] = []): string[] {
  if (above.includes(table))
    throw new UnsafeMigrationError(
      `${[...above, table].join(', ')} refer to each other in a circle.\nFirst write a separate migration that removes one of these foreign keys.`,
    );
  const found = new Set<string>();
  for (const { name, on_delete } of keysTo(db, table)) {
    if (!changesRows(on_delete)) continue;
    for (const dependent of dependentsOf(db, name, [...above, table])) found.add(dependent);
    found.add(name);
  }
  return [...found];
}

/** Checks each trigger: SQLite finds an error in a trigger only at a statement that could fire it. */
function checkWhole(db: DatabaseSync): void {
  run(db, 'PRAGMA foreign_key_check');
  const tables = db.prepare("SELECT DISTINCT tbl_name FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const table of tables.map(({ tbl_name }) => String(tbl_name))) {
    const same = columnsOf(db, table).map(({ name }) => `\`${name}\` = \`${name}\``);
    run(db, `EXPLAIN INSERT INTO \`${table}\` DEFAULT VALUES`);
    run(db, `EXPLAIN UPDATE \`${table}\` SET ${same.join(', ')}`);
    run(db, `EXPLAIN DELETE FROM \`${table}\``);
  }
}
