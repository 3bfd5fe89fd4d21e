import { createFileRoute } from '@tanstack/react-router';
import { entriesQuery } from '../../features/ledger/queries.ts';
import { LedgerScreen } from '../../features/ledger/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_account')({
  staticData: { onForbidden: 'back' },
  codeSplitGroupings: [['component', 'loader']],
  loader: ({ context, preload }) => {
    // Who only hovers over the link must not be led away by an answer that forbids it.
    if (preload) return;
    void context.queryClient.prefetchQuery(entriesQuery);
  },
  component: LedgerScreen,
});
