import { createFileRoute } from '@tanstack/react-router';
import { historyQuery, statesQuery } from '../../features/plants/queries.ts';
import { pastOf, readSearch } from '../../features/plants/range.ts';
import { PlantsScreen } from '../../features/plants/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_plants')({
  staticData: { onForbidden: 'back' },
  codeSplitGroupings: [['component', 'loader']],
  // Read by the screen: what stands here is in the first script of every page.
  validateSearch: (search: Record<string, unknown>) => search,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps, preload }) => {
    // Who only hovers over the link must not be led away by an answer that forbids it.
    if (preload) return;
    void queryClient.prefetchQuery(statesQuery);
    void queryClient.prefetchQuery(historyQuery(pastOf(readSearch(deps))));
  },
  component: function Plants() {
    const navigate = Route.useNavigate();
    return (
      <PlantsScreen
        search={Route.useSearch()}
        onSearch={(search, isStep) => void navigate({ search, replace: !isStep, resetScroll: false })}
      />
    );
  },
});
