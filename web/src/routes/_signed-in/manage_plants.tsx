import { createFileRoute } from '@tanstack/react-router';
import { serverNow } from '../../lib/server-time.ts';
import { historyQuery, statesQuery } from '../../features/plants/queries.ts';
import { openingRange, readingQueryOf, readPlantsSearch } from '../../features/plants/range.ts';
import { PlantsScreen } from '../../features/plants/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_plants')({
  staticData: { onForbidden: 'back' },
  codeSplitGroupings: [['component', 'loader']],
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps, preload }) => {
    // Hovering over the link preloads this route; a 403 must not redirect the user then.
    if (preload) return;
    const search = readPlantsSearch(deps, serverNow());
    void queryClient.prefetchQuery(statesQuery).then(() => {
      const states = queryClient.getQueryData(statesQuery.queryKey) ?? [];
      const opening = openingRange(states, search.plants, serverNow());
      return queryClient.prefetchQuery(historyQuery(readingQueryOf(search, opening)));
    });
  },
  component: PlantsScreen,
});
