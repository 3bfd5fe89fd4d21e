import type { LiveMessage } from '#contract/plants-socket';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { awaitingQuery } from '../../lib/awaiting.ts';
import { onLoginChange } from '../../lib/login-state.ts';
import { LiveConnection, type LiveState } from './live.ts';
import { withStates } from './history.ts';
import { statesQuery, wateringsKey } from './queries.ts';

const address = () => `${location.origin.replace(/^http/, 'ws')}/api/plants/live`;

/** Keeps a live connection while the screen is open, and returns its state. */
export function useLive(): LiveState {
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
  const after = withStates(before ?? [], message);
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
