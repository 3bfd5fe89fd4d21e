import { createFileRoute } from '@tanstack/react-router';
import { serverNow } from '../../lib/server-time.ts';
import { historyQuery, statesQuery } from '../../features/plants/queries.ts';
import { pastOf, readSearch } from '../../features/plants/range.ts';
import { PlantsScreen } from '../../features/plants/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_plants')({
  staticData: { onForbidden: 'back' },
  codeSplitGroupings: [['component', 'loader']],
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps, preload }) => {
    // Hovering over the link must not navigate when the response is a 403.
    if (preload) return;
    void queryClient.prefetchQuery(statesQuery);
    void queryClient.prefetchQuery(historyQuery(pastOf(readSearch(deps, serverNow()))));
  },
  component: PlantsScreen,
});
