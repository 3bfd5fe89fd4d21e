/**
 * `npm run migration -- <what_it_does>`: writes the next numbered migration from db/schema.ts. drizzle-kit supports
 * neither STRICT nor WITHOUT ROWID, so both are added here: every table is STRICT, and every table with a composite key
 * is stored in key order. table-rebuild.ts replaces drizzle-kit's rebuilds of tables. Only the newest snapshot is needed, so
 * the previous one is deleted.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { keepingStatements, Refusal } from './table-rebuild.ts';

const BREAK = '--> statement-breakpoint';
const JOURNAL = 'migrations/meta/_journal.json';

const name = process.argv[2];
if (!name || !/^[a-z][a-z0-9_]+$/.test(name)) {
  console.error('usage: npm run migration -- <what_it_does>, for example add_receipts_to_ledger');
  process.exit(1);
}
const migrations = () => globSync('migrations/*.sql').sort();
const snapshots = () => globSync('migrations/meta/*_snapshot.json');
const before = { migrations: migrations(), snapshots: snapshots(), journal: readFileSync(JOURNAL) };
const drizzleKit = spawnSync('drizzle-kit', ['generate', '--name', name], { stdio: 'inherit' });
if (drizzleKit.status !== 0) process.exit(drizzleKit.status ?? 1);

const path = migrations().find((file) => !before.migrations.includes(file));
if (path !== undefined) {
  try {
    writeFileSync(
      path,
      keepingStatements(statementsOf(path).map(strict), databaseSoFar()).join(`\n${BREAK}\n`) + '\n',
    );
    console.log(`${path}: tables are STRICT, and what is rebuilt keeps its rows, indexes and triggers`);
    for (const file of before.snapshots) rmSync(file);
  } catch (error) {
    rmSync(path);
    for (const file of snapshots()) if (!before.snapshots.includes(file)) rmSync(file);
    writeFileSync(JOURNAL, before.journal);
    if (!(error instanceof Refusal)) throw error;
    console.error(
      `\nNothing is written: ${error.message}\nMore is in docs/decisions/0028-rebuilds-that-keep.md.`,
    );
    process.exit(1);
  }
}

function statementsOf(file: string): string[] {
  return readFileSync(file, 'utf8').split(BREAK);
}

function databaseSoFar(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  for (const file of before.migrations) for (const statement of statementsOf(file)) db.exec(statement);
  return db;
}

function strict(statement: string): string {
  if (!/^\s*CREATE TABLE/.test(statement)) return statement;
  const options = /\n\tPRIMARY KEY\(/.test(statement) ? 'STRICT, WITHOUT ROWID' : 'STRICT';
  return statement.replace(/\)\s*;(\s*)$/, `) ${options};$1`);
}
