import { calibrationOf, moisturePercent } from '#contract/moisture/percent';
import { PUBLIC_CHART_HOURS, type PublicPlant } from '#contract/plants';
import { ROLLUP_WIDTHS } from '#db/rollups';
import { HOUR_MS } from '#contract/time';
import { statementTemplate, type Database } from '#db/client';
import { plantReadings, plantRollups, plants, plantStates } from '#db/plants';
import { and, eq, sql } from 'drizzle-orm';
import { splitRange, RAW_READINGS_WIDTH } from './data.ts';
import { readWatermark } from './rollups-data.ts';
import { listWaterings } from './waterings-data.ts';

/** The widest rollups used for an hour's mean. */
const HALF_HOUR = ROLLUP_WIDTHS[1];

const isOpen = and(eq(plantStates.is_public, true), eq(plantStates.is_hidden, false));
const { start, width, sum, count } = plantRollups;
const { measured_at, soil_moisture } = plantReadings;

/** The mean of each hour, by the hour's number from the beginning. */
const selectMeans = statementTemplate<{ hour: number; raw: number }>(sql`
  WITH open AS (SELECT ${plantStates.plant_id} FROM ${plantStates} WHERE ${isOpen}),
    pieces (width, first, last) AS (
      SELECT value ->> 'width', value ->> 'from', value ->> 'to' FROM json_each(${sql.placeholder('pieces')})),
    stretches (start, sum, count) AS (
      SELECT ${start}, ${sum}, ${count}
      FROM pieces CROSS JOIN open CROSS JOIN ${plantRollups} USING (plant_id)
      WHERE ${width} = pieces.width AND ${start} >= first AND ${start} < last
      UNION ALL
      SELECT ${measured_at}, ${soil_moisture}, 1
      FROM pieces CROSS JOIN open CROSS JOIN ${plantReadings} USING (plant_id)
      WHERE pieces.width = ${RAW_READINGS_WIDTH} AND ${measured_at} >= first AND ${measured_at} < last)
  SELECT (start - CAST(${sql.placeholder('from')} AS INTEGER)) / ${sql.raw(String(HOUR_MS))} AS hour,
    sum(sum) * 1.0 / sum(count) AS raw
  FROM stretches GROUP BY hour`);

/** The public plant's week before an instant: only hourly values, and no data of other plants. */
export async function readPublicPlant(db: Database, now: number): Promise<PublicPlant | null> {
  const to = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  const from = to - PUBLIC_CHART_HOURS * HOUR_MS;
  // Raw readings are always stored for longer than a week.
  const pieces = splitRange({ from, to }, HALF_HOUR, { rawSince: 0, mark: await readWatermark(db) });
  const [[open], means] = await db.batch([
    db.select().from(plantStates).innerJoin(plants, eq(plants.id, plantStates.plant_id)).where(isOpen),
    selectMeans(db, { from, pieces: JSON.stringify(pieces) }),
  ]);
  if (!open) return null;
  const watered = (await listWaterings(db, { plant: open.plants.name })).map(({ datetime }) => datetime);
  const { last_soil_moisture, last_measured_at } = open.plant_states;
  const calibration = calibrationOf(open.plant_states);
  const percent = (raw: number) => Math.round(moisturePercent(raw, calibration));
  const byHour = new Map(means.map(({ hour, raw }) => [hour, percent(raw)]));
  return {
    plant: open.plants.name,
    plant_en: open.plant_states.name_en || open.plants.name,
    from: new Date(from).toISOString(),
    hours: Array.from({ length: PUBLIC_CHART_HOURS }, (_, hour) => byHour.get(hour) ?? null),
    last:
      last_soil_moisture === null || last_measured_at === null
        ? null
        : { percent: percent(last_soil_moisture), datetime: new Date(last_measured_at).toISOString() },
    limit_percent: open.plant_states.alert_below,
    watered: watered.filter((datetime) => Date.parse(datetime) >= from),
    last_watered: watered.at(-1) ?? null,
  };
}
