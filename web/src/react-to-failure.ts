import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { ApiError, NotFromApiError } from './lib/api-error.ts';
import { goBack } from './lib/navigation.ts';
import { expiredUserId } from './lib/session-end.ts';
import { resetLoginState } from './lib/login-state.ts';
import { isGuardedPage } from './lib/page-access.ts';
import { checkLogin } from './lib/session.ts';
import { readStoredText, writeStoredText } from './lib/stored-text.ts';
import { publicText, showToast, toastText, type ToastValue } from './lib/toast-queue.ts';

/** Consequences of a failed call for the whole page. */
type Reaction = {
  /** Absent if the screen itself reports the failure. */
  toast?: ToastValue;
  /** The request id, by which a server error is found in the server's log. */
  requestId?: string | undefined;
  resetLogin?: true;
  go?: 'login' | 'back';
};

const FOREIGN = {
  ko: '서버와의 사이에서 다른 응답이 왔습니다',
  en: 'Something between you and the server answered in its place',
};
const NO_ANSWER = { ko: '서버에 연결할 수 없습니다', en: 'The server cannot be reached' };

/**
 * The only place that handles 401, 403, 500, 503 and others. Screens only show that a part is missing.
 * @param onForbidden what a 403 does besides its toast; by default the user stays
 */
export function failureReaction(error: Error, onForbidden?: 'back'): Reaction {
  if (error instanceof NotFromApiError) return { toast: FOREIGN };
  if (!(error instanceof ApiError)) return { toast: 500 };
  const { status, details, requestId } = error;
  if (status === 0) return { toast: NO_ANSWER };
  if (status === 401) return { toast: 401, resetLogin: true, go: 'login' };
  if (status === 403) return { toast: 403, ...(onForbidden && { go: onForbidden }) };
  if (status >= 500) return { toast: status, requestId };
  // The form shows the current record, so no toast is needed.
  if (status === 409 && details?.current !== undefined) return {};
  return { toast: details?.message ?? status };
}

/** The location from which the last refusal sent the user back. */
let left: unknown;

export function reactToFailure(error: Error, router: AnyRouter, queryClient: QueryClient): void {
  const place = router.latestLocation;
  const { fullPath, staticData } = router.matchRoutes(place).at(-1) ?? {};
  const { toast, requestId, resetLogin, go } = failureReaction(error, staticData?.onForbidden);
  if (resetLogin) resetLoginState();
  // After a refusal the user's level may have changed, so menus and guards are updated.
  if (toast === 403) {
    if (reportRefusal()) void checkLogin();
  } else if (toast !== undefined)
    showToast(isGuardedPage(fullPath) ? toastText(toast) : publicText(toast), requestId);
  // With unsaved changes the user signs in over the screen instead.
  const isHeld = isGuardedPage(fullPath) && expiredUserId() !== undefined;
  if (go === 'login' && !isHeld) void router.navigate({ to: '/login', state: { sessionEnded: true } });
  // Several calls of a screen may be refused together, but only one step back is needed.
  if (go === 'back' && left !== place) {
    left = place;
    void queryClient.cancelQueries();
    if (isDocumentLeft()) writeStoredText(LEFT_KEY, 'told', 'sessionStorage');
    goBack(router);
  }
}

/* Going back may load another document, which loses this document's toast, so the refusal is stored. */

const LEFT_KEY = 'refusal';

function isDocumentLeft(): boolean {
  const { navigation } = window;
  return navigation?.entries()[(navigation.currentEntry?.index ?? 0) - 1]?.sameDocument === false;
}

function tellLeftRefusal(): void {
  if (readStoredText(LEFT_KEY, 'sessionStorage') === null) return;
  writeStoredText(LEFT_KEY, null, 'sessionStorage');
  showToast(403);
}

tellLeftRefusal();
// A document may be restored from the back-forward cache, without loading again.
addEventListener('pageshow', tellLeftRefusal);

let isTold = false;

/**
 * Reports a refusal once, although a user action may have caused several refused calls. Later refusals are
 * reported again once the lower level is known.
 * @returns whether it was reported now
 */
export function reportRefusal(): boolean {
  if (isTold) return false;
  isTold = true;
  showToast(403);
  return true;
}

for (const type of ['pointerdown', 'keydown']) {
  addEventListener(
    type,
    ({ isTrusted }) => {
      if (isTrusted) isTold = false;
    },
    { capture: true, passive: true },
  );
}
