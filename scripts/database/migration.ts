/**
 * `npm run migration -- [--plants] <what_it_does>`: writes the next numbered migration of DB from the files
 * in db/, or with --plants of PLANTS_DB from db/plants.ts. drizzle-kit does not know STRICT and WITHOUT
 * ROWID. So this file adds STRICT to each table, and WITHOUT ROWID to each table with a composite key.
 * table-rebuild.ts replaces the statements with which drizzle-kit rebuilds tables. drizzle-kit needs only the
 * newest snapshot, so the snapshot before it is deleted.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { printable } from '#contract/printable-text';
import { refuseExtraArguments, UsageError } from '../../firmware-bridge/src/commands/command-line.ts';
import { defineCommand, print, runAsProgram } from '../terminal.ts';
import { dataKeepingStatements, UnsafeMigrationError } from './table-rebuild.ts';

const BREAK = '--> statement-breakpoint';
/** The files that define the tables of DB. */
const SCHEMA = './db/{users,courses,roster,ledger,watch,content,access-log}.ts';
const HELP = {
  command: 'npm run migration --',
  does: 'writes the next numbered migration from the tables in db/; it keeps every stored row, or refuses.',
  ways: [['<what_it_does>', 'letters, digits and _']],
  options: {
    plants: {
      type: 'boolean',
      tells: 'for PLANTS_DB, from db/plants.ts, instead of DB, from the other files of db/',
    },
  },
  example: 'npm run migration -- add_receipts_to_ledger',
  page: 'CONTRIBUTING.md#how-a-change-is-made',
} as const;

function writeMigration(name: string, folder: string, schema: string): void {
  const migrations = () => globSync(`${folder}/*.sql`).sort();
  const snapshots = () => globSync(`${folder}/meta/*_snapshot.json`);
  const book = `${folder}/meta/_journal.json`;
  const before = { migrations: migrations(), snapshots: snapshots(), journal: readFileSync(book) };
  const options = ['--dialect', 'sqlite', '--schema', schema, '--out', folder, '--name', name];
  const drizzleKit = spawnSync('drizzle-kit', ['generate', ...options], { stdio: 'inherit' });
  if (drizzleKit.status !== 0) throw new Error('drizzle-kit failed and wrote nothing: its message is above');

  const path = migrations().find((file) => !before.migrations.includes(file));
  if (path !== undefined) {
    try {
      writeFileSync(
        path,
        dataKeepingStatements(statementsOf(path).map(strict), databaseSoFar(before.migrations)).join(
          `\n${BREAK}\n`,
        ) + '\n',
      );
      print(`${path}: tables are STRICT, and a rebuilt table keeps its rows, indexes and triggers`);
      for (const file of before.snapshots) rmSync(file);
    } catch (error) {
      rmSync(path);
      for (const file of snapshots()) if (!before.snapshots.includes(file)) rmSync(file);
      writeFileSync(book, before.journal);
      if (!(error instanceof UnsafeMigrationError)) throw error;
      throw new Error(
        `no migration was written: ${error.message}\nMore is in docs/decisions/0028-rebuilds-that-keep.md.`,
        { cause: error },
      );
    }
  }
}

function statementsOf(file: string): string[] {
  return readFileSync(file, 'utf8').split(BREAK);
}

function databaseSoFar(files: string[]): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  for (const file of files) for (const statement of statementsOf(file)) db.exec(statement);
  return db;
}

function strict(statement: string): string {
  if (!/^\s*CREATE TABLE/.test(statement)) return statement;
  const options = /\n\tPRIMARY KEY\(/.test(statement) ? 'STRICT, WITHOUT ROWID' : 'STRICT';
  return statement.replace(/\)\s*;(\s*)$/, `) ${options};$1`);
}

export const migrationCommand = defineCommand(
  HELP,
  async ({ values: { plants = false }, words: [name, ...more] }) => {
    if (name === undefined) throw new UsageError('the name of the migration is missing');
    if (!/^[a-z][a-z0-9_]+$/.test(name))
      throw new UsageError(
        `${printable(name)} is not a valid name: small letters, digits and _, a letter first`,
      );
    refuseExtraArguments(more);
    if (plants) writeMigration(name, 'migrations/plants', './db/plants.ts');
    else writeMigration(name, 'migrations', SCHEMA);
  },
);

if (import.meta.main) await runAsProgram(migrationCommand);
