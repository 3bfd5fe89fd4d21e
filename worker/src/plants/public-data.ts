import { calibrationOf, plantPercent } from '#contract/moisture';
import { PUBLIC_HOURS, type PublicPlant } from '#contract/plants';
import { HOUR_MS } from '#contract/time';
import type { Database } from '#db/client';
import { plantRollups, plants, plantStates } from '#db/plants';
import { integer } from '#db/sql';
import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { ROLLUP_WIDTHS } from './pyramid.ts';

/** The widest that an hour is made of. */
const HALF_HOUR = ROLLUP_WIDTHS[1];

/** The week before an instant of the plant that everybody may see: nothing of it that is finer, nothing of others. */
export async function readPublicPlant(db: Database, now: number): Promise<PublicPlant | null> {
  const to = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  const from = to - PUBLIC_HOURS * HOUR_MS;
  const { start, sum, count } = plantRollups;
  const isOpen = and(eq(plantStates.is_public, true), eq(plantStates.is_hidden, false));
  const [[open], means] = await db.batch([
    db.select().from(plantStates).innerJoin(plants, eq(plants.id, plantStates.plant_id)).where(isOpen),
    db
      .select({
        hour: sql<number>`(${start} - ${integer(from)}) / ${integer(HOUR_MS)}`.as('hour'),
        raw: sql<number>`sum(${sum}) * 1.0 / sum(${count})`.as('raw'),
      })
      .from(plantStates)
      .innerJoin(plantRollups, eq(plantRollups.plant_id, plantStates.plant_id))
      .where(and(isOpen, eq(plantRollups.width, HALF_HOUR), gte(start, from), lt(start, to)))
      .groupBy(sql`hour`),
  ]);
  if (!open) return null;
  const { last_soil_moisture, last_measured_at } = open.plant_states;
  const calibration = calibrationOf(open.plant_states);
  const percent = (raw: number) => Math.round(plantPercent(raw, calibration));
  const byHour = new Map(means.map(({ hour, raw }) => [hour, percent(raw)]));
  return {
    plant: open.plants.name,
    from: new Date(from).toISOString(),
    hours: Array.from({ length: PUBLIC_HOURS }, (_, hour) => byHour.get(hour) ?? null),
    last:
      last_soil_moisture === null || last_measured_at === null
        ? null
        : { percent: percent(last_soil_moisture), datetime: new Date(last_measured_at).toISOString() },
  };
}
