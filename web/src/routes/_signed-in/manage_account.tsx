import { createFileRoute } from '@tanstack/react-router';
import { entriesQuery } from '../../features/ledger/queries.ts';
import { LedgerScreen } from '../../features/ledger/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_account')({
  staticData: { onForbidden: 'back' },
  codeSplitGroupings: [['component', 'loader']],
  loader: ({ context, preload }) => {
    // Hovering over the link must not navigate when the response is a 403.
    if (preload) return;
    void context.queryClient.prefetchQuery(entriesQuery);
  },
  component: LedgerScreen,
});
