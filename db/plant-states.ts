import type { PlantState } from '#contract/plants';
import { MINUTE_MS } from '#contract/time';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from './client.ts';
import { plants, plantStates } from './plants.ts';

/**
 * Every plant that is not hidden, with its settings and latest state, in the order of creation.
 * @param topics only these plants
 */
export async function listPlantStates(db: Database, topics?: readonly string[]): Promise<PlantState[]> {
  const isAsked = topics && sql`${plants.topic} IN (SELECT value FROM json_each(${JSON.stringify(topics)}))`;
  const rows = await db
    .select()
    .from(plantStates)
    .innerJoin(plants, eq(plants.id, plantStates.plant_id))
    .where(and(eq(plantStates.is_hidden, false), isAsked))
    .orderBy(asc(plants.id));
  return rows.map(({ plants: { name, topic }, plant_states: state }) =>
    Object.assign(boardOf(state), assessmentIn(state), {
      plant: name,
      topic,
      last_datetime: isoOrNull(state.last_measured_at),
      last_soil_moisture: state.last_soil_moisture,
      last_received_at: isoOrNull(state.last_received_at),
      dry: state.dry,
      wet: state.wet,
      alert_below: state.alert_below,
      alert_clear: state.alert_clear,
      stale_after_minutes: state.stale_after_minutes,
      readings: state.readings,
      name_en: state.name_en,
      is_public: state.is_public,
      version: state.version,
    }),
  );
}

/** A reading received after its board's `offline` proves that the board is online. */
function boardOf({
  board_online: online,
  board_at: at,
  last_received_at: heardAt,
}: typeof plantStates.$inferSelect): Pick<PlantState, 'board' | 'board_at'> {
  if (online === null) return { board: null, board_at: null };
  if (!online && heardAt !== null && at !== null && heardAt > at)
    return { board: 'online', board_at: isoOrNull(heardAt) };
  return { board: online ? 'online' : 'offline', board_at: isoOrNull(at) };
}

/** The assessment's values for a screen; empty without an assessment. No forecast for a silent board. */
function assessmentIn({
  assessment,
  alert_since,
  stale_after_minutes,
  last_received_at,
}: typeof plantStates.$inferSelect) {
  const { fault = null, faults = [], waterings = [], calibration = null } = assessment ?? {};
  const silentAfter = assessment?.silent_after_ms ?? stale_after_minutes * MINUTE_MS;
  const isSilent = Date.now() - (last_received_at ?? 0) > silentAfter;
  const forecast = isSilent ? null : (assessment?.forecast ?? null);
  return {
    silent_after_minutes: Math.round(silentAfter / MINUTE_MS),
    clock_off_ms: assessment?.clock_off_ms ?? null,
    alert_since: isoOrNull(alert_since),
    last_watered: isoOrNull(waterings.at(-1)?.before.time ?? null),
    // A forecast without an upper end shows no day. Only a dry plant shows 0 days, so 0 becomes null.
    days_until_dry: alert_since !== null ? 0 : (forecast?.high != null && forecast.days) || null,
    forecast: forecast && { low: forecast.low, high: forecast.high },
    fault: fault && { kind: fault.kind, since: iso(fault.since) },
    faults: faults.map(({ kind, from, to }) => ({ kind, from: iso(from), to: isoOrNull(to) })),
    calibration_offered: calibration,
  };
}

const iso = (instant: number) => new Date(instant).toISOString();

function isoOrNull(instant: number | null): string | null {
  return instant === null ? null : iso(instant);
}
