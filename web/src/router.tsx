import { createRouter, type RouterHistory, RouterProvider } from '@tanstack/react-router';
import { ScreenCrash, ScreenPending } from './components/layout/lazy-part.tsx';
import { applyLocaleOfPath } from './lib/locale.ts';
import { createQueryClient } from './query-client.ts';
import { routeTree } from './route-tree.gen.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';

/**
 * Creates the router and its query client.
 * @param history when prerendering
 * @param isPrerendered whether the page is prerendered, so that hydration must keep the scroll position
 */
export function createApp(history?: RouterHistory, isPrerendered = false) {
  let keepsPlace = isPrerendered;
  const queryClient = createQueryClient((error) => void react(error));
  const router = createRouter({
    routeTree,
    ...(history && { history }),
    context: { queryClient, previousAddress: () => router.state.resolvedLocation?.href, react },
    defaultPreload: 'intent',
    defaultPendingComponent: ScreenPending,
    defaultErrorComponent: ScreenCrash,
    // When prerendering, this would write an inline script, which the content security policy forbids.
    scrollRestoration: history === undefined && (() => !keepsPlace),
  });
  router.subscribe('onBeforeLoad', ({ fromLocation, toLocation }) => {
    keepsPlace &&= fromLocation === undefined;
    applyLocaleOfPath(toLocation.pathname);
  });

  // Loaded on demand: guarded screens have loaded it already, and public pages rarely fail.
  async function react(error: Error): Promise<void> {
    const { reactToFailure } = await import('./react-to-failure.ts');
    reactToFailure(error, router, queryClient);
  }
  return { queryClient, router };
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createApp>['router'];
  }
  interface StaticDataRouteOption {
    /** What a 403 does besides its toast, for any call of the screen. By default the user stays. */
    onForbidden?: 'back';
  }
  interface HistoryState {
    /** The API has just answered 401, so the login page need not ask again. */
    sessionEnded?: true;
    /** The row that a screen is opened with; see lib/navigation.ts. */
    row?: string;
  }
}

/** The whole page, the same in the browser and during prerendering. */
export function App({ queryClient, router }: ReturnType<typeof createApp>) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  );
}
