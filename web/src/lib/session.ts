import { api } from './api.ts';
import { ApiError } from './api-error.ts';
import { loginState, loginStateOf, resetLoginState, setLoginState, type LoginState } from './login-state.ts';

/** How signing in can end. Everything else is an error and is thrown. */
export type SignInOutcome = 'signed-in' | 'no-email' | 'refused' | 'unavailable';

let firstCheck: Promise<LoginState> | undefined;

/** Asks the server who is signed in. Any answer but 200, or none, makes the visitor anonymous without a word. */
export async function checkLogin(): Promise<LoginState> {
  const user = await signedInUser();
  if (user) setLoginState(loginStateOf(user));
  else resetLoginState();
  return loginState();
}

/** The stored state may be of yesterday, so the first one who needs it on this page asks the server. */
export async function checkLoginOnce(): Promise<LoginState> {
  firstCheck ??= checkLogin();
  await firstCheck;
  return loginState();
}

export async function signIn(credential: string): Promise<SignInOutcome> {
  try {
    const response = await api.login.$post({}, { headers: { authorization: `Bearer ${credential}` } });
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
  await api.logout.$post();
  resetLoginState();
}

async function signedInUser() {
  try {
    const response = await api.login.status.$post();
    return await response.json();
  } catch {
    return undefined;
  }
}
