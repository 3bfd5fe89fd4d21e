import type { AnyRouter } from '@tanstack/react-router';

/** Goes back one page of the site, also to one that was another document; to the main page where there is none. */
export function goBack(router: AnyRouter): void {
  const canGoBack = window.navigation?.canGoBack ?? router.history.canGoBack();
  if (canGoBack) router.history.back();
  else void router.navigate({ to: '/', replace: true });
}
