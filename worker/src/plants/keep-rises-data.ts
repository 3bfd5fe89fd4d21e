import { RISES_FOLLOW_MS } from '#contract/rollups';
import { fixedStatement, type Database } from '#db/client';
import { plantRiseBacklog, plantRises, plantRollups, plantRollupWatermark, plantStates } from '#db/plants';
import { MARK } from '#db/rollups';
import { asExcluded, insertFrom } from '#db/sql';
import { eq, sql } from 'drizzle-orm';
import { HALF_HOUR, KNOWN, RISES_MARK, risesIn, selectWet } from './rises-data.ts';
import { isOver, type RawRise } from './rises.ts';

/** Half hours that one step looks at, of all plants together, and wet ones that it looks into. */
const STEP_HALF_HOURS = 1_000_000;
const STEP_WET = 1000;
/** What is not done in this time is left to the next run; until then it is found when it is asked for. */
const PATIENCE_MS = 60_000;

const EACH_PLANT = sql`chosen (plant_id, name) AS (SELECT ${plantStates.plant_id}, '' FROM ${plantStates})`;

/** Where a run stands. `begin` is the first half hour that is left, `isBehind` whether a plant was put back. */
type Standing = {
  until: number;
  step: number;
  mark: number;
  plants: number;
  begin: number | null;
  isBehind: number;
};

const selectStanding = fixedStatement<Standing>(sql`
  WITH ${EACH_PLANT}, ${KNOWN}
  SELECT ${RISES_MARK} AS until, ${MARK} AS mark, max(1, count(*)) AS plants,
    coalesce((SELECT ${plantRollupWatermark.rises_step} FROM ${plantRollupWatermark}), 0) AS step,
    min((SELECT ${plantRollups.start} FROM ${plantRollups}
      WHERE ${plantRollups.plant_id} = known.plant_id AND ${plantRollups.width} = ${HALF_HOUR}
        AND ${plantRollups.start} > known.since - ${HALF_HOUR}
      ORDER BY ${plantRollups.start} LIMIT 1)) AS begin,
    EXISTS (SELECT 1 FROM ${plantRiseBacklog} JOIN chosen USING (plant_id) WHERE ${plantRiseBacklog.changes} > 0) AS "isBehind"
  FROM known`);

const selectWetOldest = selectWet(
  EACH_PLANT,
  sql`since < ${sql.placeholder('end')}`,
  sql`${sql.placeholder('limit')}`,
);

const startOfHalfHour = (instant: number) => Math.floor(instant / HALF_HOUR) * HALF_HOUR;

/**
 * Keeps the rises of all plants that were over when the hour before the mark of the rollups began, step by step.
 * A step counts wholly or, when another one came first, not at all.
 * @returns the number of steps
 */
export async function keepRises(db: Database, patience = PATIENCE_MS): Promise<{ riseSteps: number }> {
  const deadline = Date.now() + patience;
  let riseSteps = 0;
  while (Date.now() < deadline) {
    const [standing] = await selectStanding(db, {});
    if (!standing) break;
    const target = startOfHalfHour(standing.mark - RISES_FOLLOW_MS);
    if (standing.until >= target && standing.isBehind === 0) break;
    riseSteps += 1;
    if ((await takeStep(db, standing, target)) >= target) break;
  }
  return { riseSteps };
}

type Backlog = typeof plantRiseBacklog.$inferSelect;

/** @returns until when it looked at every plant */
async function takeStep(db: Database, standing: Standing, target: number): Promise<number> {
  const { until, plants, step } = standing;
  const backlog = await db.select().from(plantRiseBacklog);
  const begin = startOfHalfHour(standing.begin ?? target);
  const span = Math.max(1, Math.floor(STEP_HALF_HOURS / plants)) * HALF_HOUR;
  let end = Math.min(target, begin + span);
  let wet = await selectWetOldest(db, { end, limit: STEP_WET + 1 });
  if (wet.length > STEP_WET) {
    // No half hour is divided between two steps.
    end = Math.max(wet.at(-1)?.start ?? end, (wet[0]?.start ?? begin) + HALF_HOUR);
    wet = await selectWetOldest(db, { end, limit: -1 });
  }
  await writeStep(db, { until, step, end, backlog, rises: await risesIn(db, wet, end) });
  return end;
}

type Written = {
  until: number;
  step: number;
  end: number;
  backlog: readonly Backlog[];
  rises: ReadonlyMap<number, RawRise[]>;
};

async function writeStep(db: Database, { until, step, end, backlog, rises }: Written): Promise<void> {
  const next = Math.max(until, end);
  const over: object[] = [];
  const ends = new Map<number, Backlog>();
  for (const { plant_id, since, changes } of backlog)
    if (Math.min(since, until) < end) ends.set(plant_id, { plant_id, since: end, changes });
  for (const [plant_id, own] of rises) {
    const open = own.findIndex((rise) => !isOver(rise, end));
    const since = own[open]?.seen.time;
    if (since !== undefined) ends.set(plant_id, { plant_id, since, changes: 0 });
    over.push(...own.slice(0, open === -1 ? undefined : open).map((rise) => rowOf(plant_id, rise)));
  }
  const values = {
    step,
    until,
    end,
    next,
    read: JSON.stringify(backlog),
    rises: JSON.stringify(over),
    ends: JSON.stringify([...ends.values()]),
  };
  await db.batch([putBack(db, values), ...written.map((write) => write(db, values))]);
}

const rowOf = (plant_id: number, { seen, before, top, isWatering }: RawRise) => ({
  plant_id,
  seen_at: seen.time,
  before_at: before.time,
  before: before.raw,
  top_at: top.time,
  top: top.raw,
  is_watering: isWatering ? 1 : 0,
});

const given = (name: string) => sql`json_each(${sql.placeholder(name)})`;
const of = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;

const IS_STEP = eq(plantRollupWatermark.rises_step, sql.placeholder('step'));
const isStep = sql`EXISTS (SELECT 1 FROM ${plantRollupWatermark} WHERE ${IS_STEP})`;
/** Put back by somebody else since the step began: nothing of them is written. */
const isReopened = sql`(${plantRiseBacklog.plant_id}, ${plantRiseBacklog.changes}) NOT IN
  (SELECT ${of('plant_id')}, ${of('changes')} FROM ${given('read')})`;
const reopened = sql`(SELECT ${plantRiseBacklog.plant_id} FROM ${plantRiseBacklog} WHERE ${isReopened})`;

/** What the step has found of them may be wrong: the next one looks at it again. */
const putBack = fixedStatement(sql`
  UPDATE ${plantRiseBacklog} SET since = min(${plantRiseBacklog.since}, CAST(${sql.placeholder('until')} AS INTEGER))
  WHERE ${isStep} AND ${isReopened}`);

const { plant_id, seen_at } = plantRises;
const isNew = sql`(${plant_id}, ${seen_at}) IN (SELECT ${of('plant_id')}, ${of('seen_at')} FROM ${given('rises')})`;
const found = {
  before_at: of('before_at'),
  before: of('before'),
  top_at: of('top_at'),
  top: of('top'),
  is_watering: of('is_watering'),
};
const differs = sql.join(
  Object.keys(found).map(
    (name) => sql`${plantRises}.${sql.identifier(name)} <> excluded.${sql.identifier(name)}`,
  ),
  sql` OR `,
);

const written = [
  sql`DELETE FROM ${plantRises} WHERE ${isStep} AND NOT ${isNew} AND (${plant_id}, ${seen_at}) IN (
    SELECT ${plant_id}, ${seen_at}
    FROM ${given('read')} CROSS JOIN ${plantRises} ON ${plant_id} = ${of('plant_id')}
    WHERE ${seen_at} >= min(${of('since')}, ${sql.placeholder('until')}) AND ${seen_at} < ${sql.placeholder('end')}
      AND ${plant_id} NOT IN ${reopened})`,
  sql`${insertFrom(
    plantRises,
    { plant_id: plantStates.plant_id, seen_at: of('seen_at'), ...found },
    sql`FROM ${given('rises')} JOIN ${plantStates} ON ${plantStates.plant_id} = ${of('plant_id')}
      WHERE ${isStep} AND ${plantStates.plant_id} NOT IN ${reopened}`,
  )} ON CONFLICT DO UPDATE SET ${asExcluded(Object.keys(found))} WHERE ${differs}`,
  sql`DELETE FROM ${plantRiseBacklog} WHERE ${isStep} AND NOT ${isReopened} AND ${plantRiseBacklog.plant_id} IN (
    SELECT ${of('plant_id')} FROM ${given('ends')} WHERE ${of('since')} >= ${sql.placeholder('next')})`,
  sql`${insertFrom(
    plantRiseBacklog,
    { plant_id: plantStates.plant_id, since: of('since'), changes: of('changes') },
    sql`FROM ${given('ends')} JOIN ${plantStates} ON ${plantStates.plant_id} = ${of('plant_id')}
      WHERE ${isStep} AND ${of('since')} < ${sql.placeholder('next')} AND ${plantStates.plant_id} NOT IN ${reopened}`,
  )} ON CONFLICT DO UPDATE SET ${asExcluded(['since', 'changes'])}
    WHERE ${plantRiseBacklog.since} <> excluded.since OR ${plantRiseBacklog.changes} <> excluded.changes`,
  sql`UPDATE ${plantRollupWatermark} SET rises_until = ${sql.placeholder('next')}, rises_step = rises_step + 1
    WHERE ${IS_STEP}`,
].map((query) => fixedStatement(query));
