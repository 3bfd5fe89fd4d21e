import { sql, type SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { bridgeKeys } from './plants.ts';
import { insertFrom, integer } from './sql.ts';

/* Keys of bridges, as the operator's command and the API make and end them. */

/**
 * @param plants the topics that it may speak for; null for every one
 * @param now milliseconds since 1970
 */
export const insertKey = (bridge: string, plants: string[] | null, key: string, now: number): SQL =>
  insertFrom(
    bridgeKeys,
    {
      bridge_id: bridge,
      key,
      plants: plants === null ? null : JSON.stringify(plants),
      created_at: integer(now),
    },
    sql``,
  );

type Which = { bridge?: string | undefined; id?: number | undefined };

/** Matches every key when neither bridge nor id is given. */
export const matchingKeys = ({ bridge, id }: Which): SQL => sql`
  (${bridge ?? null} IS NULL OR ${bridgeKeys.bridge_id} = ${bridge ?? null})
  AND (${id ?? null} IS NULL OR ${bridgeKeys.id} = ${id ?? null})`;

/** Revokes the keys that are still valid. */
export const revokeKeys = (which: Which, now: number): SQL => sql`
  UPDATE ${bridgeKeys} SET revoked_at = ${integer(now)} WHERE ${matchingKeys(which)} AND ${bridgeKeys.revoked_at} IS NULL`;

const dialect = new SQLiteSyncDialect();

/** The statement with its values in it, because wrangler accepts no parameters. */
export const inlineSql = (query: SQL): string => dialect.sqlToQuery(query.inlineParams()).sql;
