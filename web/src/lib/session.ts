import { api } from './api.ts';
import { onLoginEvent } from './login-event.ts';
import { loginState, loginStateOf, resetLoginState, setLoginState, type LoginState } from './login-state.ts';

let firstCheck: Promise<LoginState> | undefined;

/** Asks the server who is signed in. Anything but a 200 makes the visitor anonymous, without a message. */
export async function checkLogin(): Promise<LoginState> {
  const user = await signedInUser();
  if (user) setLoginState(loginStateOf(user));
  else resetLoginState();
  return loginState();
}

/** The stored state may be old, so its first user on this page asks the server. */
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
