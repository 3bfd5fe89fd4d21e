import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { Interval } from '#contract/moisture/series';
import { findWaterings } from '#contract/moisture/waterings';
import { database } from '#db/client';
import { removeReadingsBefore } from '../../worker/src/plants/lifecycle-data.ts';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { judgePlants } from '../../worker/src/plants/assessment-data.ts';
import { saveWaterings, listWaterings } from '../../worker/src/plants/waterings-data.ts';
import { propertyRuns } from '../support/counts.ts';
import { potHistory, type Reading } from '../support/pot.ts';
import { tellReadings } from '../support/store-readings.ts';
import { freshDatabase, instant, NOW, postReadings, reading } from './support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const HALF_HOUR = 30 * MINUTE;
const FINEST = 5 * MINUTE;

beforeEach(freshDatabase);

const db = () => database(env.PLANTS_DB);

/** The readings in intervals of half an hour, as in rollups. */
function halfHours(readings: readonly Reading[]): Interval[] {
  const byStart = Map.groupBy(
    readings.toSorted(([a], [b]) => a - b),
    ([at]) => Math.floor(at / HALF_HOUR) * HALF_HOUR,
  );
  return [...byStart].map(([start, own]) => {
    const raws = own.map(([, raw]) => raw);
    const at = (index: number) => ({ time: own[index]?.[0] ?? 0, raw: own[index]?.[1] ?? 0 });
    return {
      start,
      width: HALF_HOUR,
      count: own.length,
      sum: raws.reduce((sum, raw) => sum + raw, 0),
      lowest: at(raws.indexOf(Math.min(...raws))),
      highest: at(raws.lastIndexOf(Math.max(...raws))),
    };
  });
}

const task = async (now: number) => {
  await writeRollups(db(), now);
  await judgePlants(db(), now);
  await saveWaterings(db());
};
const told = async () =>
  (await listWaterings(db(), {})).map(({ datetime, before, after }) => ({
    before: { time: Date.parse(datetime), raw: before },
    after,
  }));

/** Three months of a pot that is watered every few days; at times its sensor is in the air, or off. */
const history = fc
  .record({
    every: fc.constantFrom(30, 60),
    pauses: fc.array(fc.integer({ min: 2 * 24, max: 9 * 24 }), { minLength: 12, maxLength: 16 }),
    gap: fc.record({ day: fc.integer({ min: 5, max: 80 }), hours: fc.integer({ min: 3, max: 60 }) }),
  })
  .map(({ every, pauses, gap }) => {
    const from = Math.floor((NOW - 90 * DAY) / HOUR) * HOUR;
    let at = from;
    const watered = pauses.map((hours) => [(at += hours * HOUR) + 7 * MINUTE, 420] as const);
    const silence = from + gap.day * DAY;
    return potHistory({ from, to: NOW, every: every * MINUTE, raw: 500, perDay: 25, watered }).filter(
      ([time]) => time < silence || time > silence + gap.hours * HOUR,
    );
  });

test('PLT-20 PLT-8 waterings are those of all readings, however late they come and whenever they are looked for', async () => {
  let seen = 0;
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.array(fc.nat(9), { minLength: 9, maxLength: 9 }),
      async (readings, delays) => {
        await freshDatabase();
        const size = Math.ceil(readings.length / delays.length);
        const batches = delays
          .map((delay, n) => ({
            place: n + (delay > 6 ? delay - 5 : 0),
            batch: readings.slice(n * size, (n + 1) * size),
          }))
          .toSorted((a, b) => a.place - b.place);
        let newest = 0;
        for (const { batch } of batches) {
          await tellReadings(
            env.PLANTS_DB,
            batch.map(([at, raw]) => ['fern', at, raw] as const),
          );
          newest = Math.max(newest, ...batch.map(([at]) => at));
          await task(newest + HOUR);
        }
        await task(NOW + HOUR);
        await removeReadingsBefore(db(), NOW - 7 * DAY);
        const expected = findWaterings(halfHours(readings));
        expect(await told()).toEqual(expected.map(({ before, after }) => ({ before, after: after.raw })));
        seen += expected.length;
        kept +=
          (await env.PLANTS_DB.prepare('SELECT count(*) AS n FROM plant_waterings').first<number>('n')) ?? 0;
      },
    ),
    propertyRuns(4, 40),
  );
  expect(seen).toBeGreaterThan(20);
  expect(kept).toBeGreaterThan(20);
});

test('PLT-20 what comes while waterings are kept makes nothing of it wrong', async () => {
  const watered = [[NOW - 6 * DAY, 400]] as const;
  const pot = potHistory({ from: NOW - 20 * DAY, to: NOW, every: HOUR, raw: 500, perDay: 20, watered });
  const [last] = pot.slice(-1);
  const others = pot.slice(0, -1).map(([at, raw]) => ['fern', at, raw] as const);
  await tellReadings(env.PLANTS_DB, others);
  await writeRollups(db(), NOW);
  await judgePlants(db(), NOW);
  const whileItWrites = database(
    new Proxy(env.PLANTS_DB, {
      get(target, name) {
        if (name !== 'batch') return Reflect.get(target, name).bind(target);
        return async (statements: D1PreparedStatement[]) => {
          await tellReadings(env.PLANTS_DB, [['fern', last?.[0] ?? 0, last?.[1] ?? 0]]);
          return await target.batch(statements);
        };
      },
    }),
  );
  expect(await saveWaterings(whileItWrites)).toEqual({ waterings: 0 });
  expect(await told()).toHaveLength(1);
  expect(await saveWaterings(db())).toEqual({ waterings: 1 });
  expect(await told()).toHaveLength(1);
});

const startOf = (hours: number) => Math.floor((NOW - hours * HOUR) / FINEST) * FINEST;

/** Stores waterings of both plants, so many hours ago. */
async function keepAt(hours: readonly number[]): Promise<void> {
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare('UPDATE plant_states SET waterings_until = ?').bind(startOf(96)),
    ...hours.map((ago) =>
      env.PLANTS_DB.prepare(
        `INSERT INTO plant_waterings (plant_id, before_at, before, top_at, top)
         SELECT id, ?1, 800, ?2, 300 FROM plants`,
      ).bind(NOW - ago * HOUR, NOW - ago * HOUR + HALF_HOUR),
    ),
  ]);
}

/** A plant's stored waterings in hours ago, the newest first, and until when waterings were searched. */
async function knownOf(plant: string) {
  const { results } = await env.PLANTS_DB.prepare(
    'SELECT before_at FROM plant_waterings JOIN plants ON id = plant_id WHERE topic = ? ORDER BY before_at DESC',
  )
    .bind(plant)
    .all<{ before_at: number }>();
  const until = await env.PLANTS_DB.prepare(
    'SELECT waterings_until FROM plant_states JOIN plants ON id = plant_id WHERE topic = ?',
  )
    .bind(plant)
    .first<number>('waterings_until');
  return { kept: results.map(({ before_at: at }) => (NOW - at) / HOUR), until };
}

const ALL = [100, 200, 300];

test.each([
  ['none in time', [0], ALL, startOf(96)],
  ['none within a day of what is kept', [20], ALL, startOf(96)],
  ['those that it may have changed', [150], [300], startOf(150) - 3 * DAY],
  ['those since the earliest of several', [0, 50, 290], [], startOf(290) - 3 * DAY],
  ['none that is older than the readings that are kept', [4000, 20], ALL, startOf(96)],
])('PLT-20 a late reading takes back, of its own plant, %s', async (_, hours, kept, until) => {
  await postReadings(['fern', 'moss'].map((plant) => reading({ plant })));
  await keepAt(ALL);
  await env.PLANTS_DB.prepare('INSERT INTO plant_retention (id, since) VALUES (1, ?)')
    .bind(startOf(3000))
    .run();
  await postReadings(hours.map((late, seq) => reading({ datetime: instant(-late * HOUR), seq })));
  expect(await knownOf('fern')).toEqual({ kept, until });
  expect(await knownOf('moss')).toEqual({ kept: ALL, until: startOf(96) });
});
