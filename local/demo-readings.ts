import { MOISTURE_RAW_MAX, moisturePercent } from '#contract/moisture/percent';
import { DAY_MS, HOUR_MS } from '#contract/time';
import { database } from '#db/client';
import type { D1Database } from '@cloudflare/workers-types';
import { storeReadings } from '../ingest/src/readings-data.ts';
import { writeRollups } from '../worker/src/plants/rollups-data.ts';
import { DEMO_PLANTS, demoSoilRaw, type DemoPlant } from './soil.ts';

const QUARTER_HOUR = 900_000;
const READINGS_DAYS = 42;

/**
 * Stores six weeks of readings for each plant, as the ingest worker does. The simulated boards continue the
 * curve. Each call writes the same quarter hours; readings that exist stay.
 */
export async function loadDemoReadings(db: D1Database, now: number): Promise<void> {
  const last = Math.floor(now / QUARTER_HOUR) * QUARTER_HOUR;
  for (const plant of DEMO_PLANTS) {
    const instants = Array.from(
      { length: (READINGS_DAYS * DAY_MS) / QUARTER_HOUR },
      (_, step) => last - READINGS_DAYS * DAY_MS + (step + 1) * QUARTER_HOUR,
    );
    const rows = instants
      .filter((at) => wasHeard(plant, now - at))
      .map((at) => ({
        plant,
        measured_at: at,
        seq: 0,
        counterpart_seq: 0,
        soil_moisture: isLoose(plant, now - at) ? MOISTURE_RAW_MAX : demoSoilRaw(plant, at),
        received_at: at,
        refused_time: null,
      }));
    await storeReadings(database(db), rows, null);
  }
  await writeRollups(database(db), now);
  await db.batch([
    db.prepare(`UPDATE plants SET name = '바질' WHERE topic = 'basil'`),
    db.prepare(`UPDATE plant_states SET name_en = 'basil', is_public = 1, alert_below = 28, alert_clear = 33
                WHERE plant_id = (SELECT id FROM plants WHERE topic = 'basil')`),
    // The limit depends on the present moisture: the monstera must always need water in the demo.
    db
      .prepare(
        `UPDATE plant_states SET alert_below = ?1, alert_clear = ?1 + 5
         WHERE plant_id = (SELECT id FROM plants WHERE topic = 'monstera')`,
      )
      .bind(Math.ceil(Math.max(40, moisturePercent(demoSoilRaw('monstera', last - 6 * HOUR_MS)) + 2))),
    db
      .prepare(
        `UPDATE plant_states SET board_online = 0, board_at = ?1
         WHERE plant_id = (SELECT id FROM plants WHERE topic = 'rosemary')`,
      )
      .bind(now - ROSEMARY_SILENT),
  ]);
}

/** The rosemary's board had a loose wire and is off since yesterday. The monstera's was off for two days. */
const ROSEMARY_SILENT = 30 * HOUR_MS;

const isLoose = (plant: DemoPlant, age: number) =>
  plant === 'rosemary' && age < ROSEMARY_SILENT + 9 * HOUR_MS;

function wasHeard(plant: DemoPlant, age: number): boolean {
  if (plant === 'rosemary') return age > ROSEMARY_SILENT;
  if (plant === 'monstera') return age < 9 * DAY_MS || age > 11 * DAY_MS;
  return true;
}
