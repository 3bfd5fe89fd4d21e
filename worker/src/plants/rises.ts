import { FINEST } from '#contract/rollups';
import {
  findRises,
  plantPercent,
  WATERING_WITHIN_MS,
  type Calibration,
  type Rise,
  type Sample,
} from '#contract/moisture';

/* The search for rises, which reads only what lies around the half hours in which soil became wetter. */

export type RawSample = Sample & { raw: number };
export type RawRise = Rise<RawSample>;

/** Instants in milliseconds since 1970, multiples of FINEST: `from` inclusive, `to` exclusive. */
export type Window = { from: number; to: number };

/** What is to be looked through of a plant: rises that are seen from `since` on, after one with its top at `lastTop`. */
export type Search = {
  plant: number;
  calibration: Calibration | undefined;
  since: number;
  lastTop: number | undefined;
  /** In order and apart from each other. */
  windows: Window[];
};

/** Reads the five-minute intervals of windows, in the order of time: for each window its lowest and highest readings. */
export type Load = (windows: (Window & { plant: number })[]) => Promise<Extremes[][]>;
/** The lowest and the highest raw reading of an interval, as plant_rollups packs them. */
export type Extremes = { lowest: number; highest: number };

/** So much before a rise is seen decides what it rose from. */
const BEFORE_MS = 2 * WATERING_WITHIN_MS;
/** What is read after a half hour at once; a rise that goes on longer is followed. */
const AFTER_MS = 3 * WATERING_WITHIN_MS;
const FURTHER_MS = 12 * WATERING_WITHIN_MS;

/** The windows around half hours, given by their starts in order; none goes beyond `end`. */
export function windowsAround(halfHours: readonly number[], end: number): Window[] {
  return joined(
    halfHours.map((start) => ({
      from: start - BEFORE_MS,
      to: Math.min(end, start + WATERING_WITHIN_MS + AFTER_MS),
    })),
  );
}

function joined(windows: readonly Window[]): Window[] {
  const apart: Window[] = [];
  for (const { from, to } of windows) {
    const last = apart.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else apart.push({ from, to });
  }
  return apart;
}

/** Whether a rise cannot change any more by what is measured from an instant on. */
export const isOver = ({ top }: RawRise, end: number): boolean => top.time + WATERING_WITHIN_MS < end;

/**
 * The rises of each plant in the order of time. It is as if every sample before `end` had been looked at, when the
 * windows hold every half hour in which one can be seen.
 */
export async function findEach(
  searches: readonly Search[],
  end: number,
  load: Load,
): Promise<Map<number, RawRise[]>> {
  const found = new Map(searches.map(({ plant }): [number, RawRise[]] => [plant, []]));
  let left: readonly Search[] = searches.filter(({ windows }) => windows.length > 0);
  while (left.length > 0) {
    const loaded = await load(
      left.flatMap(({ plant, windows }) => windows.map((each) => ({ ...each, plant }))),
    );
    let next = 0;
    left = left.flatMap((search) => {
      const samples = loaded.slice(next, next + search.windows.length).map((each) => samplesOf(each, search));
      next += search.windows.length;
      const rest = lookThrough(search, samples, end, found.get(search.plant) ?? []);
      return rest ? [rest] : [];
    });
  }
  return found;
}

/** Adds to `rises`, and returns what is left when one of them goes on beyond its window. */
function lookThrough(
  search: Search,
  samples: RawSample[][],
  end: number,
  rises: RawRise[],
): Search | undefined {
  let { lastTop } = search;
  for (const [at, window] of search.windows.entries()) {
    for (const rise of findRises(samples[at] ?? [], search.since, lastTop)) {
      if (window.to < end && !isOver(rise, window.to)) {
        const from = Math.floor(rise.seen.time / FINEST) * FINEST - BEFORE_MS;
        const further = { from, to: Math.min(end, window.to + FURTHER_MS) };
        const windows = joined([further, ...search.windows.slice(at + 1)]);
        return { ...search, since: rise.seen.time, lastTop, windows };
      }
      rises.push(rise);
      lastTop = rise.top.time;
    }
  }
  return undefined;
}

const TIME = 2 ** 42;

function samplesOf(intervals: readonly Extremes[], { calibration }: Search): RawSample[] {
  const sample = (packed: number): RawSample => {
    const raw = Math.floor(packed / TIME);
    return { time: packed % TIME, raw, percent: plantPercent(raw, calibration) };
  };
  return intervals.flatMap(({ lowest, highest }) => {
    if (lowest === highest) return [sample(lowest)];
    return lowest % TIME < highest % TIME
      ? [sample(lowest), sample(highest)]
      : [sample(highest), sample(lowest)];
  });
}
