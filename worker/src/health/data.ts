import type { HealthDetails } from '#contract/health';
import type { Database } from '#db/client';
import { receipts } from '#db/ledger';
import { pictures } from '#db/roster';
import { backups } from '#db/watch';
import { desc, eq, sql } from 'drizzle-orm';
import * as z from 'zod';

/** The last two successful backups, the newer one first. */
export async function lastBackups(db: Database) {
  return await db
    .select({ at: backups.at, rows: backups.rows, files: backups.files, bytes: backups.bytes })
    .from(backups)
    .where(eq(backups.ok, true))
    .orderBy(desc(backups.id))
    .limit(2);
}

const filesSchema = z.tuple([z.object({ files: z.int(), files_count: z.int() })]);

/** Bytes of the database, as D1 reports with every result, and of the files recorded in it. */
export async function storageSize(
  db: Database,
): Promise<Omit<NonNullable<HealthDetails['storage']>, 'plants'>> {
  const { results, meta } = await db.run(sql`
    SELECT count(*) AS files_count, coalesce(sum(size), 0) AS files
    FROM (SELECT ${pictures.size} FROM ${pictures} UNION ALL SELECT ${receipts.size} FROM ${receipts})`);
  const [files] = filesSchema.parse(results);
  return { database: meta.size_after, ...files };
}

/** Bytes of a database, without the files in R2. */
export async function databaseSize(db: Database): Promise<number> {
  return (await db.run(sql`SELECT 1`)).meta.size_after;
}
