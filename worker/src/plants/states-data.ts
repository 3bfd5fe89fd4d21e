import type { PlantSettings, PlantState } from '#contract/plants';
import type { Database } from '#db/client';
import { plants, plantStates } from '#db/plants';
import { asc, eq } from 'drizzle-orm';
import { loggedBy } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';

/** Every plant with what is set of it and what was last heard of it, in the order of names. */
export async function listStates(db: Database): Promise<PlantState[]> {
  const rows = await db
    .select()
    .from(plantStates)
    .innerJoin(plants, eq(plants.id, plantStates.plant_id))
    .orderBy(asc(plants.name));
  return rows.map(({ plants: { name }, plant_states: state }) => ({
    plant: name,
    last_datetime: isoOrNull(state.last_measured_at),
    last_soil_moisture: state.last_soil_moisture,
    last_received_at: isoOrNull(state.last_received_at),
    board: state.board_online === null ? null : state.board_online ? 'online' : 'offline',
    board_at: isoOrNull(state.board_at),
    dry: state.dry,
    wet: state.wet,
    alert_below: state.alert_below,
    alert_clear: state.alert_clear,
    stale_after_minutes: state.stale_after_minutes,
    alert_since: isoOrNull(state.alert_since),
    readings: state.readings,
  }));
}

function isoOrNull(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}

/** What changes, before and after; json_patch leaves out what does not. */
const LOG = `
  SELECT NULL AS subject_id, json_patch('{}', json_object('plant', name, ${[
    'dry',
    'wet',
    'alert_below',
    'alert_clear',
    'stale_after_minutes',
  ]
    .map(
      (name) =>
        `'${name}', json(iif(${name} IS ?7 ->> '${name}', NULL, json_array(${name}, ?7 ->> '${name}')))`,
    )
    .join(', ')})) AS detail
  FROM plant_states JOIN plants ON plants.id = plant_id WHERE name = ?6`;

const CHANGE = `
  UPDATE plant_states SET dry = ?2, wet = ?3, alert_below = ?4, alert_clear = ?5, stale_after_minutes = ?6
  WHERE plant_id = (SELECT id FROM plants WHERE name = ?1)
  RETURNING plant_id`;

/** Replaces the plant's settings; a trigger judges its newest reading by them. False when there is no such plant. */
export async function changeSettings(
  db: Database,
  by: Actor,
  plant: string,
  settings: PlantSettings,
): Promise<boolean> {
  const { dry, wet, alert_below, alert_clear, stale_after_minutes } = settings;
  const [, changed] = await db.$client.batch([
    loggedBy(db, by, { action: 'change', subject: 'plant' }, LOG, plant, JSON.stringify(settings)),
    db.$client.prepare(CHANGE).bind(plant, dry, wet, alert_below, alert_clear, stale_after_minutes),
  ]);
  return changed?.results.length === 1;
}
