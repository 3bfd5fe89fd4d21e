import type { Database } from '#db/client';
import { plantStates } from '#db/plants';
import { databaseDays } from '#db/watch';
import { desc, sql } from 'drizzle-orm';
import * as z from 'zod';
import { dayOf, type Usage } from './usage-rules.ts';

const DAYS_READ = 16;
const readingsSchema = z.tuple([z.object({ readings: z.int() })]);

/** D1 tells its size with every answer. */
export async function readUsage(db: Database): Promise<Usage> {
  const { results, meta } = await db.run(
    sql`SELECT coalesce(sum(${plantStates.readings}), 0) AS readings FROM ${plantStates}`,
  );
  const [{ readings }] = readingsSchema.parse(results);
  const days = await db.select().from(databaseDays).orderBy(desc(databaseDays.day)).limit(DAYS_READ);
  return { size: meta.size_after, readings, days };
}

/** Remembers how the day began, unless it is remembered. */
export async function noteDay(db: Database, { size, readings, days }: Usage, now: number): Promise<void> {
  const day = dayOf(now);
  if (days[0]?.day === day) return;
  await db.insert(databaseDays).values({ day, size, readings }).onConflictDoNothing();
}
