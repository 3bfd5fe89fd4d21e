import type { PlantRecord, PlantState } from '#contract/plants';
import type { TimeSpan } from './range.ts';

/** `time` in milliseconds since 1970, `raw` 0..1023. */
export type Reading = { time: number; raw: number };

/** Readings of each plant, oldest first. Lists are replaced, never changed. */
export type History = ReadonlyMap<string, readonly Reading[]>;

/** The plants in a history, and its start in milliseconds since 1970. Without `plants`: all plants. */
type Scope = { plants?: readonly string[] | undefined; from?: number | undefined };

export function buildHistory(records: readonly PlantRecord[]): History {
  const byPlant = new Map<string, Reading[]>();
  for (const { plant, datetime, soil_moisture: raw } of records) {
    const readings = byPlant.get(plant);
    const reading = { time: Date.parse(datetime), raw };
    if (readings) readings.push(reading);
    else byPlant.set(plant, [reading]);
  }
  for (const readings of byPlant.values()) readings.sort((a, b) => a.time - b.time);
  return byPlant;
}

/** Returns the plants without a reading in a time range; an empty list while the history is unknown. */
export function plantsWithoutReadings(
  { from, to }: TimeSpan,
  history: History | undefined,
  plants: readonly string[],
): string[] {
  if (!history) return [];
  return plants.filter((plant) => !history.get(plant)?.some(({ time }) => time >= from && time <= to));
}

export function newestReadingOf({ last_datetime, last_soil_moisture }: PlantState): Reading | undefined {
  if (last_datetime === null || last_soil_moisture === null) return undefined;
  return { time: Date.parse(last_datetime), raw: last_soil_moisture };
}

/** Appends each plant's newest reading. Returns the same object if no reading is missing. */
export function withNewest(history: History, states: readonly PlantState[], scope: Scope): History {
  let next: Map<string, readonly Reading[]> | undefined;
  for (const state of states) {
    const newest = newestReadingOf(state);
    const held = history.get(state.plant);
    const isWanted = scope.plants?.includes(state.plant) ?? true;
    const after = held?.at(-1)?.time ?? (scope.from ?? Number.NEGATIVE_INFINITY) - 1;
    if (!newest || !isWanted || newest.time <= after) continue;
    next ??= new Map(history);
    next.set(state.plant, [...(held ?? []), newest]);
  }
  return next ?? history;
}

/**
 * Whether the server stored readings that two responses of GET /api/plants/states do not contain. A response
 * has only each plant's newest reading: it lacks late readings, and all but the last of several new readings.
 */
export function hasMissedReadings(
  before: readonly PlantState[],
  after: readonly PlantState[],
  scope: Scope,
): boolean {
  const known = new Map(before.map((state) => [state.plant, state]));
  return after.some(({ plant, readings, last_datetime }) => {
    if (scope.plants?.includes(plant) === false) return false;
    const old = known.get(plant);
    const added = readings - (old?.readings ?? 0);
    return added > 1 || (added === 1 && old?.last_datetime === last_datetime);
  });
}

/** Applies a live message to the states. */
export function applyLiveMessage(
  held: readonly PlantState[],
  { whole, states }: { whole: boolean; states: readonly PlantState[] },
): PlantState[] {
  if (whole) return [...states];
  const toldOf = new Map(states.map((state) => [state.topic, state]));
  const known = held.map((state) => toldOf.get(state.topic) ?? state);
  return [...new Set([...known, ...states])];
}
