import type { AnyRouter } from '@tanstack/react-router';

/** Goes back one page within the site, even to another document; to the main page if there is none. */
export function goBack(router: AnyRouter): void {
  const canGoBack = window.navigation?.canGoBack ?? router.history.canGoBack();
  if (canGoBack) router.history.back();
  else void router.navigate({ to: '/', replace: true });
}
