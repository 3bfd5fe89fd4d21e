import { ApiError } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';
import { forgetDrafts } from '../../lib/drafts.ts';
import { notifyOtherTabs } from '../../lib/live-session.ts';
import { loginState, loginStateOf, resetLoginState, setLoginState } from '../../lib/login-state.ts';
import {
  removePrivateTexts,
  privateStorageKey,
  readStoredText,
  writeStoredText,
} from '../../lib/stored-text.ts';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { showToast } from '../../lib/toast-queue.ts';
import { forgetAccountChoice } from './google-identity.ts';

/** Possible outcomes of a sign-in; any other failure is thrown. */
type SignInOutcome = 'signed-in' | 'no-email' | 'refused' | 'unavailable';

const json = { 'content-type': 'application/json' };

export async function signIn(credential: string): Promise<SignInOutcome> {
  try {
    const headers = { ...json, authorization: `Bearer ${credential}` };
    const response = await api.login.$post({}, { headers });
    const user = await response.json();
    if (user.email === null) return 'no-email';
    setLoginState(loginStateOf(user));
    return 'signed-in';
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      resetLoginState();
      return 'refused';
    }
    if (error instanceof ApiError && error.status === 503) return 'unavailable';
    throw error;
  }
}

export async function signOut(): Promise<void> {
  const { id } = loginState();
  await api.logout.$post({}, { headers: json });
  // Must run before other tabs notice the logout: their login page would sign the user in again.
  await forgetAccountChoice();
  removePrivateTexts(id);
  forgetDrafts(id);
  resetLoginState();
  // Other tabs must be notified even if this tab already knows about the logout.
  notifyOtherTabs();
}

export const signInFailureTexts = {
  refused: { ko: '로그인 실패', en: 'Sign-in failed' },
  unavailable: { ko: '로그인 서버 연결 실패', en: 'The sign-in server cannot be reached' },
} as const;

/** Returns a function that navigates after a completed sign-in. */
export function useFinishSignIn(): (outcome: SignInOutcome) => void {
  const navigate = useNavigate();
  return useCallback(
    (outcome: SignInOutcome) => {
      if (outcome === 'no-email') {
        void navigate({ to: '/error/{-$status}', params: { status: '401' }, replace: true });
      } else if (outcome !== 'signed-in') {
        showToast(signInFailureTexts[outcome]);
      } else if (loginState().univId === null) {
        void navigate({ to: '/manage_user_info', replace: true });
      } else {
        showToast({ ko: '로그인 성공', en: 'Signed in' });
        // Opens the screen with the unsaved changes again, or the main page.
        void navigate({ href: popReturnPath(loginState().id) ?? '/', replace: true });
      }
    },
    [navigate],
  );
}

/*
 * The address at which a user's session ended with unsaved changes. Stored for this tab, because signing in
 * may reload the page. If it cannot be stored, the user continues on the main page.
 */

const keyOf = (userId: number) => privateStorageKey(userId, 'return-place');

export function saveReturnPath(userId: number, address: string): void {
  writeStoredText(keyOf(userId), address, 'sessionStorage');
}

/** Returns the stored address and removes it. */
export function popReturnPath(userId: number): string | undefined {
  const address = readStoredText(keyOf(userId), 'sessionStorage') ?? undefined;
  writeStoredText(keyOf(userId), null, 'sessionStorage');
  return address;
}
