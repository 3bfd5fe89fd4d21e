import { DatabaseSync } from 'node:sqlite';
import { printable } from '#contract/printable-text';
import { DATABASES } from '../database/local-d1.ts';
import { appliedMigrations, schemaAfterMigrations, refuseUnreleasedMigrations } from '../database/migrate.ts';
import { addObjectTable, MANIFEST_TABLES } from './archive.ts';
import { MIGRATION_TABLES, tableNameInArchive } from './both-databases.ts';

const told = { what: 'the archive', way: 'it cannot be restored' };

/** The statement without quotes and spaces, because D1's export and `ALTER TABLE` write them differently. */
const plain = (sql: string) => sql.replace(/["`\s]/g, '');

type Part = { type: string; name: string; sql: string };
const partsOf = (db: DatabaseSync): Part[] =>
  db
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence'")
    .all()
    .map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: plain(String(sql)) }));

const MANIFESTS = new Set(MANIFEST_TABLES.map(plain));

/** Cloudflare's own tables, which a restore does not copy. */
const isCloudflares = ({ type, name }: Part) => name.startsWith('_cf_') && type !== 'trigger';

/**
 * Compares the archive's tables, indexes and triggers with those of its migrations. Otherwise somebody could
 * add a trigger to an archive, which would then change the restored data.
 * @throws Error naming the first part that differs
 */
export function refuseOtherSchema(archive: DatabaseSync): void {
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
    // wrangler creates its list of migrations itself, with different SQL.
    const isBook = part.type === 'table' && Object.values(MIGRATION_TABLES).includes(part.name);
    if (sql === part.sql || isBook || isCloudflares(part) || MANIFESTS.has(part.sql)) continue;
    throw new Error(
      `the archive cannot be restored: its ${printable(key)} is ${sql === undefined ? 'unknown to every version' : 'different from the migrations'}. Somebody has changed it: take another archive`,
    );
  }
  for (const key of wanted.keys()) throw new Error(`the archive cannot be restored: it has no ${key}`);
}
