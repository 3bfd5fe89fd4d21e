import { createFileRoute } from '@tanstack/react-router';
import { SignedInFrame } from '../components/layout/signed-in-frame.tsx';
import { Reauthenticate } from '../features/login/reauthenticate.tsx';

/** Every page that needs a login is in this route's folder; `lib/page-access.ts` has the levels. */
export const Route = createFileRoute('/_signed-in')({
  // Each screen parses its own address, because this file is in the first script.
  validateSearch: (search: Record<string, unknown>) => search,
  // Keeps code that only signed-in users need out of the first script.
  beforeLoad: async (visit): Promise<void> => {
    await (await import('../signed-in.ts')).requireSignIn(visit);
  },
  component: () => <SignedInFrame signIn={(userId) => <Reauthenticate userId={userId} />} />,
});
