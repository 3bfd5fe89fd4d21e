import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { ScreenCrash } from './components/layout/screen-crash.tsx';
import { ScreenPending } from './components/layout/screen-pending.tsx';
import { enterPath } from './lib/locale.ts';
import { resetLoginState } from './lib/login-state.ts';
import { checkLogin } from './lib/session.ts';
import { showToast } from './lib/toast.ts';
import { createQueryClient, type Reaction } from './query-client.ts';
import { routeTree } from './route-tree.gen.ts';

/**
 * One router with its query client.
 * @param history where a page is drawn outside the browser
 */
export function createApp(history?: RouterHistory) {
  const queryClient = createQueryClient((reaction) => perform(reaction));
  const router = createRouter({
    routeTree,
    ...(history && { history }),
    context: { queryClient, previousAddress: () => router.state.resolvedLocation?.href },
    defaultPreload: 'intent',
    defaultPendingComponent: ScreenPending,
    defaultErrorComponent: ScreenCrash,
    // Outside the browser it would write an inline script, which the content security policy refuses.
    scrollRestoration: history === undefined,
  });
  router.subscribe('onBeforeLoad', ({ toLocation }) => enterPath(toLocation.pathname));

  function perform({ toast, requestId, resetLogin, go }: Reaction): void {
    if (resetLogin) resetLoginState();
    // The level was changed meanwhile: menus and guards should know it too.
    if (toast === 403) void checkLogin();
    showToast(toast, requestId);
    if (go === 'login') void router.navigate({ to: '/login', state: { sessionEnded: true } });
    if (go === 'back') {
      if (router.history.canGoBack()) router.history.back();
      else void router.navigate({ to: '/', replace: true });
    }
  }
  return { queryClient, router };
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createApp>['router'];
  }
  interface HistoryState {
    /** The API has just answered 401, so the login page need not ask again who is signed in. */
    sessionEnded?: true;
  }
}
