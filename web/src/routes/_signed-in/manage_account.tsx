import { createFileRoute } from '@tanstack/react-router';
import { entriesQuery } from '../../features/ledger/queries.ts';
import { LedgerScreen } from '../../features/ledger/screen.tsx';
import { readTab, type LedgerTab } from '../../features/ledger/tab-name.ts';

export const Route = createFileRoute('/_signed-in/manage_account')({
  staticData: { onForbidden: 'back' },
  codeSplitGroupings: [['component', 'loader']],
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: LedgerTab } => {
    const name = readTab(tab);
    return name === undefined ? {} : { tab: name };
  },
  loader: ({ context, preload }) => {
    // Who only hovers over the link must not be led away by an answer that forbids it.
    if (preload) return;
    void context.queryClient.prefetchQuery(entriesQuery);
  },
  component: function Account() {
    const { tab = 'book' } = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <LedgerScreen
        tab={tab}
        onTabChange={(next) =>
          void navigate({ search: next === 'book' ? {} : { tab: next }, replace: true, resetScroll: false })
        }
      />
    );
  },
});
