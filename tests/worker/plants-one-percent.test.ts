import { calibrationOf, MOISTURE_RAW_MAX, moisturePercent } from '#contract/moisture/percent';
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
  const at = 1_700_000_000_000;
  await tellReadings(
    env.PLANTS_DB,
    raws.map((raw) => ['all', at - raw, raw] as const),
  );
});

type Limits = { dry: number | null; wet: number | null };

const limits: Limits[] = [
  { dry: null, wet: null },
  { dry: 800, wet: 300 },
  { dry: 700, wet: 697 },
  { dry: 1023, wet: 1022 },
];

test('PLT-12 of every raw value, however calibrated, the CSV tells the one percent', async () => {
  const calibration = fc
    .tuple(fc.nat(1023), fc.nat(1023))
    .filter(([a, b]) => a !== b)
    .map(([a, b]): Limits => ({ dry: Math.max(a, b), wet: Math.min(a, b) }));
  await fc.assert(
    fc.asyncProperty(calibration, async (each) => {
      const percents = raws.map((raw) => moisturePercent(raw, calibrationOf(each)));
      await env.PLANTS_DB.prepare('UPDATE plant_states SET dry = ?, wet = ?').bind(each.dry, each.wet).run();
      const lines = (await (await call('/plants/csv?plant=all')).text()).trim().split('\r\n').slice(1);
      const told = lines.map((line) => line.split(','));
      expect(told).toHaveLength(raws.length);
      for (const [, , raw, percent] of told) expect(percent).toBe(percents[Number(raw)]?.toFixed(1));
    }),
    { ...propertyRuns(10, 100), examples: limits.map((each): [Limits] => [each]) },
  );
});
