import { findRises, WATERING_WITHIN_MS, type Sample } from '#contract/moisture';
import { calibrationOf, plantPercent } from '#contract/moisture/percent';
import type { Watering } from '#contract/plants';
import { FINEST, MARK, PACKED, startOf } from '#db/rollups';
import { HOUR_MS } from '#contract/time';
import { fixedStatement, type Database } from '#db/client';
import { plantReadings, plantRollups, plantStates, plantWaterings } from '#db/plants';
import { insertFrom } from '#db/sql';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { ASKED, boundsOf, CHOSEN, type ReadingRange } from './data.ts';

/*
 * The rule of contract/moisture.ts is applied to the lowest and the highest reading of every five minutes. What it finds is
 * kept once it is over, and looked for no more. `waterings_until` of a plant is where it goes on: begun there it finds what
 * it would find next in all readings.
 */

/** The newest of so many are told, should somebody have a thousand plants. */
const MOST = 2000;
/** Intervals that are read at once, of one plant and of all. No rise is longer than 22 days, so each look brings a plant on. */
const MOST_OF_ONE = 10_000;
const MOST_OF_ALL = 50_000;
/** What is not done in so many steps, of four queries each, or in this time waits for the next run. */
const STEPS = 100;
const PATIENCE_MS = 60_000;

type State = typeof plantStates.$inferSelect;
type Plant = Pick<State, 'plant_id' | 'dry' | 'wet' | 'last_measured_at' | 'waterings_until'>;
/** As plant_rollups packs them. */
type Interval = [lowest: number, highest: number];
type Found = typeof plantWaterings.$inferSelect;

const TIME = 2 ** 42;

function samplesOf(intervals: readonly Interval[], plant: Plant): (Sample & { raw: number })[] {
  const calibration = calibrationOf(plant);
  const sample = (packed: number) => {
    const raw = Math.floor(packed / TIME);
    return { time: packed % TIME, raw, percent: plantPercent(raw, calibration) };
  };
  return intervals.flatMap(([lowest, highest]) => {
    if (lowest === highest) return [sample(lowest)];
    const isFirst = lowest % TIME < highest % TIME;
    return (isFirst ? [lowest, highest] : [highest, lowest]).map(sample);
  });
}

/**
 * The next waterings of a plant that are over, as far as its readings before `end` tell, and where to go on after them.
 * @param intervals all from half an hour before `waterings_until` on
 */
function findIn(intervals: readonly Interval[], plant: Plant, end: number) {
  const waterings: Found[] = [];
  let last = plant.waterings_until;
  /** Where no rise is seen before `next`: what is older than half an hour then counts no more, nor what is before the last top. */
  const goingOnAt = (next: number) => Math.max(last, next - WATERING_WITHIN_MS - 1);
  for (const { seen, before, top, isWatering } of findRises(samplesOf(intervals, plant), last)) {
    if (top.time + WATERING_WITHIN_MS >= end) return { waterings, until: goingOnAt(seen.time) };
    last = top.time;
    if (isWatering)
      waterings.push({
        plant_id: plant.plant_id,
        before_at: before.time,
        before: before.raw,
        top_at: top.time,
        top: top.raw,
      });
  }
  return { waterings, until: goingOnAt(end) };
}

const END = sql.placeholder('end');
const given = (name: string) => sql`json_each(${sql.placeholder(name)})`;
const its = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;

const { plant_id, width, start, lowest, highest } = plantRollups;

const selectIntervals = fixedStatement<{ intervals: string }>(sql`
  SELECT (
    SELECT json_group_array(json_array(lowest, highest) ORDER BY start) FROM (
      SELECT ${start}, ${lowest}, ${highest} FROM ${plantRollups}
      WHERE ${plant_id} = ${its('plant')} AND ${width} = ${FINEST} AND ${start} > ${its('after')} AND ${start} < ${END}
      ORDER BY ${start} LIMIT ${MOST_OF_ONE})) AS intervals
  FROM ${given('plants')} ORDER BY key`);

const intervalsSchema = z.array(z.tuple([z.int(), z.int()]));

/** How many intervals of a plant are left to be read, at most. */
const leftOf = ({ last_measured_at: last, waterings_until: until }: Plant) =>
  Math.min(MOST_OF_ONE, Math.max(0, (last ?? 0) - until) / FINEST + (2 * WATERING_WITHIN_MS) / FINEST);

/**
 * Looks through the next intervals before `end`, of as many of the plants as may be read at once.
 * @param fresh the newest ones, by plant: with them a rise is told of as it looks now, also one that goes on
 */
async function lookOn<Each extends Plant>(
  db: Database,
  plants: readonly Each[],
  end: number,
  fresh?: ReadonlyMap<number, Interval[]>,
) {
  let sum = 0;
  const some = plants.filter((plant, at) => (sum += leftOf(plant)) <= MOST_OF_ALL || at === 0);
  const asked = some.map(({ plant_id: plant, waterings_until: until }) => ({
    plant,
    after: until - WATERING_WITHIN_MS - FINEST,
  }));
  const rows = await selectIntervals(db, { end, plants: JSON.stringify(asked) });
  return some.map((plant, at) => {
    const intervals: Interval[] = intervalsSchema.parse(JSON.parse(rows[at]?.intervals ?? '[]'));
    const isLast = intervals.length < MOST_OF_ONE;
    if (isLast) intervals.push(...(fresh?.get(plant.plant_id) ?? []));
    const known = !isLast ? endOf(intervals) : fresh ? Number.POSITIVE_INFINITY : end;
    const { waterings, until } = findIn(intervals, plant, known);
    return { plant, isLast, waterings, until };
  });
}

/** When the last of some intervals ends. */
function endOf(intervals: readonly Interval[]): number {
  const time = (intervals.at(-1)?.[0] ?? 0) % TIME;
  return time - (time % FINEST) + FINEST;
}

const { dry, wet, last_measured_at, waterings_until, readings, version } = plantStates;
const STATE = sql.join([plantStates.plant_id, dry, wet, last_measured_at, waterings_until], sql`, `);

const selectEnd = fixedStatement<{ until: number }>(
  sql`SELECT ${startOf(sql`(${MARK} - ${HOUR_MS})`, HOUR_MS)} AS until`,
);

/** Plants that were measured since, and of which not everything before `end` is looked through. */
const selectDue = fixedStatement<Plant & Pick<State, 'readings' | 'version'>>(sql`
  SELECT ${STATE}, ${readings}, ${version} FROM ${plantStates}
  WHERE ${last_measured_at} > ${waterings_until} AND ${waterings_until} < ${END} - ${WATERING_WITHIN_MS + 1}
  ORDER BY ${waterings_until}`);

/** Otherwise a reading has come since, which may be a late one, or the plant was calibrated anew. */
const isAsRead = sql`(${plantStates.plant_id}, ${waterings_until}, ${readings}, ${version}) IN (
  SELECT ${its('plant_id')}, ${its('waterings_until')}, ${its('readings')}, ${its('version')} FROM ${given('plants')})`;

const insertFound = fixedStatement<unknown>(
  sql`${insertFrom(
    plantWaterings,
    {
      plant_id: plantStates.plant_id,
      before_at: its('before_at'),
      before: its('before'),
      top_at: its('top_at'),
      top: its('top'),
    },
    sql`FROM ${given('waterings')} JOIN ${plantStates} ON ${plantStates.plant_id} = ${its('plant_id')}
    WHERE ${isAsRead}`,
  )} ON CONFLICT DO NOTHING RETURNING plant_id`,
);

const goOn = fixedStatement(sql`
  UPDATE ${plantStates} SET waterings_until = next.until
  FROM (SELECT ${its('plant_id')} AS plant_id, ${its('until')} AS until FROM ${given('plants')}) AS next
  WHERE ${plantStates.plant_id} = next.plant_id AND ${waterings_until} < next.until AND ${isAsRead}`);

/**
 * Keeps the waterings that were over when the last whole hour before the mark of the rollups began: so much may come late
 * without being looked through again, and a plant costs something once an hour. Of each plant a step counts wholly or not
 * at all.
 * @returns how many were kept
 */
export async function keepWaterings(db: Database, patience = PATIENCE_MS): Promise<{ waterings: number }> {
  const deadline = Date.now() + patience;
  const [found] = await selectEnd(db, {});
  const end = found?.until ?? 0;
  const done = new Set<number>();
  let waterings = 0;
  for (let step = 0; step < STEPS && Date.now() < deadline; step++) {
    const due = (await selectDue(db, { end })).filter((each) => !done.has(each.plant_id));
    if (due.length === 0) break;
    const looked = await lookOn(db, due, end);
    for (const { plant, isLast } of looked) if (isLast) done.add(plant.plant_id);
    const values = {
      plants: JSON.stringify(looked.map(({ plant, until }) => Object.assign(plant, { until }))),
      waterings: JSON.stringify(looked.flatMap((each) => each.waterings)),
    };
    const [kept] = await db.commit([insertFound(db, values), goOn(db, values)]);
    waterings += kept.length;
  }
  return { waterings };
}

const { before_at, before, top } = plantWaterings;

const selectKept = fixedStatement<Pick<Found, 'before_at' | 'before' | 'top'> & { name: string }>(sql`
  WITH ${CHOSEN}
  SELECT name, ${before_at}, ${before}, ${top} FROM chosen CROSS JOIN ${plantWaterings} USING (plant_id)
  WHERE ${before_at} >= ${ASKED.from} AND ${before_at} < ${ASKED.to}
  ORDER BY ${before_at} DESC LIMIT ${MOST}`);

/** Plants that may have had waterings in the range which are not kept yet. */
const selectOpen = fixedStatement<Plant & { name: string; mark: number }>(sql`
  WITH ${CHOSEN}
  SELECT name, ${MARK} AS mark, ${STATE} FROM chosen CROSS JOIN ${plantStates} USING (plant_id)
  WHERE ${waterings_until} - ${WATERING_WITHIN_MS} < ${ASKED.to}`);

const interval = startOf(plantReadings.measured_at, FINEST);
/** The intervals that are not written yet. */
const selectFresh = fixedStatement<{ plant_id: number; lowest: number; highest: number }>(sql`
  WITH ${CHOSEN}
  SELECT plant_id, min(${PACKED}) AS lowest, max(${PACKED}) AS highest
  FROM chosen CROSS JOIN ${plantReadings} USING (plant_id) WHERE ${plantReadings.measured_at} >= ${MARK}
  GROUP BY plant_id, ${interval} ORDER BY plant_id, ${interval}`);

/**
 * Waterings whose last reading before the water lies in the range, oldest first: those that are kept, and what the rule
 * finds in the readings since.
 */
export async function listWaterings(db: Database, asked: ReadingRange): Promise<Watering[]> {
  const range = boundsOf(asked);
  const [waterings, open, fresh] = await db.batch([
    selectKept(db, range),
    selectOpen(db, range),
    selectFresh(db, range),
  ]);
  const freshOf = new Map(
    [...Map.groupBy(fresh, (each) => each.plant_id)].map(([plant, own]) => [
      plant,
      own.map((each): Interval => [each.lowest, each.highest]),
    ]),
  );
  const mark = open[0]?.mark ?? 0;
  let left = open;
  while (left.length > 0) {
    const looked = await lookOn(db, left, mark, freshOf);
    left = left.slice(looked.length);
    for (const { plant, isLast, waterings: found, until } of looked) {
      for (const { before_at: at, before: low, top: high } of found)
        if (at >= range.from && at < range.to)
          waterings.push({ name: plant.name, before_at: at, before: low, top: high });
      if (!isLast) left.push(Object.assign(plant, { waterings_until: until }));
    }
  }
  return waterings
    .sort((a, b) => a.before_at - b.before_at || (a.name < b.name ? -1 : 1))
    .slice(-MOST)
    .map(({ name, before_at: at, before: low, top: high }) => ({
      plant: name,
      datetime: new Date(at).toISOString(),
      before: low,
      after: high,
    }));
}
