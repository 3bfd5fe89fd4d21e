import { createFileRoute } from '@tanstack/react-router';
import { plantHistoryQuery } from '../features/plants/queries.ts';
import { readRange, type RangeName } from '../features/plants/range.ts';
import { PlantsScreen } from '../features/plants/screen.tsx';
import { requireAccess } from '../guard.ts';

export const Route = createFileRoute('/manage_plants')({
  codeSplitGroupings: [['component', 'loader']],
  validateSearch: ({ range }: Record<string, unknown>): { range?: RangeName } => {
    const name = readRange(range);
    return name === undefined ? {} : { range: name };
  },
  beforeLoad: requireAccess('/manage_plants'),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.queryClient.prefetchQuery(plantHistoryQuery(deps.range ?? '24h'));
  },
  component: function Plants() {
    const { range = '24h' } = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <PlantsScreen
        range={range}
        onRangeChange={(next) =>
          void navigate({ search: { range: next }, replace: true, resetScroll: false })
        }
      />
    );
  },
});
