import type { PlantSelector, PlantChange, StoredSettings } from '#contract/plants';
import type { Database } from '#db/client';
import { plants, plantStates } from '#db/plants';
import { jsonObject } from '#db/sql';
import { and, asc, eq, exists, ne, notExists, or, sql, type SQLWrapper } from 'drizzle-orm';
import type { Actor } from '../lib/app-env.ts';
import { logPerPlantRow } from './log-data.ts';
import { rejudgePlants } from './assessment-data.ts';

/** Topics and names of all plants, including hidden ones. */
export async function namesByTopic(db: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .select({ topic: plants.topic, name: plants.name })
    .from(plants)
    // A removed plant has no state, so the join leaves it out.
    .innerJoin(plantStates, eq(plantStates.plant_id, plants.id))
    .orderBy(asc(plants.name));
  return new Map(rows.map(({ topic, name }) => [topic, name]));
}

const { name_en, dry, wet, alert_below, alert_clear, stale_after_minutes, is_public } = plantStates;
const settable = { name_en, dry, wet, alert_below, alert_clear, stale_after_minutes, is_public };
/** Settings that keep their value if absent. */
const optional = new Set<SQLWrapper>([name_en, is_public, plants.name]);

/** The old and new values of each changed setting; json_patch drops unchanged settings, which are null. */
const changes = sql`json_patch('{}', ${jsonObject({
  plant: plants.name,
  ...Object.fromEntries(
    Object.entries({ name: plants.name, ...settable }).map(([name, column]) => {
      const said = sql`settings ->> ${name}`;
      const value = optional.has(column) ? sql`coalesce(${said}, ${column})` : said;
      return [name, sql`json(iif(${column} IS ${value}, NULL, json_array(${column}, ${value})))`];
    }),
  ),
})})`;
const named = sql`FROM ${plantStates} JOIN ${plants} ON ${plants.id} = ${plantStates.plant_id}`;
const closed = jsonObject({ plant: plants.name, is_public: sql`json_array(1, 0)` });

/** The plant's id; undefined if there is no such plant, or it was removed. */
export async function findPlantId(
  db: Database,
  { plant, topic }: PlantSelector,
): Promise<number | undefined> {
  const [row] = await db
    .select({ id: plants.id })
    .from(plants)
    .innerJoin(plantStates, eq(plantStates.plant_id, plants.id))
    .where(topic === undefined ? eq(plants.name, plant ?? '') : eq(plants.topic, topic));
  return row?.id;
}

type Outcome = 'changed' | 'outdated' | 'taken';

/**
 * Replaces the plant's settings, unless the version has changed or another plant has the name as its name or
 * topic. At most one plant is public: making a plant public makes the other private. A trigger raises the
 * version, and the plant is judged by the new settings.
 * @returns the current settings; undefined if there is no such plant
 */
export async function changePlantSettings(
  db: Database,
  by: Actor,
  one: PlantSelector,
  { version, name, ...settings }: PlantChange,
): Promise<{ settings: StoredSettings; outcome: Outcome } | undefined> {
  const id = await findPlantId(db, one);
  if (id === undefined) return undefined;
  const isOthers = and(ne(plants.id, id), or(eq(plants.name, name ?? ''), eq(plants.topic, name ?? '')));
  const isIt = and(
    eq(plantStates.plant_id, id),
    version === undefined ? undefined : eq(plantStates.version, version),
    name === undefined ? undefined : notExists(db.select({ id: plants.id }).from(plants).where(isOthers)),
  );
  const gives = exists(db.select({ plant_id: plantStates.plant_id }).from(plantStates).where(isIt));
  const isClosed = and(
    sql`${Number(settings.is_public === true)}`,
    eq(is_public, true),
    ne(plantStates.plant_id, id),
    gives,
  );
  const entry = { action: 'change', subject: 'plant' } as const;
  const said = JSON.stringify({ name, ...settings });
  const [, , , , changed, [stored]] = await db.commit([
    logPerPlantRow(db, by, { ...entry, detail: closed }, sql`${named} WHERE ${isClosed}`),
    logPerPlantRow(
      db,
      by,
      { ...entry, detail: changes },
      sql`${named} CROSS JOIN (SELECT ${said} AS settings) WHERE ${isIt}`,
    ),
    db.update(plantStates).set({ is_public: false }).where(isClosed),
    // The name first, because changing the settings raises the version that is checked.
    db
      .update(plants)
      .set({ name: name ?? sql`${plants.name}` })
      .where(and(eq(plants.id, id), gives)),
    db
      .update(plantStates)
      .set(settings satisfies Partial<Record<keyof typeof settable, unknown>>)
      .where(isIt)
      .returning({ plant_id: plantStates.plant_id }),
    db
      .select({ ...settable, name: plants.name, version: plantStates.version })
      .from(plantStates)
      .innerJoin(plants, eq(plants.id, plantStates.plant_id))
      .where(eq(plantStates.plant_id, id)),
  ]);
  if (!stored) return undefined;
  if (changed.length > 0) await rejudgePlants(db, id, Date.now());
  const isOutdated = version !== undefined && stored.version !== version;
  const refused = isOutdated ? 'outdated' : 'taken';
  return { settings: stored, outcome: changed.length > 0 ? 'changed' : refused };
}
