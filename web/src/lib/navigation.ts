import { useNavigate, useRouterState, type AnyRouter } from '@tanstack/react-router';

/**
 * The row that a screen was opened with, such as a student's number, and a function to forget it. The row is
 * in the browser's history state, not in the address, because servers and proxies log addresses.
 */
export function useOpenedRow() {
  const navigate = useNavigate();
  const row = useRouterState({ select: ({ location }) => location.state.row });
  const forget = () => {
    if (row === undefined) return;
    void navigate({ to: '.', search: true, hash: true, state: {}, replace: true, resetScroll: false });
  };
  return { row, forget };
}

/** Goes back one page within the site, even to another document; if there is none, to the main page. */
export function goBack(router: AnyRouter): void {
  const canGoBack = window.navigation?.canGoBack ?? router.history.canGoBack();
  if (canGoBack) router.history.back();
  else void router.navigate({ to: '/', replace: true });
}
