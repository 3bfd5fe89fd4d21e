import { createFileRoute } from '@tanstack/react-router';
import { entriesQuery } from '../../features/ledger/queries.ts';
import { LedgerScreen } from '../../features/ledger/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_account')({
  staticData: { onForbidden: 'back' },
  codeSplitGroupings: [['component', 'loader']],
  loader: ({ context, preload }) => {
    // Hovering over the link preloads this route; a 403 must not redirect the user then.
    if (preload) return;
    void context.queryClient.prefetchQuery(entriesQuery);
  },
  component: LedgerScreen,
});
