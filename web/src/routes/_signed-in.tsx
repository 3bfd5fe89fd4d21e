import { createFileRoute } from '@tanstack/react-router';
import { SignedInFrame } from '../components/layout/signed-in-frame.tsx';

/** Every page that needs a login stands in this folder; `lib/page-access.ts` says who may open which. */
export const Route = createFileRoute('/_signed-in')({
  // Each screen reads its own address: what stands here is in the first script of every page.
  validateSearch: (search: Record<string, unknown>) => search,
  // What only those who are signed in need is not in the first script.
  beforeLoad: async (visit): Promise<void> => {
    await (await import('../signed-in.ts')).admit(visit);
  },
  component: SignedInFrame,
});
