import { HOUR_MS, MINUTE_MS } from '#contract/time';
import {
  DEFAULT_POINTS_PER_REQUEST,
  type PlantChange,
  type PlantRecord,
  type PlantState,
  type Watering,
} from '#contract/plants';
import {
  keepPreviousData,
  mutationOptions,
  queryOptions,
  type MutationFunctionContext,
} from '@tanstack/react-query';
import { readJson, api } from '../../lib/api.ts';
import { awaitingQuery } from '../../lib/awaiting.ts';
import { serverNow } from '../../lib/server-time.ts';
import { buildHistory } from './history.ts';
import type { LiveState } from './live.ts';
import { rangeStart, type ReadingQuery, type TimeSpan } from './range.ts';

/** Milliseconds between two requests for the states while there is no live connection. */
const ASK_MS = 30_000;
/** Minimum time before a whole range is loaded again; in between, new readings are appended. */
export const REFETCH_MS = MINUTE_MS;
/** Up to this many plants get a request each. A request for all would waste points on unselected plants. */
const ASKED_ALONE_MAX = 8;
/** Share of the time range that is also loaded at either end, so that lines reach the edges of the chart. */
const MARGIN = 0.02;

type Bounds = { from?: number | undefined; to?: number | undefined };

/** The start and end of the requested readings. */
export function boundsOf({ range, stretch }: ReadingQuery, now: number): Bounds {
  return stretch ?? { from: rangeStart(range, now) };
}

function boundsQuery({ from, to }: Bounds): { from?: string; to?: string } {
  return {
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(to !== undefined && { to: new Date(to).toISOString() }),
  };
}

const queryKeyOf = ({ range, stretch }: ReadingQuery) => (stretch ? [stretch.from, stretch.to] : [range]);

const plantsKey = ['plants'];
export const wateringsKey = [...plantsKey, 'waterings'];

/**
 * Polling interval of each query, in milliseconds. With a live connection, messages append new readings, and
 * missed readings or waterings trigger a request; the hourly request only renews downsampled points.
 */
export const refetchIntervals = (live: LiveState) =>
  live === 'disconnected'
    ? { states: ASK_MS, history: REFETCH_MS, waterings: REFETCH_MS }
    : { states: HOUR_MS, history: HOUR_MS, waterings: HOUR_MS };

const statesKey = [...plantsKey, 'states'];

export const statesQuery = queryOptions({
  queryKey: statesKey,
  queryFn: async ({ signal, client }): Promise<PlantState[]> => {
    const askedAt = Date.now();
    const states = await readJson(api.plants.states.$get({}, { init: { signal } }));
    const { data: told, dataUpdatedAt = 0 } = client.getQueryState<PlantState[]>(statesKey) ?? {};
    // A live message that arrived during the request is newer than the response.
    return told && dataUpdatedAt >= askedAt ? told : states;
  },
});

export const historyQuery = (query: ReadingQuery) =>
  queryOptions({
    queryKey: [...plantsKey, 'history', query.plants ?? 'all', ...queryKeyOf(query)],
    queryFn: async ({ signal }) => {
      const { from, to } = boundsOf(query, serverNow());
      const margin = from !== undefined && to !== undefined ? (to - from) * MARGIN : 0;
      const wide = { from: from && from - margin, to: to && to + margin };
      return buildHistory(await fetchRecords(query.plants, wide, signal));
    },
    // Comparing maps of thousands of readings would take longer than rendering them.
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });

async function fetchRecords(
  plants: readonly string[] | undefined,
  bounds: Bounds,
  signal: AbortSignal,
): Promise<PlantRecord[]> {
  if (plants && plants.length <= ASKED_ALONE_MAX) {
    const points = Math.floor(DEFAULT_POINTS_PER_REQUEST / Math.max(1, plants.length));
    const answers = await Promise.all(
      plants.map((plant) => readReadings({ plant, ...bounds }, points, signal)),
    );
    return answers.flat();
  }
  const records = await readReadings(bounds, DEFAULT_POINTS_PER_REQUEST, signal);
  return plants ? records.filter(({ plant }) => plants.includes(plant)) : records;
}

async function readReadings(
  { plant, ...bounds }: Bounds & { plant?: string },
  points: number,
  signal: AbortSignal,
): Promise<PlantRecord[]> {
  const query = { points: String(points), ...(plant !== undefined && { plant }), ...boundsQuery(bounds) };
  return await readJson(api.plants.$get({ query }, { init: { signal } }));
}

async function readWaterings(bounds: Bounds, signal: AbortSignal): Promise<Watering[]> {
  return await readJson(api.plants.waterings.$get({ query: boundsQuery(bounds) }, { init: { signal } }));
}

/** Waterings of every plant, so that another selection needs no request. */
export const wateringsQuery = (query: ReadingQuery) =>
  queryOptions({
    queryKey: [...wateringsKey, ...queryKeyOf(query)],
    queryFn: ({ signal }) => readWaterings(boundsOf(query, serverNow()), signal),
    placeholderData: keepPreviousData,
  });

/** The hidden plants, and removed plants of which data remains. */
export const hiddenPlantsQuery = queryOptions({
  queryKey: [...plantsKey, 'hidden'],
  queryFn: ({ signal }) => readJson(api.plants.hidden.$get({}, { init: { signal } })),
});

/** Options of a mutation of a plant. Alerts are loaded again, because alerts may begin, end or be renamed. */
const changing = (done: string) => ({
  onSuccess: (_answer: unknown, _change: unknown, _result: unknown, { client }: MutationFunctionContext) =>
    client.invalidateQueries({ queryKey: awaitingQuery.queryKey }),
  meta: { done, reload: plantsKey },
});

export const savePlantSettingsMutation = mutationOptions({
  mutationFn: ({ topic, settings }: { topic: string; settings: PlantChange }) =>
    readJson(api.plants.settings.$put({ query: { topic }, json: settings })),
  ...changing('변경 완료'),
});

/** A plant and the version that the user saw. */
type Seen = { topic: string; version: number };

export const hidePlantMutation = mutationOptions({
  mutationFn: ({ topic, version }: Seen) =>
    api.plants.hidden.$put({ query: { topic }, json: { is_hidden: true, version } }),
  ...changing('숨김 완료'),
});

export const showPlantMutation = mutationOptions({
  mutationFn: ({ topic, version }: Seen) =>
    api.plants.hidden.$put({ query: { topic }, json: { is_hidden: false, version } }),
  ...changing('다시 표시 완료'),
});

export const removePlantMutation = mutationOptions({
  mutationFn: ({ topic, version }: Seen) =>
    api.plants.$delete({ query: { topic, version: String(version) } }),
  ...changing('삭제 완료'),
});

/** URL of all readings of a plant as a file. */
export const wholeCsvUrl = (plant: string) => `/api/plants/csv?${new URLSearchParams({ plant })}`;

/** URL of the chart's data as a file; undefined if no plant is shown. */
export function csvUrl({ range, stretch, plants }: ReadingQuery, { from, to }: TimeSpan): string | undefined {
  if (plants?.length === 0) return undefined;
  // The chart of all readings starts at the first received reading, but the server may have older readings.
  const isAll = stretch === undefined && rangeStart(range, to) === undefined;
  const query = new URLSearchParams(boundsQuery({ from: isAll ? undefined : from, to }));
  for (const plant of plants ?? []) query.append('plant', plant);
  return `/api/plants/csv?${query}`;
}
