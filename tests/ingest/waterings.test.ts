import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { findWaterings } from '#contract/moisture';
import { calibratedPercent, UNCALIBRATED } from '#contract/moisture/percent';
import { database } from '#db/client';
import { deleteRemoved, removeReadingsBefore } from '../../worker/src/plants/life-data.ts';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { keepWaterings, listWaterings } from '../../worker/src/plants/waterings-data.ts';
import { propertyRuns } from '../support/counts.ts';
import { freshDatabase, instant, NOW, postReadings, reading, stored } from './support.ts';

const options = propertyRuns(20, 150);

const MINUTE = 60_000;
const FINEST = 5 * MINUTE;

beforeEach(freshDatabase);

const db = () => database(env.PLANTS_DB);
type Stored = Awaited<ReturnType<typeof stored>>[number];

/** What the rule sees in the lowest and highest readings of every five minutes. */
function recomputed(readings: Stored[], { dry, wet } = UNCALIBRATED) {
  const intervals = Map.groupBy(readings, ({ measured_at: at }) => Math.floor(at / FINEST));
  const samples = [...intervals]
    .sort(([a], [b]) => a - b)
    .flatMap(([, own]) => {
      // In the order of time the earliest of the lowest and the latest of the highest.
      const order = own.toSorted((a, b) => a.measured_at - b.measured_at);
      const raws = order.map(({ soil_moisture: raw }) => raw);
      const lowest = order.find(({ soil_moisture: raw }) => raw === Math.min(...raws));
      const highest = order.findLast(({ soil_moisture: raw }) => raw === Math.max(...raws));
      if (!lowest || !highest) return [];
      if (lowest === highest) return [lowest];
      return lowest.measured_at < highest.measured_at ? [lowest, highest] : [highest, lowest];
    })
    .map(({ measured_at: time, soil_moisture: raw }) => ({
      time,
      percent: calibratedPercent(raw, { dry, wet }),
    }));
  return findWaterings(samples).map(({ time, before, after }) => ({ time, before, after }));
}

const waterings = (asked = {}) => listWaterings(db(), asked);

/** A day of soil: it mostly dries, is watered, soaks for long, and now and then a sensor is out or silent. */
const step = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({ pause: fc.constantFrom(5, 10), by: fc.integer({ min: -6, max: 8 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ pause: fc.constantFrom(2, 10), by: fc.integer({ min: -500, max: -80 }) }),
  },
  { weight: 1, arbitrary: fc.record({ pause: fc.constant(10), by: fc.integer({ min: 60, max: 500 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ pause: fc.constantFrom(15, 25), by: fc.integer({ min: -20, max: -1 }) }),
  },
  { weight: 1, arbitrary: fc.record({ pause: fc.integer({ min: 5, max: 900 }), by: fc.constant(0) }) },
);
const walk = fc.array(step, { minLength: 40, maxLength: 160 }).map((steps) => {
  let minute = 0;
  let raw = 600;
  return steps.map(({ pause, by }) => {
    minute += pause;
    raw = Math.min(1023, Math.max(0, raw + by));
    return { minute, raw };
  });
});

const calibration = fc.option(
  fc.record({ dry: fc.integer({ min: 600, max: 1000 }), wet: fc.integer({ min: 0, max: 400 }) }),
);
/** What happens between two batches; `hours` are those before now. */
const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('task' as const),
      hours: fc.integer({ min: 0, max: 40 }),
      isTogether: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('calibration' as const), calibration }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('retention' as const), hours: fc.integer({ min: 4, max: 60 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removal' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('again' as const), which: fc.nat(50) }) },
);

test('PLT-8 waterings are those of all readings, however they come, whatever is kept, removed or calibrated anew', async () => {
  let seen = 0;
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({ fern: walk, moss: walk }),
      fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
      fc.array(event, { minLength: 8, maxLength: 8 }),
      fc.tuple(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 1, max: 4000 })),
      async (walks, order, events, [ago, length]) => {
        await freshDatabase();
        const sent = Object.entries(walks).flatMap(([plant, points]) => {
          const last = points.at(-1)?.minute ?? 0;
          return points.map(({ minute, raw }, seq) => {
            const datetime = instant((minute - last - 1) * MINUTE);
            return reading({ plant, datetime, received_at: datetime, soil_moisture: raw, seq });
          });
        });
        // In order, but for stretches that come as late as they like.
        const size = Math.ceil(sent.length / order.length);
        const byTime = sent.toSorted((a, b) => String(a['datetime']).localeCompare(String(b['datetime'])));
        const batches = order
          .map((late, at) => ({
            late: late % 3 === 0 ? late % 10 : at,
            batch: byTime.slice(at * size, (at + 1) * size),
          }))
          .toSorted((a, b) => a.late - b.late)
          .map(({ batch }) => batch)
          .filter((batch) => batch.length > 0);
        const calibrations = new Map<string, { dry: number; wet: number }>();
        const ever = new Map<string, Stored>();
        const note = async () => {
          for (const one of await stored()) ever.set(`${one.plant} ${one.measured_at} ${one.seq}`, one);
        };
        for (const [at, batch] of batches.entries()) {
          const what = events[at];
          const task = async () => {
            await writeRollups(db(), NOW - (what?.kind === 'task' ? what.hours : 0) * 60 * MINUTE);
            await keepWaterings(db());
          };
          const isTogether = what?.kind === 'task' && what.isTogether;
          await Promise.all([postReadings(batch), ...(isTogether ? [task(), keepWaterings(db())] : [])]);
          await note();
          if (what?.kind === 'task') {
            await task();
          } else if (what?.kind === 'calibration') {
            const { dry, wet } = what.calibration ?? { dry: null, wet: null };
            await env.PLANTS_DB.prepare(
              "UPDATE plant_states SET dry = ?, wet = ? WHERE plant_id = (SELECT id FROM plants WHERE topic = 'fern')",
            )
              .bind(dry, wet)
              .run();
            if (what.calibration && [...ever.values()].some(({ plant }) => plant === 'fern'))
              calibrations.set('fern', what.calibration);
            else calibrations.delete('fern');
          } else if (what?.kind === 'retention') {
            await removeReadingsBefore(db(), NOW - what.hours * 60 * MINUTE);
          } else if (what?.kind === 'removal') {
            await removeMoss();
            for (const [key, { plant }] of ever) if (plant === 'moss') ever.delete(key);
          } else if (what?.kind === 'again') {
            await postReadings(batches[what.which % (at + 1)] ?? []);
            await note();
          }
        }
        const expected = [...Map.groupBy(ever.values(), ({ plant }) => plant)]
          .flatMap(([plant, own]) =>
            recomputed(own, calibrations.get(plant)).map(({ time, before, after }) => ({
              plant,
              time,
              before,
              after,
            })),
          )
          .sort((a, b) => a.time - b.time || (a.plant < b.plant ? -1 : 1));
        const check = async (from?: number, to?: number) => {
          const inRange = expected.filter(
            ({ time }) => time >= (from ?? 0) && time < (to ?? Number.POSITIVE_INFINITY),
          );
          const found = await waterings({
            ...(from !== undefined && { from }),
            ...(to !== undefined && { to }),
          });
          expect(
            found.map(({ plant, datetime, before, after }) => {
              const limits = calibrations.get(plant) ?? UNCALIBRATED;
              return {
                plant,
                time: Date.parse(datetime),
                before: calibratedPercent(before, limits),
                after: calibratedPercent(after, limits),
              };
            }),
          ).toEqual(inRange);
        };
        await check();
        await check(NOW - (ago + length) * MINUTE, NOW - ago * MINUTE);
        await keepWaterings(db());
        await check();
        seen += expected.length;
        kept +=
          (await env.PLANTS_DB.prepare('SELECT count(*) AS n FROM plant_waterings').first<number>('n')) ?? 0;
      },
    ),
    options,
  );
  expect(seen).toBeGreaterThan(50);
  expect(kept).toBeGreaterThan(10);
});

/** As somebody removes it, and the daily task deletes what it left behind. */
async function removeMoss(): Promise<void> {
  const isMoss = "SELECT id FROM plants WHERE topic = 'moss'";
  await env.PLANTS_DB.batch(
    [
      `INSERT INTO plant_removals (plant_id, name, removed_at, readings_left) SELECT id, name, 0, 0 FROM plants WHERE topic = 'moss'`,
      `DELETE FROM plant_states WHERE plant_id IN (${isMoss})`,
      "UPDATE plants SET name = '/' || id, topic = '/' || id WHERE topic = 'moss'",
    ].map((query) => env.PLANTS_DB.prepare(query)),
  );
  await deleteRemoved(db());
}

test('PLT-8 what comes or is done while waterings are looked for makes nothing of it wrong', async () => {
  // Watered a day ago: 40 %, then 70 % for hours.
  const at = (minute: number) => instant(-24 * 60 * MINUTE + minute * MINUTE);
  const readings = Array.from({ length: 60 }, (_, n) =>
    reading({ datetime: at(n * 10), received_at: at(n * 10), soil_moisture: n < 30 ? 614 : 307, seq: n }),
  );
  const late = reading({ datetime: at(312), received_at: at(312), soil_moisture: 700, seq: 99 });
  const whileItWrites = (act: () => Promise<void>) =>
    database(
      new Proxy(env.PLANTS_DB, {
        get(target, name) {
          if (name !== 'batch') return Reflect.get(target, name).bind(target);
          return async (statements: D1PreparedStatement[]) => {
            await act();
            return await target.batch(statements);
          };
        },
      }),
    );
  const comes = async () => {
    await postReadings([late]);
  };
  const comesAndIsSeen = async () => {
    await comes();
    await keepWaterings(db());
  };
  for (const [act, puttingBack] of [
    [comes, false],
    [comesAndIsSeen, false],
    [comes, true],
    [comesAndIsSeen, true],
  ] as const) {
    await freshDatabase();
    await postReadings(readings);
    await writeRollups(db(), NOW);
    expect(await waterings()).toHaveLength(1);
    if (puttingBack) {
      await keepWaterings(db());
      await postReadings([{ ...late, seq: 98, soil_moisture: 320 }]);
    }
    await keepWaterings(whileItWrites(act));
    // The wet soil did not last.
    expect(await waterings()).toEqual([]);
    await keepWaterings(db());
    expect(await waterings()).toEqual([]);
  }
});

const interval = (minutes: number) => Math.floor((NOW - minutes * MINUTE) / FINEST) * FINEST;

/** Waterings of both plants so many minutes ago, each with its top. */
async function keepAt(tops: Record<number, number>): Promise<void> {
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare('UPDATE plant_states SET waterings_until = ?').bind(interval(45)),
    ...Object.entries(tops).map(([minutes, top]) =>
      env.PLANTS_DB.prepare(
        `INSERT INTO plant_waterings (plant_id, before_at, before, top_at, top)
         SELECT id, ?1, 800, ?2, 300 FROM plants`,
      ).bind(NOW - Number(minutes) * MINUTE, NOW - top * MINUTE),
    ),
  ]);
}

/** What is known of a plant: minutes ago of its waterings, the newest first, and until when they were looked for. */
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
  return { kept: results.map(({ before_at: at }) => (NOW - at) / MINUTE), until };
}

const ALL = [100, 200, 300];
const ago = (minutes: number) => NOW - minutes * MINUTE;

test.each([
  ['none in time', [0], ALL, interval(45)],
  ['none that was over before', [20], ALL, ago(90)],
  ['one that was not over', [95], [200, 300], ago(150)],
  ['one that began before and whose top is near', [130], [300], ago(290)],
  [
    'all since the earliest of several, and looks for them in a month',
    [0, 330, 95],
    [],
    interval(330) - 30 * 24 * 60 * MINUTE,
  ],
  ['none that is older than the readings that are kept', [4000, 20], ALL, ago(90)],
])('PLT-8 a late reading takes back, of its own plant, %s', async (_, minutes, kept, until) => {
  await postReadings(['fern', 'moss'].map((plant) => reading({ plant })));
  await keepAt({ 100: 90, 200: 150, 300: 290 });
  await env.PLANTS_DB.prepare('INSERT INTO plant_retention (id, since) VALUES (1, ?)')
    .bind(interval(3000))
    .run();
  await postReadings(minutes.map((late, seq) => reading({ datetime: instant(-late * MINUTE), seq })));
  expect(await knownOf('fern')).toEqual({ kept, until });
  expect(await knownOf('moss')).toEqual({ kept: ALL, until: interval(45) });
});
