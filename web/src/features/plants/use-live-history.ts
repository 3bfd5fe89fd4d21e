import { DAY_MS } from '#contract/time';
import type { PlantState } from '#contract/plants';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { onServerClock, serverNow } from '../../lib/server-time.ts';
import { hasMissed, withNewest } from './history.ts';
import type { LiveState } from './live.ts';
import { boundsOf, historyQuery, REFETCH_MS, refetchIntervals, statesQuery } from './queries.ts';
import type { ReadingQuery } from './range.ts';

/** Longer ranges are loaded again less often, because a late reading would be invisible in them. */
const LONG_MS = 8 * DAY_MS;
/** Minimum time between two loads of a shorter range, in milliseconds. */
const REREAD_SHORT_MS = 3000;

/**
 * The readings of a range, kept up to date by appending new readings.
 * @param query a stable object
 * @param isKnown false while the wanted range is unknown
 */
export function useLiveHistory(query: ReadingQuery, live: LiveState, isKnown: boolean) {
  const queryClient = useQueryClient();
  const history = useQuery({
    ...historyQuery(query),
    enabled: isKnown,
    refetchInterval: query.stretch ? false : refetchIntervals(live).history,
  });
  const { data: states } = useQuery(statesQuery);
  const seen = useRef<PlantState[]>(undefined);
  const mustReread = useRef(false);

  const { isPlaceholderData, isFetching, dataUpdatedAt, refetch } = history;
  useEffect(() => {
    if (!states || dataUpdatedAt === 0 || isPlaceholderData) return undefined;
    const now = serverNow();
    const { from } = boundsOf(query, now);
    const scope = { plants: query.plants, from };
    if (seen.current && hasMissed(seen.current, states, scope)) mustReread.current = true;
    seen.current = states;
    // Keeps the update time, because the other data is as old as before.
    queryClient.setQueryData(historyQuery(query).queryKey, (old) => old && withNewest(old, states, scope), {
      updatedAt: dataUpdatedAt,
    });
    const isLong = from === undefined || now - from > LONG_MS;
    if (!mustReread.current || isFetching) return undefined;
    const age = now - onServerClock(dataUpdatedAt);
    const timer = setTimeout(
      () => {
        mustReread.current = false;
        void refetch();
      },
      Math.max(0, (isLong ? REFETCH_MS : REREAD_SHORT_MS) - age),
    );
    return () => clearTimeout(timer);
  }, [queryClient, query, states, dataUpdatedAt, isPlaceholderData, isFetching, refetch]);
  return history;
}
