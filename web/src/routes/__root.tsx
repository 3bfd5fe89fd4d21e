import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, lazyRouteComponent } from '@tanstack/react-router';
import { PageFrame } from '../components/layout/page-frame.tsx';

type Context = {
  queryClient: QueryClient;
  previousAddress: () => string | undefined;
  /** Handles an error like the error of a call on the current screen. */
  react: (error: Error) => Promise<void>;
};

/** This screen is loaded on demand, because it is rarely seen. */
async function loadNotFound() {
  const { ErrorScreen } = await import('../features/errors/screen.tsx');
  return { NotFound: () => <ErrorScreen /> };
}

export const Route = createRootRouteWithContext<Context>()({
  component: PageFrame,
  notFoundComponent: lazyRouteComponent(loadNotFound, 'NotFound'),
});
