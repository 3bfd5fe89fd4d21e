import { api } from './api.ts';
import { onLoginEvent } from './login-event.ts';
import { loginState, loginStateOf, resetLoginState, setLoginState, type LoginState } from './login-state.ts';

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

onLoginEvent(checkLogin);

async function signedInUser() {
  try {
    const response = await api.login.status.$post();
    return await response.json();
  } catch {
    return undefined;
  }
}
