import { daysUntilDry } from '#contract/moisture';
import { calibrationOf, plantPercent } from '#contract/moisture/percent';
import { PLANT_POINTS_DEFAULT, type PlantRecord, type PlantState } from '#contract/plants';
import { DAY_MS } from '#contract/time';
import type { Database } from '#db/client';
import { listStates } from '#db/states';
import { listReadings } from './data.ts';
import { listWaterings } from './waterings-data.ts';

/** Whoever was not watered for longer is judged by so much. */
const LATELY_MS = 30 * DAY_MS;

/** The states of all plants that are shown, with the time until each needs water. */
export async function listForecasts(db: Database, now: number): Promise<PlantState[]> {
  const lately = { from: now - LATELY_MS };
  const [states, text, waterings] = await Promise.all([
    listStates(db),
    listReadings(db, lately, PLANT_POINTS_DEFAULT),
    listWaterings(db, lately),
  ]);
  const records: PlantRecord[] = JSON.parse(text);
  const recordsOf = Map.groupBy(records, ({ plant }) => plant);
  const wateredAt = new Map(waterings.map(({ plant, datetime }) => [plant, Date.parse(datetime)]));
  return states.map((state) => {
    const calibration = calibrationOf(state);
    const samples = (recordsOf.get(state.plant) ?? []).map(({ datetime, soil_moisture: raw }) => ({
      time: Date.parse(datetime),
      percent: plantPercent(raw, calibration),
    }));
    const watered = wateredAt.get(state.plant) ?? Number.NEGATIVE_INFINITY;
    return Object.assign(state, { days_until_dry: daysUntilDry(samples, state.alert_below, watered) });
  });
}
