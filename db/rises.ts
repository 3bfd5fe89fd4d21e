import { WATERING_WITHIN_MS } from '#contract/moisture';
import { sql, type SQL } from 'drizzle-orm';
import { plantRiseBacklog, plantRises } from './plants.ts';
import { insertFrom } from './sql.ts';

const { plant_id, seen_at, top_at } = plantRises;

/** Rises before a late reading that were over when it was measured stay. */
const stays = sql`${plant_id} = late.plant_id AND ${seen_at} < late.start
  AND ${top_at} < late.start - ${sql.raw(String(WATERING_WITHIN_MS))}`;
const firstToGo = sql`(
  SELECT ${seen_at} FROM ${plantRises} WHERE ${plant_id} = late.plant_id
    AND ${seen_at} > coalesce((SELECT ${seen_at} FROM ${plantRises} WHERE ${stays} ORDER BY ${seen_at} DESC LIMIT 1), -1)
  ORDER BY ${seen_at} LIMIT 1)`;

/**
 * Before intervals of before the mark change: notes from when on the rises of their plant are to be looked for again.
 * @param late a SELECT of `plant_id` and `start`, the first interval that changes, once a plant
 */
export function noteLate(late: SQL): SQL {
  return sql`${insertFrom(
    plantRiseBacklog,
    {
      plant_id: sql`late.plant_id`,
      since: sql`min(late.start, coalesce(${firstToGo}, late.start))`,
      changes: 1,
    },
    sql`FROM (${late}) AS late WHERE true`,
  )} ON CONFLICT DO UPDATE SET since = min(${plantRiseBacklog.since}, excluded.since),
    changes = ${plantRiseBacklog.changes} + 1`;
}
