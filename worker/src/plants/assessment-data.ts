import { CLOCK_SKEW_MS } from '#contract/alert-limits';
import { calibrationOf, moisturePercent } from '#contract/moisture/percent';
import type { Interval } from '#contract/moisture/series';
import { silentAfter } from '#contract/moisture/silence';
import { storyOf, type Story, type StoryBefore } from '#contract/moisture/story';
import type { StoredStory } from '#contract/plants';
import { HOUR_MS, MINUTE_MS } from '#contract/time';
import { fixedStatement, type Database } from '#db/client';
import { plantReadings, plants, plantStates } from '#db/plants';
import { FINEST_ROLLUP, ROLLUP_WIDTHS } from '#db/rollups';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { readIntervals, STORY_REACHES } from './intervals-data.ts';
import { clockSkew, deliveriesOf, type Receipt } from './receipts.ts';

/*
 * Derives the story of each plant (docs/plants.md) from its readings. One plant costs about a thousand rows,
 * so a full judgement is made only every half hour, and earlier only if the newest reading contradicts the
 * story.
 */

const HALF_HOUR = ROLLUP_WIDTHS[1];
/**
 * How many plants are judged at once, each some 8 ms of CPU time (60 ms in a new isolate), and how long a run
 * continues. The plants that have waited longest come first; the next run takes the rest.
 */
const AT_ONCE = 4;
const PATIENCE_MS = 10_000;

type State = typeof plantStates.$inferSelect;

/** Shown plants with readings since their last judgement, or not yet judged by their present settings. */
const selectStates = (db: Database) =>
  db
    .select({ state: plantStates, topic: plants.topic })
    .from(plantStates)
    .innerJoin(plants, sql`${plants.id} = ${plantStates.plant_id}`)
    .where(
      sql`${plantStates.last_measured_at} IS NOT NULL AND NOT ${plantStates.is_hidden}
        AND ${plantStates.readings} IS NOT ${plantStates.judged_readings}`,
    )
    .orderBy(plantStates.judged_at);

/** A difference of so many percentage points is beyond all noise of a level. */
const FAR = 10;

/**
 * Whether a plant is judged now: it never was, half an hour has passed, there are twice as many readings, or
 * the newest reading contradicts the story.
 */
function isDue(state: State, now: number): boolean {
  const { story, judged_at: at, judged_readings: judged, last_soil_moisture: raw } = state;
  if (story === null || at === null || judged === null || raw === null) return true;
  // Each plant has its own half hours, so that no run has to judge all plants.
  const halfHour = (instant: number) => Math.floor((instant + state.plant_id * FINEST_ROLLUP) / HALF_HOUR);
  if (halfHour(now) > halfHour(at) || state.readings >= 2 * judged) return true;
  if (story.clock_off_ms === null && isDelayed(state)) return true;
  if (story.fault !== null) return false;
  const percentOf = (value: number) => moisturePercent(value, calibrationOf(state));
  const percent = percentOf(raw);
  if (story.dry === null ? percent < state.alert_below : percent >= state.alert_clear) return true;
  return story.level !== null && Math.abs(percent - percentOf(story.level.raw)) > FAR;
}

/** Whether the newest reading was measured long before the last receipt. */
const isDelayed = ({ last_received_at: received, last_measured_at: measured }: State) =>
  (received ?? 0) - (measured ?? 0) > CLOCK_SKEW_MS;

const its = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;

const receiptsOf = (which: ReturnType<typeof sql>) =>
  fixedStatement<{ plant_id: number; receipts: string }>(sql`
    SELECT ${its('plant_id')} AS plant_id, (
      SELECT json_group_array(json_object(
        'measured_at', measured_at, 'received_at', received_at, 'refused_time', refused_time)) FROM (
          SELECT ${plantReadings.measured_at}, ${plantReadings.received_at}, ${plantReadings.refused_time}
          FROM ${plantReadings} WHERE ${plantReadings.plant_id} = ${its('plant_id')} ${which}
          LIMIT ${sql.placeholder('most')})) AS receipts
    FROM json_each(${sql.placeholder('asked')})`);
const selectNewest = receiptsOf(sql`ORDER BY ${plantReadings.measured_at} DESC, ${plantReadings.seq} DESC`);
/** For boards whose last received readings are not the newest, but older by at most a time zone. */
const selectDelayed = receiptsOf(
  sql`AND ${plantReadings.measured_at} >= ${its('last_received_at')} - ${sql.raw(String(15 * HOUR_MS))}
    ORDER BY ${plantReadings.received_at} DESC`,
);
const receiptsSchema = z.array(
  z.object({ measured_at: z.int(), received_at: z.int(), refused_time: z.int().nullable() }),
);

/** How many receipts are read, and how many for a board that sends many readings together. */
const RECEIPTS = 64;
const RECEIPTS_MOST = 2000;
const FEW = 6;

/** The newest deliveries of the plants, by plant. */
async function readDeliveries(
  db: Database,
  states: readonly State[],
): Promise<ReadonlyMap<number, Receipt[]>> {
  const found = new Map<number, Receipt[]>();
  const read = async (select: typeof selectNewest, some: readonly State[], most: number) => {
    if (some.length === 0) return;
    const asked = some.map(({ plant_id, last_received_at }) => ({ plant_id, last_received_at }));
    for (const { plant_id: plant, receipts } of await select(db, { asked: JSON.stringify(asked), most }))
      found.set(plant, deliveriesOf(receiptsSchema.parse(JSON.parse(receipts))));
  };
  const [delayed, others] = [states.filter(isDelayed), states.filter((state) => !isDelayed(state))];
  await read(selectDelayed, delayed, RECEIPTS);
  await read(selectNewest, others, RECEIPTS);
  const together = others.filter(
    ({ plant_id: plant, readings }) => readings > RECEIPTS && (found.get(plant)?.length ?? 0) < FEW,
  );
  await read(selectNewest, together, RECEIPTS_MOST);
  return found;
}

/** The story after a change of settings: judged by the new settings alone, without a hold. */
function storyAnew(intervals: readonly Interval[], state: State, before: StoryBefore): Story {
  const story = storyOf(intervals, state, { ...before, dry: null });
  if (before.dry === null) return story;
  if (story.fault !== null) return { ...story, dry: before.dry };
  if (story.dry !== null) return { ...story, dry: { ...story.dry, since: before.dry.since } };
  const isBetween =
    story.level !== null && moisturePercent(story.level.raw, calibrationOf(state)) < state.alert_clear;
  return isBetween ? { ...story, dry: before.dry, forecast: null } : story;
}

async function judge(
  db: Database,
  states: readonly State[],
  { isAnew, now }: { isAnew: boolean; now: number },
): Promise<void> {
  const intervalsOf = await readIntervals(
    db,
    states.map(({ plant_id, last_measured_at: newest }) => ({
      plant_id,
      until: newest ?? 0,
      reaches: STORY_REACHES,
    })),
  );
  const deliveriesBy = await readDeliveries(db, states);
  const told = states.map((state) => {
    const { plant_id, readings, version, story: before } = state;
    const intervals = intervalsOf.get(plant_id) ?? [];
    const deliveries = deliveriesBy.get(plant_id) ?? [];
    const own = isAnew && before ? storyAnew(intervals, state, before) : storyOf(intervals, state, before);
    const receipts = deliveries.map(({ received_at }) => received_at);
    const story: StoredStory = {
      ...own,
      silent_after_ms: silentAfter(receipts, state.stale_after_minutes * MINUTE_MS),
      clock_off_ms: clockSkew(deliveries),
    };
    return {
      plant_id,
      readings,
      version,
      story,
      alert_since: story.fault ? null : (story.dry?.since ?? null),
    };
  });
  await db.commit([keepStories(db, { now, told: JSON.stringify(told) })]);
}

/** Skips a plant whose settings changed meanwhile: that change judges the plant again. */
const keepStories = fixedStatement(sql`
  UPDATE ${plantStates} SET story = ${its('story')}, alert_since = ${its('alert_since')},
    judged_at = ${sql.placeholder('now')}, judged_readings = ${its('readings')}
  FROM json_each(${sql.placeholder('told')})
  WHERE ${plantStates.plant_id} = ${its('plant_id')} AND ${plantStates.version} = ${its('version')}`);

/**
 * Updates the stories of the plants that are due.
 * @returns the topics of the judged plants
 */
export async function judgePlants(db: Database, now: number, patience = PATIENCE_MS): Promise<string[]> {
  const deadline = Date.now() + patience;
  const due = (await selectStates(db)).filter(({ state }) => isDue(state, now));
  let done = 0;
  while (done < due.length && (done === 0 || Date.now() < deadline)) {
    const states = due.slice(done, done + AT_ONCE).map(({ state }) => state);
    // oxlint-disable-next-line no-await-in-loop -- as much as fits into a worker at a time
    await judge(db, states, { isAnew: false, now });
    done += states.length;
  }
  return due.slice(0, done).map(({ topic }) => topic);
}

/** Judges a plant by its present settings. */
export async function rejudgePlants(db: Database, plant: number, now: number): Promise<void> {
  const states = await db
    .select()
    .from(plantStates)
    .where(sql`${plantStates.plant_id} = ${plant}`);
  const measured = states.filter((state) => state.last_measured_at !== null);
  if (measured.length > 0) await judge(db, measured, { isAnew: true, now });
}
