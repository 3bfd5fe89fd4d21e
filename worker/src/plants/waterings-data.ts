import { findFaults } from '#contract/moisture/faults';
import { WATERING_LOOKBACK_MS, findWaterings } from '#contract/moisture/waterings';
import type { Watering } from '#contract/plants';
import { DAY_MS } from '#contract/time';
import { statementTemplate, type Database } from '#db/client';
import { plantRollups, plantStates, plantWaterings } from '#db/plants';
import { ROLLUP_WIDTHS, WATERING_SETTLED_MS } from '#db/rollups';
import { insertFrom } from '#db/sql';
import { asc, isNotNull, sql } from 'drizzle-orm';
import * as z from 'zod';
import { RANGE_PARAMETERS, rangeParameterValues, REQUESTED_PLANTS, type ReadingRange } from './data.ts';
import { readIntervals } from './intervals-data.ts';
import { readWatermark } from './rollups-data.ts';

/*
 * The assessment has the waterings of the newest days, which may still change. Older waterings are searched
 * once, in half-hour intervals, and stored; a plant's `waterings_until` is where the search continues.
 */

/** Maximum number of waterings in a list, which has the newest waterings. */
const MOST = 2000;
const HALF_HOUR = ROLLUP_WIDTHS[1];
/** How much time one search covers, besides the context before it and the settling time after it. */
const STRETCH_MS = 60 * DAY_MS;
/** Only older waterings are stored, so that readings that arrive a day late change no stored watering. */
const KEPT_AFTER_MS = WATERING_SETTLED_MS + DAY_MS;
/** A search is due at the latest after this time: assessments look back longer, so no watering is lost. */
const SEEN_MS = 40 * DAY_MS;
/** A run stops after this time; the next run continues. */
const PATIENCE_MS = 60_000;
/** How many plants are searched together, and how many steps a run takes at most. */
const AT_ONCE = 10;
const STEPS = 50;

const { plant_id, last_measured_at, waterings_until, readings, assessment } = plantStates;
type State = Pick<
  typeof plantStates.$inferSelect,
  'plant_id' | 'last_measured_at' | 'waterings_until' | 'readings' | 'assessment'
>;
type Read = Omit<State, 'assessment'>;
type Kept = typeof plantWaterings.$inferSelect;

const given = (name: string) => sql`json_each(${sql.placeholder(name)})`;
const its = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;

/** Where the next search of each plant begins: at its next reading after the end of the last search. */
const selectFirst = statementTemplate<{ plant_id: number; first: number | null }>(sql`
  SELECT ${its('plant_id')} AS plant_id, (
    SELECT min(${plantRollups.start}) FROM ${plantRollups}
    WHERE ${plantRollups.plant_id} = ${its('plant_id')} AND ${plantRollups.width} = ${sql.raw(String(HALF_HOUR))}
      AND ${plantRollups.start} >= ${its('waterings_until')}) AS first
  FROM ${given('plants')}`);

/** False if a reading has arrived since the plant was read: the reading may be older than the waterings. */
const isAsRead = sql`(${plant_id}, ${waterings_until}, ${readings}) IN (
  SELECT ${its('plant_id')}, ${its('waterings_until')}, ${its('readings')} FROM ${given('plants')})`;

const insertFound = statementTemplate<unknown>(
  sql`${insertFrom(
    plantWaterings,
    {
      plant_id,
      before_at: its('before_at'),
      before: its('before'),
      top_at: its('top_at'),
      top: its('top'),
    },
    sql`FROM ${given('waterings')} JOIN ${plantStates} ON ${plant_id} = ${its('plant_id')} WHERE ${isAsRead}`,
  )} ON CONFLICT DO NOTHING RETURNING plant_id`,
);

const goOn = statementTemplate<unknown>(sql`
  UPDATE ${plantStates} SET waterings_until = next.until
  FROM (SELECT ${its('plant_id')} AS plant_id, ${its('until')} AS until FROM ${given('plants')}) AS next
  WHERE ${plant_id} = next.plant_id AND ${isAsRead} RETURNING plant_id`);

/** The instant until which a plant's waterings may be stored. */
const endOf = ({ last_measured_at: newest }: Read, mark: number) =>
  Math.floor(Math.min((newest ?? 0) - KEPT_AFTER_MS, mark - WATERING_SETTLED_MS) / HALF_HOUR) * HALF_HOUR;

/** Whether the assessment has waterings to store, or will soon no longer reach back to the last search. */
function isDue(state: State, mark: number): boolean {
  const { waterings_until: until, last_measured_at: newest, assessment: told } = state;
  const end = endOf(state, mark);
  if (end <= until) return false;
  if (until < (newest ?? 0) - SEEN_MS) return true;
  return told?.waterings.some(({ before: { time } }) => time >= until && time < end) ?? false;
}

/** Searches the next time span of some plants; returns what was found, and where each span ends. */
async function lookOn(db: Database, states: readonly Read[], mark: number) {
  const firsts = await selectFirst(db, { plants: JSON.stringify(states) });
  const firstOf = new Map(firsts.map(({ plant_id: plant, first }) => [plant, first]));
  const looks = states.map((state) => {
    const end = endOf(state, mark);
    const from = Math.min(firstOf.get(state.plant_id) ?? end, end);
    return { state, from, until: Math.min(end, from + STRETCH_MS) };
  });
  const intervalsOf = await readIntervals(
    db,
    looks.map(({ state, from, until }) => ({
      plant_id: state.plant_id,
      until: until + WATERING_SETTLED_MS,
      reaches: [{ width: HALF_HOUR, ago: until + WATERING_SETTLED_MS - from + WATERING_LOOKBACK_MS }],
    })),
  );
  return looks.map(({ state, from, until }) => {
    const intervals = intervalsOf.get(state.plant_id) ?? [];
    const found = findWaterings(intervals, findFaults(intervals));
    const waterings = found
      .filter(({ before: { time }, settled }) => settled && time >= from && time < until)
      .map(({ before, after }): Kept => ({
        plant_id: state.plant_id,
        before_at: before.time,
        before: before.raw,
        top_at: after.time,
        top: after.raw,
      }));
    return { state, until, waterings };
  });
}

/**
 * Stores the waterings that only late readings could still change, span by span. For each plant, a step is
 * stored wholly or not at all.
 * @returns how many were stored
 */
export async function saveWaterings(db: Database, patience = PATIENCE_MS): Promise<{ waterings: number }> {
  const deadline = Date.now() + patience;
  let waterings = 0;
  for (let step = 0; step < STEPS && Date.now() < deadline; step++) {
    const mark = await readWatermark(db);
    const states = await db
      .select({ plant_id, last_measured_at, waterings_until, readings, assessment })
      .from(plantStates)
      .where(isNotNull(last_measured_at))
      .orderBy(asc(waterings_until));
    const due = states
      .filter((state) => isDue(state, mark))
      .slice(0, AT_ONCE)
      .map(({ plant_id: plant, last_measured_at: newest, waterings_until: until, readings: many }): Read => ({
        plant_id: plant,
        last_measured_at: newest,
        waterings_until: until,
        readings: many,
      }));
    if (due.length === 0) break;
    const looked = await lookOn(db, due, mark);
    const values = {
      plants: JSON.stringify(
        looked.map(({ state, until, waterings: found }) => ({
          ...state,
          // Continues after the last found watering, whose beginning the assessment knows less exactly.
          until: Math.max(until, ...found.map(({ top_at: at }) => at)),
        })),
      ),
      waterings: JSON.stringify(looked.flatMap((each) => each.waterings)),
    };
    const [kept, gone] = await db.commit([insertFound(db, values), goOn(db, values)]);
    waterings += kept.length;
    if (gone.length === 0) break;
  }
  return { waterings };
}

/** The waterings in a plant's assessment that are not stored yet. */
const selectTold = statementTemplate<{ name: string; waterings_until: number; waterings: string }>(sql`
  WITH ${REQUESTED_PLANTS}
  SELECT name, ${waterings_until}, ${assessment} -> '$.waterings' AS waterings
  FROM chosen CROSS JOIN ${plantStates} USING (plant_id) WHERE ${assessment} IS NOT NULL`);

const { before_at, before, top_at, top } = plantWaterings;
const selectKept = statementTemplate<{ name: string } & Omit<Kept, 'plant_id'>>(sql`
  WITH ${REQUESTED_PLANTS}
  SELECT name, ${before_at}, ${before}, ${top_at}, ${top} FROM chosen CROSS JOIN ${plantWaterings} USING (plant_id)
  WHERE ${before_at} >= ${RANGE_PARAMETERS.from} AND ${before_at} < ${RANGE_PARAMETERS.to} ORDER BY ${before_at} DESC LIMIT ${MOST}`);

const readingSchema = z.object({ raw: z.number(), time: z.int() });
const toldSchema = z.array(z.object({ before: readingSchema, after: readingSchema }));

/** Stored waterings and waterings of assessments whose last dry reading lies in the range, oldest first. */
export async function listWaterings(db: Database, asked: ReadingRange): Promise<Watering[]> {
  const range = rangeParameterValues(asked);
  const [kept, assessments] = await db.batch([selectKept(db, range), selectTold(db, range)]);
  const told = assessments.flatMap(({ name, waterings_until: until, waterings }) =>
    toldSchema
      .parse(JSON.parse(waterings))
      .filter(({ before: { time } }) => time >= Math.max(range.from, until) && time < range.to)
      .map(({ before: dry, after: wet }) => ({
        name,
        before_at: dry.time,
        before: dry.raw,
        top_at: wet.time,
        top: wet.raw,
      })),
  );
  return [...kept, ...told]
    .sort((a, b) => a.before_at - b.before_at || (a.name < b.name ? -1 : 1))
    .slice(-MOST)
    .map(({ name, before_at: from, before: dry, top_at: to, top: wet }) => ({
      plant: name,
      datetime: new Date(from).toISOString(),
      until: new Date(to).toISOString(),
      before: dry,
      after: wet,
    }));
}
