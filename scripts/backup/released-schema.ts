import { DatabaseSync } from 'node:sqlite';
import { visible } from '#contract/visible-text';
import { DATABASES } from '../database/local-d1.ts';
import { appliedIn, schemaAfter, refuseUnreleased } from '../database/migrate.ts';
import { addObjectTable, MANIFEST_TABLES } from './archive.ts';
import { MIGRATION_TABLES, nameInArchive } from './both-databases.ts';

const told = { what: 'the archive', way: 'it cannot be restored' };

/** The same statement, however D1's export or a renaming has written it. */
const plain = (sql: string) => sql.replace(/["`\s]/g, '');

type Part = { type: string; name: string; sql: string };
const partsOf = (db: DatabaseSync): Part[] =>
  db
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'sqlite_sequence'")
    .all()
    .map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: plain(String(sql)) }));

const MANIFESTS = new Set(MANIFEST_TABLES.map(plain));

/** Cloudflare's own tables, which no restore takes over. */
const isCloudflares = ({ type, name }: Part) => name.startsWith('_cf_') && type !== 'trigger';

/**
 * Compares what is declared in an archive with what the migrations that it names declare. A trigger would act on what is
 * restored, with all rights.
 * @throws Error naming the first part that is another
 */
export function refuseOtherSchema(archive: DatabaseSync): void {
  const expected: Part[] = [];
  for (const database of DATABASES) {
    const applied = appliedIn(archive, MIGRATION_TABLES[database]);
    refuseUnreleased(applied, database, told);
    const made = schemaAfter(database, applied);
    for (const { type, name, sql } of partsOf(made)) {
      const archived = database === 'PLANTS_DB' ? nameInArchive(name) : name;
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
    // wrangler makes its list of migrations itself, in words of its own.
    const isBook = part.type === 'table' && Object.values(MIGRATION_TABLES).includes(part.name);
    if (sql === part.sql || isBook || isCloudflares(part) || MANIFESTS.has(part.sql)) continue;
    throw new Error(
      `the archive cannot be restored: its ${visible(key)} is ${sql === undefined ? 'of no version' : 'not that of the migrations'}. Somebody has changed it: take another archive`,
    );
  }
  for (const key of wanted.keys()) throw new Error(`the archive cannot be restored: it lacks the ${key}`);
}
