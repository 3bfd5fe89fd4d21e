import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { database } from '#db/client';
import { removeReadingsBefore } from '../../worker/src/plants/lifecycle-data.ts';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { propertyRuns } from '../support/counts.ts';
import { freshDatabase, instant, NOW, postReadings, reading, stored } from './support.ts';

const options = propertyRuns(10, 200);

const WIDTHS = [300_000, 1_800_000, 10_800_000, 86_400_000, 691_200_000, 5_529_600_000, 44_236_800_000];
const MINUTE = 60_000;

beforeEach(freshDatabase);

const rollupSchema = z.object({
  plant: z.string(),
  width: z.int(),
  start: z.int(),
  count: z.int(),
  sum: z.int(),
  lowest: z.int(),
  lowest_at: z.int(),
  highest: z.int(),
  highest_at: z.int(),
});
type Rollup = z.infer<typeof rollupSchema>;
type Stored = Awaited<ReturnType<typeof stored>>;

async function rollups(): Promise<Rollup[]> {
  const { results } = await env.PLANTS_DB.prepare(
    `SELECT plants.name AS plant, width, start, count, sum, lowest >> 42 AS lowest, lowest & ${2 ** 42 - 1} AS lowest_at,
            highest >> 42 AS highest, highest & ${2 ** 42 - 1} AS highest_at
     FROM plant_rollups JOIN plants ON plants.id = plant_id ORDER BY plant, width, start`,
  ).all();
  return z.array(rollupSchema).parse(results);
}

/** The correct rollups, computed from the stored readings. */
function recomputed(readings: Stored): Rollup[] {
  const all = new Map<string, Rollup>();
  for (const { plant, measured_at: at, soil_moisture: raw } of readings) {
    for (const width of WIDTHS) {
      const start = Math.floor(at / width) * width;
      const key = `${plant} ${width} ${start}`;
      const known = all.get(key);
      if (!known) {
        const extremes = { lowest: raw, lowest_at: at, highest: raw, highest_at: at };
        all.set(key, { plant, width, start, count: 1, sum: raw, ...extremes });
        continue;
      }
      known.count += 1;
      known.sum += raw;
      // Readings are sorted by time: of equal lowest values the earliest counts, of equal highest the latest.
      if (raw < known.lowest) Object.assign(known, { lowest: raw, lowest_at: at });
      if (raw >= known.highest) Object.assign(known, { highest: raw, highest_at: at });
    }
  }
  const order = ({ plant, width, start }: Rollup) => [plant, width, start] as const;
  return [...all.values()].sort((a, b) => {
    const [plant, width, start] = order(a);
    const [otherPlant, otherWidth, otherStart] = order(b);
    if (plant !== otherPlant) return plant < otherPlant ? -1 : 1;
    return width - otherWidth || start - otherStart;
  });
}

/** Minutes before now: mostly within one hour, so that readings collide; some years ago. */
const age = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 5_000_000 }));
const sentReading = fc
  .record({
    plant: fc.constantFrom('fern', 'moss'),
    age,
    seq: fc.option(fc.nat(2), { nil: undefined }),
    soil_moisture: fc.integer({ min: 0, max: 1023 }),
    clock: fc.constantFrom('right', 'right', 'right', 'ahead', 'reset'),
  })
  .map(({ age: minutes, clock, seq, ...rest }) => {
    const received_at = instant(-minutes * MINUTE);
    const board = { right: received_at, ahead: instant(3_600_000), reset: '1970-01-01T00:00:07Z' }[clock];
    return reading({ ...rest, received_at, datetime: board, ...(seq !== undefined && { seq }) });
  });

test('PLT-7 rollups are those of all readings that were stored, whatever comes twice, late or with a wrong clock, removed or not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(sentReading, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 3 }),
      fc.array(age, { minLength: 6, maxLength: 6 }),
      fc.array(fc.option(age), { minLength: 5, maxLength: 5 }),
      async (batches, again, runs, removals) => {
        await freshDatabase();
        let mark = 0;
        const ever = new Map<string, Stored[number]>();
        const post = async (batch: Record<string, unknown>[]) => {
          await postReadings(batch);
          for (const one of await stored()) ever.set(`${one.plant} ${one.measured_at} ${one.seq}`, one);
        };
        const write = async () => {
          const minutes = runs.pop() ?? 0;
          await writeRollups(database(env.PLANTS_DB), NOW - minutes * MINUTE);
          mark = Math.max(mark, Math.floor((NOW - (minutes + 10) * MINUTE) / 300_000) * 300_000);
        };
        for (const batch of batches) {
          await post(batch);
          await write();
          const minutes = removals.pop() ?? null;
          if (minutes !== null) await removeReadingsBefore(database(env.PLANTS_DB), NOW - minutes * MINUTE);
        }
        for (const which of again) await post(batches[which % batches.length] ?? []);
        const readings = [...ever.values()].sort((a, b) =>
          a.plant < b.plant ? -1 : a.plant > b.plant ? 1 : a.measured_at - b.measured_at || a.seq - b.seq,
        );
        const kept = await rollups();
        expect(kept).toEqual(recomputed(readings).filter(({ start, width }) => start + width <= mark));

        const { results: states } = await env.PLANTS_DB.prepare(
          `SELECT name AS plant, readings, last_measured_at, last_seq, last_soil_moisture, last_received_at
           FROM plant_states JOIN plants ON plants.id = plant_id WHERE readings > 0 ORDER BY name`,
        ).all();
        const byPlant = Map.groupBy(readings, ({ plant }) => plant);
        expect(states).toEqual(
          [...byPlant].map(([plant, own]) => {
            const newest = own.at(-1);
            return {
              plant,
              readings: own.length,
              last_measured_at: newest?.measured_at,
              last_seq: newest?.seq,
              last_soil_moisture: newest?.soil_moisture,
              last_received_at: Math.max(...own.map(({ received_at }) => received_at)),
            };
          }),
        );
      },
    ),
    options,
  );
});
