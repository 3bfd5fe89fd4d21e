import type { PlantSelector, HiddenPlants } from '#contract/plants';
import { type Database, statement } from '#db/client';
import {
  plantReadings,
  plantRemovals,
  plantRetention,
  plantRollups,
  plants,
  plantStates,
  removedTopics,
} from '#db/plants';
import { excludedColumns, insertFrom, toInt, jsonObject } from '#db/sql';
import { and, asc, eq, exists, lt, ne, sql } from 'drizzle-orm';
import type { Actor } from '../lib/app-env.ts';
import { logPerPlantRow } from './log-data.ts';
import { findPlantId } from './states-data.ts';
import { FINEST_ROLLUP } from '#db/rollups';
import { readWatermark } from './rollups-data.ts';

/* Hiding and removing a plant, and showing it again. */

type Outcome = 'done' | 'outdated' | 'unknown';
type Version = number | undefined;

const named = sql`FROM ${plantStates} JOIN ${plants} ON ${plants.id} = ${plantStates.plant_id}`;
const { is_hidden, is_public } = plantStates;

/** Hides a plant, which makes it private, or shows it again. Its readings are stored either way. */
export async function setPlantHidden(
  db: Database,
  by: Actor,
  one: PlantSelector,
  { isHidden, version }: { isHidden: boolean; version: Version },
): Promise<Outcome> {
  const id = await findPlantId(db, one);
  if (id === undefined) return 'unknown';
  const isIt = and(isVersion(id, version), ne(is_hidden, isHidden));
  const detail = sql`json_patch(
    ${jsonObject({ plant: plants.name, is_hidden: sql`json_array(${is_hidden}, NOT ${is_hidden})` })},
    iif(${is_public}, '{"is_public": [1, 0]}', '{}'))`;
  const [, , stored] = await db.commit([
    logPerPlantRow(db, by, { action: 'change', subject: 'plant', detail }, sql`${named} WHERE ${isIt}`),
    db
      .update(plantStates)
      .set({ is_hidden: isHidden, is_public: sql`${is_public} AND NOT ${Number(isHidden)}` })
      .where(isIt),
    db.select({ is_hidden }).from(plantStates).where(eq(plantStates.plant_id, id)),
  ]);
  if (stored.length === 0) return 'unknown';
  return stored[0]?.is_hidden === isHidden ? 'done' : 'outdated';
}

/**
 * Removes a plant from every screen and frees its name and topic immediately. `deleteRemovedPlantData`
 * deletes the readings later. New readings of the board create a new plant; older readings do not.
 */
export async function removePlant(
  db: Database,
  by: Actor,
  one: PlantSelector,
  version: Version,
): Promise<Outcome> {
  const id = await findPlantId(db, one);
  if (id === undefined) return 'unknown';
  const isIt = sql`${named} WHERE ${isVersion(id, version)}`;
  const detail = jsonObject({
    plant: plants.name,
    topic: plants.topic,
    readings: plantStates.readings,
  });
  const removed_at = toInt(Date.now());
  const removal = { plant_id: plants.id, name: plants.name, removed_at, readings_left: plantStates.readings };
  const ended = sql`${isIt} ON CONFLICT DO UPDATE SET ${excludedColumns(['removed_at'])}`;
  const isRemoved = exists(db.select().from(plantRemovals).where(eq(plantRemovals.plant_id, id)));
  // A name that no other plant can have, because no topic and no chosen name begins with a slash.
  const freed = sql`'/' || ${plants.id}`;
  const [, , , , { meta }] = await db.commit([
    logPerPlantRow(db, by, { action: 'delete', subject: 'plant', detail }, isIt),
    statement(db, insertFrom(removedTopics, { topic: plants.topic, removed_at }, ended)),
    statement(db, insertFrom(plantRemovals, removal, isIt)),
    db
      .update(plants)
      .set({ name: freed, topic: freed })
      .where(and(eq(plants.id, id), isRemoved)),
    db.delete(plantStates).where(and(eq(plantStates.plant_id, id), isRemoved)),
  ]);
  return meta.changes > 0 ? 'done' : 'outdated';
}

const isVersion = (id: number, version: Version) =>
  and(eq(plantStates.plant_id, id), version === undefined ? undefined : eq(plantStates.version, version));

/** The hidden plants, and the removed plants whose readings are not all deleted yet. */
export async function listHiddenPlants(db: Database): Promise<HiddenPlants> {
  const [hidden, removed] = await db.batch([
    db
      .select({
        plant: plants.name,
        topic: plants.topic,
        version: plantStates.version,
        readings: plantStates.readings,
        last: plantStates.last_measured_at,
      })
      .from(plantStates)
      .innerJoin(plants, eq(plants.id, plantStates.plant_id))
      .where(eq(is_hidden, true))
      .orderBy(asc(plants.name)),
    db.select().from(plantRemovals).orderBy(asc(plantRemovals.removed_at), asc(plantRemovals.plant_id)),
  ]);
  return {
    hidden: hidden.map(({ plant, topic, version, readings, last }) => ({
      plant,
      topic,
      version,
      readings,
      last_datetime: last === null ? null : new Date(last).toISOString(),
    })),
    removed: removed.map(({ name, removed_at, readings_left }) => ({
      plant: name,
      removed_at: new Date(removed_at).toISOString(),
      readings_left,
    })),
  };
}

/** How many rows a statement deletes, and how many statements a run has; the next day's run continues. */
const SLICE = 20_000;
const SLICES = 200;

/**
 * Deletes the remaining data of removed plants, up to the limit of one run.
 * @returns the number of deleted readings
 */
export async function deleteRemovedPlantData(db: Database, slice = SLICE, slices = SLICES): Promise<number> {
  const removed = await db.select().from(plantRemovals).orderBy(asc(plantRemovals.plant_id));
  let deleted = 0;
  let left = slices;
  /** Deletes slices until a slice is not full; false if the run's statements are used up before that. */
  const empty = async (deleteSlice: () => Promise<number>): Promise<boolean> => {
    while (left > 0) {
      left -= 1;
      if ((await deleteSlice()) < slice) return true;
    }
    return false;
  };
  for (const { plant_id: id } of removed) {
    const readings = async () => {
      const { plant_id, measured_at, seq } = plantReadings;
      const some = db
        .select({ plant_id, measured_at, seq })
        .from(plantReadings)
        .where(eq(plant_id, id))
        .limit(slice);
      const [{ meta }] = await db.commit([
        db.delete(plantReadings).where(sql`(${plant_id}, ${measured_at}, ${seq}) IN ${some}`),
      ]);
      deleted += meta.changes;
      await db.commit([
        db
          .update(plantRemovals)
          .set({ readings_left: sql`max(0, ${plantRemovals.readings_left} - ${meta.changes})` })
          .where(eq(plantRemovals.plant_id, id)),
      ]);
      return meta.changes;
    };
    const rollups = async () => {
      const { plant_id, width, start } = plantRollups;
      const some = db
        .select({ plant_id, width, start })
        .from(plantRollups)
        .where(eq(plant_id, id))
        .limit(slice);
      const [{ meta }] = await db.commit([
        db.delete(plantRollups).where(sql`(${plant_id}, ${width}, ${start}) IN ${some}`),
      ]);
      return meta.changes;
    };
    if (!(await empty(readings)) || !(await empty(rollups))) break;
    // Deletes the plant_removals row too, by a foreign key.
    await db.commit([db.delete(plants).where(eq(plants.id, id))]);
  }
  return deleted;
}

/**
 * Removes raw readings taken before `limit` (milliseconds since 1970). Rollups stay, so readings without
 * rollups are not removed yet. Older readings are no longer accepted.
 * @returns the number of removed readings
 */
export async function removeReadingsBefore(db: Database, limit: number): Promise<number> {
  const since = Math.min(Math.floor(limit / FINEST_ROLLUP) * FINEST_ROLLUP, await readWatermark(db));
  await db.commit([
    db
      .insert(plantRetention)
      .values({ id: 1, since })
      .onConflictDoUpdate({
        target: plantRetention.id,
        set: { since: sql`max(${plantRetention.since}, ${since})` },
      }),
  ]);
  const { plant_id, measured_at, seq } = plantReadings;
  const old = db
    .select({ plant_id, measured_at, seq })
    .from(plants)
    .crossJoin(plantReadings)
    .where(and(eq(plant_id, plants.id), lt(measured_at, since)))
    .limit(SLICE);
  const slice = db.delete(plantReadings).where(sql`(${plant_id}, ${measured_at}, ${seq}) IN ${old}`);
  let removed = 0;
  for (let count = 0; count < SLICES; count++) {
    const [{ meta }] = await db.commit([slice]);
    removed += meta.changes;
    if (meta.changes < SLICE) break;
  }
  return removed;
}
