import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, lazyRouteComponent } from '@tanstack/react-router';
import { PageFrame } from '../components/layout/page-frame.tsx';

type Context = {
  queryClient: QueryClient;
  previousAddress: () => string | undefined;
  /** Meets a failure as that of a call on the screen that one is on. */
  react: (error: Error) => Promise<void>;
};

/** Not in the first file: hardly anybody comes to see it. */
async function loadNotFound() {
  const { ErrorScreen } = await import('../features/errors/screen.tsx');
  return { NotFound: () => <ErrorScreen /> };
}

export const Route = createRootRouteWithContext<Context>()({
  component: PageFrame,
  notFoundComponent: lazyRouteComponent(loadNotFound, 'NotFound'),
});
