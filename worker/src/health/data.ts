import type { HealthDetails } from '#contract/health';
import type { Database } from '#db/client';
import { backups } from '#db/watch';
import { desc, eq } from 'drizzle-orm';

/** The last good backup, or none. */
export async function lastBackup(db: Database) {
  return await db
    .select({ at: backups.at, rows: backups.rows, files: backups.files, bytes: backups.bytes })
    .from(backups)
    .where(eq(backups.ok, true))
    .orderBy(desc(backups.id))
    .limit(1);
}

/** Bytes of the database itself, as it tells with every answer, and of the files that it has records of. */
export async function storageSize({ $client }: Database): Promise<NonNullable<HealthDetails['storage']>> {
  const { results, meta } = await $client
    .prepare(
      `SELECT count(*) AS files_count, coalesce(sum(size), 0) AS files
       FROM (SELECT size FROM pictures UNION ALL SELECT size FROM receipts)`,
    )
    .all<{ files_count: number; files: number }>();
  const { files = 0, files_count = 0 } = results[0] ?? {};
  return { database: meta.size_after, files, files_count };
}
