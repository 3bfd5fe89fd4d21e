import { calibrationOf, MOISTURE_RAW_MAX, plantPercent } from '#contract/moisture/percent';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { propertyRuns } from '../support/counts.ts';
import { asAdmin, call } from './client.ts';
import { tellReadings } from '../support/store-readings.ts';
import { migrateDatabase } from './support.ts';

const raws = Array.from({ length: MOISTURE_RAW_MAX + 1 }, (_, raw) => raw);

beforeAll(migrateDatabase);
asAdmin();
beforeAll(async () => {
  const all = 'WITH RECURSIVE raws (raw) AS (SELECT 0 UNION ALL SELECT raw + 1 FROM raws WHERE raw < ?)';
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare(
      `${all} INSERT INTO plants (id, name) SELECT raw + 1, 'plant ' || raw FROM raws`,
    ).bind(MOISTURE_RAW_MAX),
    // One that has had every value.
    env.PLANTS_DB.prepare("INSERT INTO plants (id, name) VALUES (2000, 'all')"),
  ]);
  const at = 1_700_000_000_000;
  await tellReadings(
    env.PLANTS_DB,
    raws.flatMap(
      (raw) =>
        [
          [`plant ${raw}`, at, raw],
          ['all', at - raw, raw],
        ] as const,
    ),
  );
});

type Limits = { dry: number | null; wet: number | null; alert_below: number };

/** The raw values below the limit, as the database decides and as the file of all readings tells. */
async function below({ dry, wet, alert_below }: Limits) {
  await env.PLANTS_DB.prepare(
    'UPDATE plant_states SET dry = NULL, wet = NULL, alert_below = 0, alert_clear = 0.1, alert_since = NULL',
  ).run();
  await env.PLANTS_DB.prepare('UPDATE plant_states SET dry = ?, wet = ?, alert_below = ?, alert_clear = 100')
    .bind(dry, wet, alert_below)
    .run();
  const { results } = await env.PLANTS_DB.prepare(
    'SELECT last_soil_moisture AS raw FROM plant_states WHERE alert_since IS NOT NULL AND plant_id < 2000 ORDER BY raw',
  ).all<{ raw: number }>();
  return results.map(({ raw }) => raw);
}

const limits: Limits[] = [
  { dry: null, wet: null, alert_below: 20 },
  { dry: null, wet: null, alert_below: 12.5 },
  { dry: 800, wet: 300, alert_below: 29 },
  { dry: 800, wet: 300, alert_below: 57 },
  { dry: 700, wet: 697, alert_below: 33.3 },
  { dry: 1023, wet: 1022, alert_below: 50 },
];

test('PLT-9 PLT-12 of every raw value, however calibrated, the database alerts and the CSV tells by the one percent', async () => {
  const calibration = fc
    .tuple(fc.nat(1023), fc.nat(1023))
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => ({ dry: Math.max(a, b), wet: Math.min(a, b) }));
  const limit = fc.double({ min: 0, max: 99.9, noNaN: true });
  const anyLimits = fc.tuple(fc.option(calibration), limit).map(([range, alert_below]): Limits => ({
    dry: range?.dry ?? null,
    wet: range?.wet ?? null,
    alert_below,
  }));
  await fc.assert(
    fc.asyncProperty(anyLimits, async (each) => {
      const percents = raws.map((raw) => plantPercent(raw, calibrationOf(each)));
      expect(await below(each)).toEqual(raws.filter((raw) => (percents[raw] ?? 0) < each.alert_below));
      const lines = (await (await call('/plants/csv?plant=all')).text()).trim().split('\r\n').slice(1);
      const told = lines.map((line) => line.split(','));
      expect(told).toHaveLength(raws.length);
      for (const [, , raw, percent] of told) expect(percent).toBe(percents[Number(raw)]?.toFixed(1));
    }),
    { ...propertyRuns(10, 100), examples: limits.map((each): [Limits] => [each]) },
  );
});
