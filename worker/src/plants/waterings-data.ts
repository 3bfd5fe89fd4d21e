import type { Watering } from '#contract/plants';
import { HOUR_MS } from '#contract/time';
import { fixedStatement, type Database } from '#db/client';
import { plantRises } from '#db/plants';
import { jsonObject } from '#db/sql';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { ASKED, boundsOf, CHOSEN, iso, type ReadingRange } from './data.ts';
import { ALL_TIME } from './pyramid.ts';
import { KNOWN, risesIn, selectWet } from './rises-data.ts';
import type { RawRise } from './rises.ts';

/** The newest of so many, should somebody have a thousand plants. */
const MOST = 2000;

const { seen_at, before_at, before, top, is_watering } = plantRises;

/** The waterings that are kept, as JSON text of a Watering array. */
const selectKept = fixedStatement<{ waterings: string }>(sql`
  WITH ${CHOSEN}, ${KNOWN}
  SELECT json_group_array(${jsonObject({
    plant: sql`name`,
    datetime: iso(sql`before_at`),
    before: sql`before`,
    after: sql`top`,
  })} ORDER BY before_at, name) AS waterings
  FROM (
    SELECT name, ${before_at}, ${before}, ${top}
    FROM chosen CROSS JOIN known USING (plant_id) CROSS JOIN ${plantRises} USING (plant_id)
    WHERE ${is_watering} AND ${seen_at} >= ${ASKED.from} AND ${seen_at} < since
      AND ${seen_at} < ${ASKED.to} + ${HOUR_MS}
      AND ${before_at} >= ${ASKED.from} AND ${before_at} < ${ASKED.to}
    ORDER BY ${before_at} DESC LIMIT ${MOST})`);

const selectNews = selectWet(CHOSEN, sql`since - ${HOUR_MS} < ${ASKED.to}`, sql`-1`);

const keptSchema = z.array(
  z.object({ plant: z.string(), datetime: z.string(), before: z.int(), after: z.int() }),
);

/**
 * Waterings whose last reading before the water lies in the range, oldest first, as JSON text of a Watering array: those
 * that are kept, and what the rule sees in the readings since. It is applied to the lowest and highest reading of every five minutes.
 */
export async function listWaterings(db: Database, asked: ReadingRange): Promise<string> {
  const range = boundsOf(asked);
  const end = ALL_TIME.to;
  const [[row], wet] = await db.batch([selectKept(db, range), selectNews(db, { ...range, end })]);
  const kept = row?.waterings ?? '[]';
  if (wet.length === 0) return kept;
  const names = new Map(wet.map(({ plant_id, name }) => [plant_id, name]));
  const news = [...(await risesIn(db, wet, end))].flatMap(([plant, rises]) =>
    rises
      .filter(({ isWatering, before: { time } }) => isWatering && time >= range.from && time < range.to)
      .map((rise) => wateringOf(names.get(plant) ?? '', rise)),
  );
  if (news.length === 0) return kept;
  const all = [...keptSchema.parse(JSON.parse(kept)), ...news].sort(
    (a, b) => Date.parse(a.datetime) - Date.parse(b.datetime) || (a.plant < b.plant ? -1 : 1),
  );
  return JSON.stringify(all.slice(-MOST));
}

function wateringOf(plant: string, { before: low, top: high }: RawRise): Watering {
  return { plant, datetime: new Date(low.time).toISOString(), before: low.raw, after: high.raw };
}
