import type { Database } from '#db/client';
import { plantStates } from '#db/plants';
import { databaseDays } from '#db/watch';
import { desc, sql } from 'drizzle-orm';
import * as z from 'zod';
import { utcDay, type Usage } from './usage-rules.ts';

const DAYS_READ = 16;
const readingsSchema = z.tuple([z.object({ readings: z.int() })]);

/** D1 returns its size with every result. Values from PLANTS_DB are null if it does not answer. */
export async function readUsage(db: Database, plants: Database): Promise<Usage> {
  const [ofPlants, { meta }, days] = await Promise.all([
    readPlants(plants).catch(() => null),
    db.run(sql`SELECT 1`),
    db.select().from(databaseDays).orderBy(desc(databaseDays.day)).limit(DAYS_READ),
  ]);
  return {
    size: meta.size_after,
    plantsSize: ofPlants && ofPlants.size,
    readings: ofPlants && ofPlants.readings,
    days: days.map(({ day, size, plants_size, readings }) => ({
      day,
      size,
      plantsSize: plants_size,
      readings,
    })),
  };
}

async function readPlants(plants: Database): Promise<{ size: number; readings: number }> {
  const { results, meta } = await plants.run(
    sql`SELECT coalesce(sum(${plantStates.readings}), 0) AS readings FROM ${plantStates}`,
  );
  const [{ readings }] = readingsSchema.parse(results);
  return { size: meta.size_after, readings };
}

/** Records the values at the beginning of the day once, when both databases have answered. */
export async function recordUsageDay(
  db: Database,
  { size, plantsSize, readings, days }: Usage,
  now: number,
): Promise<void> {
  const day = utcDay(now);
  if (days[0]?.day === day || readings === null) return;
  await db.commit([
    db.insert(databaseDays).values({ day, size, plants_size: plantsSize, readings }).onConflictDoNothing(),
  ]);
}
