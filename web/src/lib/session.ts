import { answerOf, api } from './api.ts';
import { loginState, loginStateOf, resetLoginState, setLoginState, type LoginState } from './login-state.ts';

/* The login event: somebody may have signed in or out. */

type Listener = () => Promise<unknown>;

const listeners = new Set<Listener>();

/** Registers a listener for possible sign-ins and sign-outs. */
export function onLoginEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Announces a possible sign-in or sign-out; resolves when all listeners are done. */
export async function emitLoginEvent(): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener()));
}

let firstCheck: Promise<LoginState> | undefined;

/** Asks the server who is signed in. Anything but a 200 makes the visitor anonymous, without a message. */
export async function checkLogin(): Promise<LoginState> {
  const user = await signedInUser();
  if (user) setLoginState(loginStateOf(user));
  else resetLoginState();
  return loginState();
}

onLoginEvent(checkLogin);

/** The stored state may be old, so its first user on this page asks the server. */
export async function checkLoginOnce(): Promise<LoginState> {
  firstCheck ??= checkLogin();
  await firstCheck;
  return loginState();
}

async function signedInUser() {
  try {
    return await answerOf(api.login.status.$post());
  } catch {
    return undefined;
  }
}
