import { sql, type SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { bridgeKeys } from './plants.ts';
import { insertFrom, toInt } from './sql.ts';

/* Creates and revokes keys of bridges, for the operator's command and for the API. */

/**
 * @param plants the topics that the bridge may send for; null for all topics
 * @param now milliseconds since 1970
 */
export const insertBridgeKey = (bridge: string, plants: string[] | null, key: string, now: number): SQL =>
  insertFrom(
    bridgeKeys,
    {
      bridge_id: bridge,
      key,
      plants: plants === null ? null : JSON.stringify(plants),
      created_at: toInt(now),
    },
    sql``,
  );

type Which = { bridge?: string | undefined; id?: number | undefined };

/** Matches every key when neither bridge nor id is given. */
export const matchingBridgeKeys = ({ bridge, id }: Which): SQL => sql`
  (${bridge ?? null} IS NULL OR ${bridgeKeys.bridge_id} = ${bridge ?? null})
  AND (${id ?? null} IS NULL OR ${bridgeKeys.id} = ${id ?? null})`;

export const revokeBridgeKeys = (which: Which, now: number): SQL => sql`
  UPDATE ${bridgeKeys} SET revoked_at = ${toInt(now)} WHERE ${matchingBridgeKeys(which)} AND ${bridgeKeys.revoked_at} IS NULL`;

const dialect = new SQLiteSyncDialect();

/** The SQL with its values inlined, because wrangler accepts no parameters. */
export const inlineSql = (query: SQL): string => dialect.sqlToQuery(query.inlineParams()).sql;
