import { ApiError } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';
import { forgetDrafts } from '../../lib/drafts.ts';
import { tellOtherTabs } from '../../lib/live-session.ts';
import { loginState, loginStateOf, resetLoginState, setLoginState } from '../../lib/login-state.ts';
import { forgetPrivate } from '../../lib/stored-text.ts';

/** Possible outcomes of a sign-in. Everything else is thrown. */
export type SignInOutcome = 'signed-in' | 'no-email' | 'refused' | 'unavailable';

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
  forgetPrivate(id);
  forgetDrafts(id);
  resetLoginState();
  // This tab may know it already.
  tellOtherTabs();
}
