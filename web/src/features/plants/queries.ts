import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { rangeStart, type RangeName } from './range.ts';

/** More points than this would not be seen on any screen. */
const HISTORY_POINTS = 1000;
/** The newest stretch, asked for often; it holds every reading, where a long range is thinned out. */
const RECENT_MINUTES = 10;

const POLL_MS = 2_500;
const POLL_LONG_MS = 60_000;

async function fetchReadings(from: string | undefined, points: number, signal: AbortSignal) {
  const query = { points: String(points), ...(from !== undefined && { from }) };
  const response = await api.plants.$get({ query }, { init: { signal } });
  return await response.json();
}

/** A range that is short enough to come unthinned is cheap and asked for often, so that late readings show. */
export const plantHistoryQuery = (range: RangeName) =>
  queryOptions({
    queryKey: ['plants', 'history', range],
    queryFn: ({ signal }) => fetchReadings(rangeStart(range, Date.now()), HISTORY_POINTS, signal),
    refetchInterval: ({ state }) =>
      (state.data?.length ?? 0) < HISTORY_POINTS / 2 && state.status !== 'error' ? POLL_MS : POLL_LONG_MS,
    meta: { onForbidden: 'back' },
  });

export const recentPlantsQuery = queryOptions({
  queryKey: ['plants', 'recent'],
  queryFn: ({ signal }) =>
    fetchReadings(new Date(Date.now() - RECENT_MINUTES * 60_000).toISOString(), 2000, signal),
  refetchInterval: POLL_MS,
  meta: { onForbidden: 'back' },
});
