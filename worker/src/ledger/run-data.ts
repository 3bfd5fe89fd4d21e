import { statement, type Database } from '#db/client';
import { ledgerEntries, ledgerImportEntries, ledgerImports, ledgerKeys } from '#db/ledger';
import { insertFrom } from '#db/sql';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Actor } from '../lib/app-env.ts';

/**
 * Notes that the entry under this key belongs to the run. Stands in the batch that adds the entry, after its key, so a
 * request that is sent again notes nothing twice, and one whose entry is gone nothing at all.
 * @param isOwn finds the key, if it was used for this entry
 */
export function noteRun(db: Database, by: Actor & { id: number }, run: string, isOwn: SQL | undefined) {
  const stored = sql`FROM ${ledgerKeys} JOIN ${ledgerEntries} ON ${ledgerEntries.id} = ${ledgerKeys.entry_id}`;
  const isRun = and(eq(ledgerImports.user_id, by.id), eq(ledgerImports.run, run));
  const link = { entry_id: ledgerKeys.entry_id, import_id: ledgerImports.id };
  return [
    statement(
      db,
      insertFrom(
        ledgerImports,
        { at: Date.now(), user_id: by.id, run },
        sql`${stored} WHERE ${isOwn} ON CONFLICT DO NOTHING`,
      ),
    ),
    statement(
      db,
      insertFrom(
        ledgerImportEntries,
        link,
        sql`${stored} JOIN ${ledgerImports} ON ${isRun} WHERE ${isOwn} ON CONFLICT DO NOTHING`,
      ),
    ),
  ] as const;
}
