import {
  findWaterings,
  MOISTURE_RAW_MAX,
  plantPercent,
  WATERING_RISE,
  WATERING_WITHIN_MS,
  type Sample,
} from '#contract/moisture';
import type { Watering } from '#contract/plants';
import type { Database } from '#db/client';
import { bounds, CHOSEN, TIME, VALUE, type ReadingRange } from './data.ts';
import { FINEST, ROLLUP_WIDTHS } from './pyramid.ts';

const [, HALF_HOUR, HOURS, DAY] = ROLLUP_WIDTHS;
/** What is looked at around a half hour in which soil became wetter, so that the rule sees how it came and went. */
const BEFORE_MS = 2 * HALF_HOUR;
const AFTER_MS = 3 * HALF_HOUR;
/** So many half hours are looked at, the newest ones: a loose wire makes every one of them wetter than the last. */
const MOST = 3000;

/**
 * Stretches of a width, inside of those of `parents`, in which soil became so much wetter: their lowest value against
 * their own highest and that of the stretch before, of which none is shorter than the half hour of a watering.
 */
const wetter = (width: number, parents: string, parentWidth: number) => `
  SELECT rollup.plant_id, rise, rollup.start
  FROM ${parents} AS parents CROSS JOIN plant_rollups AS rollup
    ON rollup.plant_id = parents.plant_id AND rollup.width = ${width}
      AND rollup.start >= parents.start AND rollup.start < parents.start + ${parentWidth}
  WHERE max(${VALUE('rollup.highest')}, coalesce((
      SELECT ${VALUE('highest')} FROM plant_rollups AS earlier
      WHERE earlier.plant_id = rollup.plant_id AND earlier.width = ${width}
        AND earlier.start = rollup.start - ${width}), 0)) - ${VALUE('rollup.lowest')} >= rise`;

const SAMPLES = `
  WITH ${CHOSEN},
    every_day AS (
      SELECT plant_id, start, ${WATERING_RISE / 100} * (coalesce(dry, ${MOISTURE_RAW_MAX}) - coalesce(wet, 0)) AS rise
      FROM chosen CROSS JOIN plant_states USING (plant_id) CROSS JOIN plant_rollups USING (plant_id)
      WHERE width = ${DAY} AND start > ?2 - ${DAY} AND start < ?3 + ${BEFORE_MS}),
    days AS (${wetter(DAY, 'every_day', DAY)}),
    hours AS (${wetter(HOURS, 'days', DAY)}),
    half_hours AS (${wetter(HALF_HOUR, 'hours', HOURS)})
  SELECT DISTINCT name, dry, wet, start,
    ${TIME('lowest')} AS lowest_at, ${VALUE('lowest')} AS lowest,
    ${TIME('highest')} AS highest_at, ${VALUE('highest')} AS highest
  FROM (SELECT plant_id, start AS wet_start FROM half_hours ORDER BY start DESC LIMIT ${MOST})
    CROSS JOIN chosen USING (plant_id) CROSS JOIN plant_states USING (plant_id)
    CROSS JOIN plant_rollups USING (plant_id)
  WHERE width = ${FINEST}
    AND start >= wet_start - ${BEFORE_MS} AND start < wet_start + ${HALF_HOUR + AFTER_MS}
  ORDER BY name, start`;

type Stretch = {
  name: string;
  dry: number | null;
  wet: number | null;
  lowest_at: number;
  lowest: number;
  highest_at: number;
  highest: number;
};

type RawSample = Sample & { raw: number };

/**
 * Waterings whose last reading before the water lies in the range, oldest first: the rule's, applied to the lowest and
 * the highest reading of every five minutes.
 */
export async function listWaterings({ $client }: Database, range: ReadingRange): Promise<Watering[]> {
  const [plant, from, to] = bounds(range);
  const { results } = await $client.prepare(SAMPLES).bind(plant, from, to).all<Stretch>();
  const byPlant = Map.groupBy(results, ({ name }) => name);
  return [...byPlant]
    .flatMap(([name, stretches]) => wateringsOf(name, stretches))
    .filter(({ time }) => time >= from && time < to)
    .sort((a, b) => a.time - b.time)
    .map(({ plant: of, time, before, after }) => ({
      plant: of,
      datetime: new Date(time).toISOString(),
      before,
      after,
    }));
}

type RawWatering = { plant: string; time: number; before: number; after: number };

/** The rule looks no further than half an hour from one sample to the next: what lies apart is looked at apart. */
function wateringsOf(plant: string, stretches: Stretch[]): RawWatering[] {
  const runs: RawSample[][] = [];
  for (const sample of stretches.flatMap(samplesOf)) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && sample.time - last.time <= WATERING_WITHIN_MS) run.push(sample);
    else runs.push([sample]);
  }
  return runs.flatMap((samples) => wateringsIn(plant, samples));
}

/** Each is found by its place, not by searching: a sensor whose wire hangs loose shows waterings without end. */
function wateringsIn(plant: string, samples: RawSample[]): RawWatering[] {
  const placeOf = new Map(samples.map(({ time, percent }, place) => [`${time} ${percent}`, place]));
  const rawAt = (place: number) => {
    const sample = samples[place];
    if (!sample) throw new Error('a watering is of samples that are not there');
    return sample.raw;
  };
  return findWaterings(samples).map(({ time, before, after }) => {
    const place = placeOf.get(`${time} ${before}`) ?? samples.length;
    let top = place;
    while (top < samples.length && samples[top]?.percent !== after) top += 1;
    return { plant, time, before: rawAt(place), after: rawAt(top) };
  });
}

function samplesOf({ dry, wet, ...stretch }: Stretch): RawSample[] {
  const calibration = dry === null || wet === null ? undefined : { dry, wet };
  const sample = (time: number, raw: number) => ({ time, raw, percent: plantPercent(raw, calibration) });
  const lowest = sample(stretch.lowest_at, stretch.lowest);
  const highest = sample(stretch.highest_at, stretch.highest);
  if (lowest.time === highest.time && lowest.raw === highest.raw) return [lowest];
  return lowest.time < highest.time ? [lowest, highest] : [highest, lowest];
}
