import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { Store } from './store.ts';

/*
 * A restore removes the access log's rows that are newer than the archive, and the records that a month was
 * signed off later. The restored log gets a row that says so, and the rows about earlier restores.
 */

const newestSchema = z.object({ at: z.number(), id: z.number() });
/** The newest row of a log; undefined if the log has no rows. */
type Newest = z.infer<typeof newestSchema> | undefined;

const restoreSchema = z.object({ at: z.number(), detail: z.string() });
const countSchema = z.tuple([z.object({ all: z.number(), since: z.number() })]);
const monthsSchema = z.array(z.object({ month: z.string() }));

export type StoreLogState = {
  /** How many rows are newer than the newest row in the archive; null if the store has no log. */
  entries: number | null;
  /** The months of the log that were signed off. */
  months: string[];
  restores: z.infer<typeof restoreSchema>[];
};

export const IS_RESTORE_LOG_SQL = `actor_id IS NULL AND action = 'change' AND subject = 'access_log'
  AND json_type(detail, '$.restored') IS 'object'`;

/** SQL condition that leaves out integers that are too large for a number: node:sqlite would throw. */
const IS_COMMON = `at BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER} AND id BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}`;

export function newestLogEntry(archive: DatabaseSync): Newest {
  const row = archive
    .prepare(`SELECT at, id FROM access_log WHERE ${IS_COMMON} ORDER BY at DESC, id DESC LIMIT 1`)
    .get();
  return newestSchema.optional().parse(row);
}

/** Reads from the store's log what a restore must know, before the log is replaced. */
export async function readStoreLog(store: Store, newest: Newest): Promise<StoreLogState> {
  const has = async (table: string) =>
    (await store.rows(`SELECT 1 FROM sqlite_schema WHERE name = '${table}'`)).length > 0;
  const months = (await has('log_reviews'))
    ? monthsSchema.parse(await store.rows('SELECT month FROM log_reviews ORDER BY month'))
    : [];
  const known = { entries: null, months: months.map(({ month }) => month), restores: [] };
  if (!(await has('access_log'))) return known;
  const { at, id } = newest ?? { at: 0, id: 0 };
  const [{ all, since }] = countSchema.parse(
    await store.rows(
      `SELECT count(*) AS "all", count(*) FILTER (WHERE (at, id) > (${at}, ${id}) AND NOT (${IS_RESTORE_LOG_SQL})) AS since
       FROM access_log`,
    ),
  );
  const restores = z
    .array(restoreSchema)
    .parse(
      await store.rows(
        `SELECT at, detail FROM access_log WHERE ${IS_RESTORE_LOG_SQL} AND ${IS_COMMON} ORDER BY id`,
      ),
    );
  return { ...known, entries: all === 0 ? null : since, restores };
}

/**
 * Adds rows about this restore and about earlier restores to the log in an unpacked archive.
 * @returns lines for the operator
 */
export function logRestore(
  archive: DatabaseSync,
  known: StoreLogState,
  { madeAt, newest, now }: { madeAt: string; newest: Newest; now: number },
): string[] {
  const signed = monthsSchema.parse(archive.prepare('SELECT month FROM log_reviews').all());
  const months = known.months.filter((month) => !signed.some((each) => each.month === month));
  const since = newest?.at ?? null;
  const restored = { made: Date.parse(madeAt), since, entries: known.entries, months };
  const insert = archive.prepare(
    `INSERT INTO access_log (at, address, action, subject, detail) SELECT ?1, 'operator', 'change', 'access_log', ?2
     WHERE NOT EXISTS (SELECT 1 FROM access_log WHERE at = ?1 AND detail = ?2)`,
  );
  for (const { at, detail } of [...known.restores, { at: now, detail: JSON.stringify({ restored }) }])
    insert.run(at, detail);
  const from = since === null ? 'its beginning' : new Date(since).toISOString();
  return [
    `access log: ${goneRows(known.entries, from)}; a new row of the log records the loss`,
    ...(months.length === 0
      ? []
      : [`months of the access log that must be signed off again: ${months.join(', ')}`]),
  ];
}

/** @param count the number of lost rows; null if unknown */
function goneRows(count: number | null, from: string): string {
  if (count === null) return `any rows from ${from} until now are lost`;
  return `${count === 1 ? '1 row' : `${count} rows`} from ${from} until now ${count === 1 ? 'is' : 'are'} lost`;
}
