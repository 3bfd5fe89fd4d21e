import { useNavigate, useRouterState, type AnyRouter } from '@tanstack/react-router';

/**
 * The row that a screen was opened with, such as a student's number, and a way to forget it. It stands in the browser's
 * history, not in the address: addresses are written down on the way.
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

/** Goes back one page within the site, even to another document; to the main page if there is none. */
export function goBack(router: AnyRouter): void {
  const canGoBack = window.navigation?.canGoBack ?? router.history.canGoBack();
  if (canGoBack) router.history.back();
  else void router.navigate({ to: '/', replace: true });
}
