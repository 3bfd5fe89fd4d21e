import { MOISTURE_RAW_MAX, plantPercent, UNCALIBRATED } from '#contract/moisture';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { migrateDatabase } from './support.ts';

const raws = Array.from({ length: MOISTURE_RAW_MAX + 1 }, (_, raw) => raw);

beforeAll(async () => {
  await migrateDatabase();
  const all = 'WITH RECURSIVE raws (raw) AS (SELECT 0 UNION ALL SELECT raw + 1 FROM raws WHERE raw < ?)';
  await env.DB.batch([
    env.DB.prepare(`${all} INSERT INTO plants (id, name) SELECT raw + 1, 'plant ' || raw FROM raws`).bind(
      MOISTURE_RAW_MAX,
    ),
    env.DB.prepare(
      `${all} INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
       SELECT raw + 1, 1700000000000, 0, raw, 1700000000000 FROM raws`,
    ).bind(MOISTURE_RAW_MAX),
  ]);
});

test.each([
  [UNCALIBRATED, 20],
  [UNCALIBRATED, 12.5],
  [{ dry: 800, wet: 300 }, 29],
  [{ dry: 800, wet: 300 }, 57],
  [{ dry: 700, wet: 697 }, 33.3],
  [{ dry: 1023, wet: 1022 }, 50],
])(
  'PLT-9 of every raw value, calibrated by %j, the database alerts below %d percent as the contract reckons it',
  async (calibration, below) => {
    const { dry, wet } = calibration === UNCALIBRATED ? { dry: null, wet: null } : calibration;
    await env.DB.prepare(
      'UPDATE plant_states SET dry = NULL, wet = NULL, alert_below = 0, alert_clear = 0.1, alert_since = NULL',
    ).run();
    await env.DB.prepare('UPDATE plant_states SET dry = ?, wet = ?, alert_below = ?, alert_clear = 100')
      .bind(dry, wet, below)
      .run();
    const { results } = await env.DB.prepare(
      'SELECT last_soil_moisture AS raw FROM plant_states WHERE alert_since IS NOT NULL ORDER BY raw',
    ).all<{ raw: number }>();
    expect(results.map(({ raw }) => raw)).toEqual(
      raws.filter((raw) => plantPercent(raw, calibration) < below),
    );
  },
);
