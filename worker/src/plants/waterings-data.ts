import {
  findWaterings,
  plantPercent,
  UNCALIBRATED,
  WATERING_RISE,
  WATERING_WITHIN_MS,
  type Sample,
} from '#contract/moisture';
import type { Watering } from '#contract/plants';
import { FINEST, ROLLUP_WIDTHS } from '#contract/rollups';
import { fixedStatement, type Database } from '#db/client';
import { plantReadings, plantRollups, plantStates } from '#db/plants';
import { PACKED, startOf, timeOf, valueOf } from '#db/rollups';
import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { ASKED, boundsOf, CHOSEN, type ReadingRange } from './data.ts';
import { readMark } from './rollups-data.ts';

const [, HALF_HOUR, HOURS, DAY] = ROLLUP_WIDTHS;
/**
 * How far to look around a half hour in which soil became wetter, so that the rule sees the whole rise and what
 * followed.
 */
const BEFORE_MS = 2 * HALF_HOUR;
const AFTER_MS = 3 * HALF_HOUR;
/** Only the newest half hours are examined: a loose wire makes every one of them look like a watering. */
const MOST = 3000;

const rollup = alias(plantRollups, 'rollup');
const earlier = alias(plantRollups, 'earlier');

/**
 * Intervals within `parents` in which soil became wetter by at least `rise`: their lowest value against their own
 * highest and that of the interval before. No interval is shorter than the half hour of a watering.
 */
const wetter = (width: number, parents: string, parentWidth: number) => sql`
  SELECT ${rollup.plant_id}, rise, ${rollup.start}
  FROM ${sql.identifier(parents)} AS parents CROSS JOIN ${plantRollups} AS ${rollup}
    ON ${rollup.plant_id} = parents.plant_id AND ${rollup.width} = ${width}
      AND ${rollup.start} >= parents.start AND ${rollup.start} < parents.start + ${parentWidth}
  WHERE max(${valueOf(rollup.highest)}, coalesce((
      SELECT ${valueOf(earlier.highest)} FROM ${plantRollups} AS ${earlier}
      WHERE ${earlier.plant_id} = ${rollup.plant_id} AND ${earlier.width} = ${width}
        AND ${earlier.start} = ${rollup.start} - ${width}), 0)) - ${valueOf(rollup.lowest)} >= rise`;

const { width, start, lowest, highest } = plantRollups;
const { dry, wet } = plantStates;
const span = sql`(coalesce(${dry}, ${UNCALIBRATED.dry}) - coalesce(${wet}, ${UNCALIBRATED.wet}))`;

const MARK = sql.placeholder('mark');
/** The start of the day of the mark: the days before it are written. */
const NEWS = sql.placeholder('news');
const { measured_at } = plantReadings;
const FAR = sql`(${ASKED.to} + ${sql.raw(String(BEFORE_MS + AFTER_MS))})`;

/**
 * The finest intervals around each half hour of the range in which soil became wetter. Half hours of the day that is
 * not over are all looked at; after the mark they are made of raw readings.
 */
const selectStretches = fixedStatement<Stretch>(sql`
  WITH ${CHOSEN},
    every_day (plant_id, start, rise) AS (
      SELECT plant_id, ${start}, ${WATERING_RISE / 100} * ${span}
      FROM chosen CROSS JOIN ${plantStates} USING (plant_id) CROSS JOIN ${plantRollups} USING (plant_id)
      WHERE ${width} = ${DAY} AND ${start} > ${ASKED.from} - ${DAY} AND ${start} < ${ASKED.to} + ${BEFORE_MS}),
    days (plant_id, rise, start) AS (${wetter(DAY, 'every_day', DAY)}),
    hours (plant_id, rise, start) AS (${wetter(HOURS, 'days', DAY)}),
    tail (plant_id, start, lowest, highest) AS MATERIALIZED (
      SELECT plant_id, ${startOf(measured_at, FINEST)} AS at, min(${PACKED}), max(${PACKED})
      FROM chosen CROSS JOIN ${plantReadings} USING (plant_id)
      WHERE ${measured_at} >= max(${MARK}, ${ASKED.from} - ${DAY}) AND ${measured_at} < ${FAR}
      GROUP BY plant_id, at),
    newest (plant_id, start, lowest, highest) AS (
      SELECT plant_id, ${start}, ${lowest}, ${highest}
      FROM chosen CROSS JOIN ${plantRollups} USING (plant_id)
      WHERE ${width} = ${HALF_HOUR} AND ${start} >= ${NEWS} - ${HALF_HOUR} AND ${start} < ${FAR}
      UNION ALL
      SELECT plant_id, ${start}, ${lowest}, ${highest}
      FROM chosen CROSS JOIN ${plantRollups} USING (plant_id)
      WHERE ${width} = ${FINEST} AND ${start} >= ${startOf(MARK, HALF_HOUR)} AND ${start} < ${FAR}
      UNION ALL SELECT * FROM tail),
    newest_halves (plant_id, start, lowest, highest) AS (
      SELECT plant_id, ${startOf(sql`start`, HALF_HOUR)} AS at, min(lowest), max(highest)
      FROM newest GROUP BY plant_id, at),
    beside_the_last AS (
      SELECT *, lag(start) OVER (PARTITION BY plant_id ORDER BY start) AS last_start,
        lag(highest) OVER (PARTITION BY plant_id ORDER BY start) AS last_highest
      FROM newest_halves),
    half_hours (plant_id, rise, start) AS (
      ${wetter(HALF_HOUR, 'hours', HOURS)}
      UNION ALL
      SELECT plant_id, 0, start FROM beside_the_last CROSS JOIN ${plantStates} USING (plant_id)
      WHERE start >= ${NEWS} AND start > ${ASKED.from} - ${DAY}
        AND max(${valueOf(sql`highest`)}, iif(last_start = start - ${HALF_HOUR}, ${valueOf(sql`last_highest`)}, 0))
          - ${valueOf(sql`lowest`)} >= ${WATERING_RISE / 100} * ${span}),
    wet (plant_id, wet_start) AS MATERIALIZED (
      SELECT plant_id, start FROM half_hours ORDER BY start DESC LIMIT ${MOST}),
    around (plant_id, start, lowest, highest) AS (
      SELECT plant_id, ${start}, ${lowest}, ${highest}
      FROM wet CROSS JOIN ${plantRollups} USING (plant_id)
      WHERE ${width} = ${FINEST}
        AND ${start} >= wet_start - ${BEFORE_MS} AND ${start} < wet_start + ${HALF_HOUR + AFTER_MS}
      UNION
      SELECT plant_id, tail.start, tail.lowest, tail.highest FROM wet CROSS JOIN tail USING (plant_id)
      WHERE tail.start >= wet_start - ${BEFORE_MS} AND tail.start < wet_start + ${HALF_HOUR + AFTER_MS})
  SELECT name, ${dry}, ${wet}, around.start,
    ${timeOf(sql`lowest`)} AS lowest_at, ${valueOf(sql`lowest`)} AS lowest,
    ${timeOf(sql`highest`)} AS highest_at, ${valueOf(sql`highest`)} AS highest
  FROM around CROSS JOIN chosen USING (plant_id) CROSS JOIN ${plantStates} USING (plant_id)
  ORDER BY name, around.start`);

type Stretch = Pick<typeof plantStates.$inferSelect, 'dry' | 'wet'> & {
  name: string;
  lowest_at: number;
  lowest: number;
  highest_at: number;
  highest: number;
};

type RawSample = Sample & { raw: number };

/**
 * Waterings whose last reading before the water lies in the range, oldest first. The rule is applied to the lowest and
 * highest reading of every five minutes.
 */
export async function listWaterings(db: Database, asked: ReadingRange): Promise<Watering[]> {
  const range = boundsOf(asked);
  const mark = await readMark(db);
  const news = Math.floor(mark / DAY) * DAY;
  const stretches = await selectStretches(db, { ...range, mark, news });
  const byPlant = Map.groupBy(stretches, ({ name }) => name);
  return [...byPlant]
    .flatMap(([name, stretches]) => wateringsOf(name, stretches))
    .filter(({ time }) => time >= range.from && time < range.to)
    .sort((a, b) => a.time - b.time)
    .map(({ plant: of, time, before, after }) => ({
      plant: of,
      datetime: new Date(time).toISOString(),
      before,
      after,
    }));
}

type RawWatering = { plant: string; time: number; before: number; after: number };

/**
 * The rule never looks further than half an hour between samples, so runs separated by more are examined separately.
 */
function wateringsOf(plant: string, stretches: Stretch[]): RawWatering[] {
  const runs: RawSample[][] = [];
  for (const sample of stretches.flatMap(samplesOf)) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && sample.time - last.time <= WATERING_WITHIN_MS) run.push(sample);
    else runs.push([sample]);
  }
  return runs.flatMap((samples) => wateringsIn(plant, samples));
}

/** Locates each watering by index instead of searching, because a loose wire yields thousands of them. */
function wateringsIn(plant: string, samples: RawSample[]): RawWatering[] {
  const placeOf = new Map(samples.map(({ time, percent }, place) => [`${time} ${percent}`, place]));
  const rawAt = (place: number) => {
    const sample = samples[place];
    if (!sample) throw new Error('a watering is of samples that are not there');
    return sample.raw;
  };
  return findWaterings(samples).map(({ time, before, after }) => {
    const place = placeOf.get(`${time} ${before}`) ?? samples.length;
    let top = place;
    while (top < samples.length && samples[top]?.percent !== after) top += 1;
    return { plant, time, before: rawAt(place), after: rawAt(top) };
  });
}

function samplesOf({ dry, wet, ...stretch }: Stretch): RawSample[] {
  const calibration = dry === null || wet === null ? undefined : { dry, wet };
  const sample = (time: number, raw: number) => ({ time, raw, percent: plantPercent(raw, calibration) });
  const lowest = sample(stretch.lowest_at, stretch.lowest);
  const highest = sample(stretch.highest_at, stretch.highest);
  if (lowest.time === highest.time && lowest.raw === highest.raw) return [lowest];
  return lowest.time < highest.time ? [lowest, highest] : [highest, lowest];
}
