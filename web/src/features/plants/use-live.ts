import type { LiveMessage } from '#contract/plants-socket';
import { useQueryClient, type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useState, useRef, startTransition } from 'react';
import { DAY_MS } from '#contract/time';
import type { PlantState } from '#contract/plants';
import { awaitingQuery } from '../../lib/awaiting.ts';
import { onLoginChange } from '../../lib/login-state.ts';
import { LiveConnection, type LiveState } from './live.ts';
import { applyLiveMessage, hasMissedReadings, withNewest } from './history.ts';
import {
  statesQuery,
  wateringsKey,
  boundsOf,
  historyQuery,
  REFETCH_MS,
  refetchIntervals,
} from './queries.ts';
import { toServerTime, serverNow } from '../../lib/server-time.ts';
import type { ReadingQuery } from './range.ts';
import { roundedNow } from './chart-plot.ts';

const address = () => `${location.origin.replace(/^http/, 'ws')}/api/plants/live`;

/** Keeps a live connection while the screen is open, and returns its state. */
export function useLiveConnection(): LiveState {
  const queryClient = useQueryClient();
  const [state, setState] = useState<LiveState>('opening');
  useEffect(() => {
    const connection = new LiveConnection(address(), {
      tell: (message) => take(queryClient, message),
      show: setState,
    });
    // After signing in again, reconnects without waiting.
    const forget = onLoginChange(() => connection.open());
    return () => {
      forget();
      connection.close();
    };
  }, [queryClient]);
  useEffect(() => {
    // This request also shows whether the session has ended or the network is down.
    if (state === 'disconnected') void queryClient.invalidateQueries({ queryKey: statesQuery.queryKey });
  }, [queryClient, state]);
  return state;
}

function take(queryClient: QueryClient, message: LiveMessage): void {
  const { queryKey } = statesQuery;
  const before = queryClient.getQueryData(queryKey);
  // A message with changes only is ignored while the list is not loaded.
  if (!before && !message.whole) return;
  const after = applyLiveMessage(before ?? [], message);
  queryClient.setQueryData(queryKey, after);
  const alerts = (states: typeof after) => states.filter(({ alert_since }) => alert_since !== null).length;
  if (before && alerts(before) !== alerts(after)) {
    void queryClient.invalidateQueries({ queryKey: awaitingQuery.queryKey });
  }
  const wateredAt = new Map(before?.map(({ topic, last_watered: at }) => [topic, at]));
  if (after.some(({ topic, last_watered: at }) => at !== null && wateredAt.get(topic) !== at)) {
    void queryClient.invalidateQueries({ queryKey: wateringsKey });
  }
}

/** Ranges longer than this are loaded again less often, because a late reading would be invisible in them. */
const LONG_MS = 8 * DAY_MS;
/** Minimum time between two loads of a shorter range, in milliseconds. */
const REREAD_SHORT_MS = 3000;

/**
 * Loads the readings of a range, and appends new readings.
 * @param query must be the same object in every rendering, until another range is wanted
 * @param isKnown false while the wanted range is unknown; then nothing is loaded
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
    if (seen.current && hasMissedReadings(seen.current, states, scope)) mustReread.current = true;
    seen.current = states;
    // Keeps the update time, because only the newest readings were updated.
    queryClient.setQueryData(historyQuery(query).queryKey, (old) => old && withNewest(old, states, scope), {
      updatedAt: dataUpdatedAt,
    });
    const isLong = from === undefined || now - from > LONG_MS;
    if (!mustReread.current || isFetching) return undefined;
    const age = now - toServerTime(dataUpdatedAt);
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

/** End of a live time range of this length in milliseconds; see `roundedNow`. */
export function useRoundedNow(span: number): number {
  const [end, setEnd] = useState(() => roundedNow(serverNow(), span));
  useEffect(() => {
    // A new end renders all lines again. Without a transition, this would block input.
    const follow = () => startTransition(() => setEnd(roundedNow(serverNow(), span)));
    follow();
    const timer = setInterval(follow, 1000);
    return () => clearInterval(timer);
  }, [span]);
  return end;
}
