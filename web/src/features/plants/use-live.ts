import type { LiveMessage } from '#contract/plants-socket';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { awaitingQuery } from '../../lib/awaiting.ts';
import { onLoginChange } from '../../lib/login-state.ts';
import { LiveConnection, type LiveState } from './live.ts';
import { withStates } from './history.ts';
import { statesQuery, wateringsKey } from './queries.ts';
import { WateringWatch } from './watering-watch.ts';

const address = () => `${location.origin.replace(/^http/, 'ws')}/api/plants/live`;

/** Has the screen told of what arrives while it is open, and says whether it is. */
export function useLive(): LiveState {
  const queryClient = useQueryClient();
  const [state, setState] = useState<LiveState>('opening');
  useEffect(() => {
    const watch = new WateringWatch();
    const connection = new LiveConnection(address(), {
      tell: (message) => take(queryClient, message, watch),
      show: setState,
    });
    // Somebody who has signed in again need not wait.
    const forget = onLoginChange(() => connection.open());
    return () => {
      forget();
      connection.close();
    };
  }, [queryClient]);
  useEffect(() => {
    // It also tells whether the session has ended, or the connection to everything.
    if (state === 'lost') void queryClient.invalidateQueries({ queryKey: statesQuery.queryKey });
  }, [queryClient, state]);
  return state;
}

function take(queryClient: QueryClient, message: LiveMessage, watch: WateringWatch): void {
  const { queryKey } = statesQuery;
  const before = queryClient.getQueryData(queryKey);
  // A change of a list that is not there is nothing.
  if (!before && !message.whole) return;
  const after = withStates(before ?? [], message);
  queryClient.setQueryData(queryKey, after);
  const alerts = (states: typeof after) => states.filter(({ alert_since }) => alert_since !== null).length;
  if (before && alerts(before) !== alerts(after)) {
    void queryClient.invalidateQueries({ queryKey: awaitingQuery.queryKey });
  }
  if (watch.hasSeenWater(message.states)) {
    void queryClient.invalidateQueries({ queryKey: wateringsKey });
    void queryClient.invalidateQueries({ queryKey });
  }
}
