import { CLOCK_SKEW_MS } from '#contract/alert-limits';
import { calibrationOf, moisturePercent } from '#contract/moisture/percent';
import type { Interval } from '#contract/moisture/series';
import { silenceLimitMs } from '#contract/moisture/silence';
import { assessmentOf, type Assessment, type AssessmentBefore } from '#contract/moisture/assessment';
import type { StoredAssessment } from '#contract/plants';
import { HOUR_MS, MINUTE_MS } from '#contract/time';
import { statementTemplate, type Database } from '#db/client';
import { plantReadings, plants, plantStates } from '#db/plants';
import { FINEST_ROLLUP, ROLLUP_WIDTHS } from '#db/rollups';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { readIntervals, ASSESSMENT_PERIODS } from './intervals-data.ts';
import { clockSkew, newestReceiptPerDelivery, type ReadingReceipt } from './reading-receipts.ts';

/*
 * Derives the assessment of each plant (docs/plants.md) from its readings. One plant needs about a thousand
 * rows, so a full judgement is made only every half hour, and earlier only if the newest reading contradicts
 * the assessment.
 */

const HALF_HOUR = ROLLUP_WIDTHS[1];
/**
 * A run judges AT_ONCE plants together (each takes some 8 ms of CPU time, 60 ms in a new isolate) until
 * PATIENCE_MS have passed. The plants that have waited longest come first; the next run judges the rest.
 */
const AT_ONCE = 4;
const PATIENCE_MS = 10_000;

type State = typeof plantStates.$inferSelect;

/** Plants that are shown and have new readings, or were not yet judged by their present settings. */
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

/** A difference of more percentage points than this cannot be noise. */
const FAR = 10;

/**
 * Whether a plant is judged now: it was never judged, half an hour has passed, there are twice as many
 * readings, or the newest reading contradicts the assessment.
 */
function isDue(state: State, now: number): boolean {
  const { assessment, judged_at: at, judged_readings: judged, last_soil_moisture: raw } = state;
  if (assessment === null || at === null || judged === null || raw === null) return true;
  // Each plant has its own half hours, so that no run has to judge all plants.
  const halfHour = (instant: number) => Math.floor((instant + state.plant_id * FINEST_ROLLUP) / HALF_HOUR);
  if (halfHour(now) > halfHour(at) || state.readings >= 2 * judged) return true;
  if (assessment.clock_off_ms === null && isDelayed(state)) return true;
  if (assessment.fault !== null) return false;
  const percentOf = (value: number) => moisturePercent(value, calibrationOf(state));
  const percent = percentOf(raw);
  if (assessment.dry === null ? percent < state.alert_below : percent >= state.alert_clear) return true;
  return assessment.level !== null && Math.abs(percent - percentOf(assessment.level.raw)) > FAR;
}

/** Whether the newest reading was measured long before the last receipt. */
const isDelayed = ({ last_received_at: received, last_measured_at: measured }: State) =>
  (received ?? 0) - (measured ?? 0) > CLOCK_SKEW_MS;

const its = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;

const receiptsOf = (which: ReturnType<typeof sql>) =>
  statementTemplate<{ plant_id: number; receipts: string }>(sql`
    SELECT ${its('plant_id')} AS plant_id, (
      SELECT json_group_array(json_object(
        'measured_at', measured_at, 'received_at', received_at, 'refused_time', refused_time)) FROM (
          SELECT ${plantReadings.measured_at}, ${plantReadings.received_at}, ${plantReadings.refused_time}
          FROM ${plantReadings} WHERE ${plantReadings.plant_id} = ${its('plant_id')} ${which}
          LIMIT ${sql.placeholder('most')})) AS receipts
    FROM json_each(${sql.placeholder('asked')})`);
const selectNewest = receiptsOf(sql`ORDER BY ${plantReadings.measured_at} DESC, ${plantReadings.seq} DESC`);
/** For boards whose clock may be hours slow: the reading received last may not have the latest time. */
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
): Promise<ReadonlyMap<number, ReadingReceipt[]>> {
  const found = new Map<number, ReadingReceipt[]>();
  const read = async (select: typeof selectNewest, some: readonly State[], most: number) => {
    if (some.length === 0) return;
    const asked = some.map(({ plant_id, last_received_at }) => ({ plant_id, last_received_at }));
    for (const { plant_id: plant, receipts } of await select(db, { asked: JSON.stringify(asked), most }))
      found.set(plant, newestReceiptPerDelivery(receiptsSchema.parse(JSON.parse(receipts))));
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

/** Assesses a plant by changed settings: if it is not dry by the new settings, its alert ends at once. */
function assessmentAnew(intervals: readonly Interval[], state: State, before: AssessmentBefore): Assessment {
  const assessment = assessmentOf(intervals, state, { ...before, dry: null });
  if (before.dry === null) return assessment;
  if (assessment.fault !== null) return { ...assessment, dry: before.dry };
  if (assessment.dry !== null) return { ...assessment, dry: { ...assessment.dry, since: before.dry.since } };
  const isBetween =
    assessment.level !== null &&
    moisturePercent(assessment.level.raw, calibrationOf(state)) < state.alert_clear;
  return isBetween ? { ...assessment, dry: before.dry, forecast: null } : assessment;
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
      reaches: ASSESSMENT_PERIODS,
    })),
  );
  const deliveriesBy = await readDeliveries(db, states);
  const told = states.map((state) => {
    const { plant_id, readings, version, assessment: before } = state;
    const intervals = intervalsOf.get(plant_id) ?? [];
    const deliveries = deliveriesBy.get(plant_id) ?? [];
    const own =
      isAnew && before ? assessmentAnew(intervals, state, before) : assessmentOf(intervals, state, before);
    const receipts = deliveries.map(({ received_at }) => received_at);
    const assessment: StoredAssessment = {
      ...own,
      silent_after_ms: silenceLimitMs(receipts, state.stale_after_minutes * MINUTE_MS),
      clock_off_ms: clockSkew(deliveries),
    };
    return {
      plant_id,
      readings,
      version,
      assessment,
      alert_since: assessment.fault ? null : (assessment.dry?.since ?? null),
    };
  });
  await db.commit([keepAssessments(db, { now, told: JSON.stringify(told) })]);
}

/** Skips a plant whose settings changed meanwhile: that change judges the plant again. */
const keepAssessments = statementTemplate(sql`
  UPDATE ${plantStates} SET story = ${its('assessment')}, alert_since = ${its('alert_since')},
    judged_at = ${sql.placeholder('now')}, judged_readings = ${its('readings')}
  FROM json_each(${sql.placeholder('told')})
  WHERE ${plantStates.plant_id} = ${its('plant_id')} AND ${plantStates.version} = ${its('version')}`);

/**
 * Updates the assessments of the plants that are due.
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
