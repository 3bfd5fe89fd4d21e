import { ApiError } from './api-error.ts';
import { readJson, api } from './api.ts';
import { loginState, loginStateOf, resetLoginState, setLoginState, type LoginState } from './login-state.ts';

/* The login event: a user may have signed in or out. */

type Listener = () => Promise<unknown>;

const listeners = new Set<Listener>();

/** Registers a listener, which is called when the user may have signed in or out. */
export function onLoginEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Tells all listeners that the user may have signed in or out; resolves when they are done. */
export async function emitLoginEvent(): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener()));
}

let firstCheck: Promise<LoginState> | undefined;

/**
 * Asks the server who is signed in. Anything but a 200 makes the visitor anonymous, without a message; only a
 * call that was aborted because the user leaves the page changes nothing.
 */
export async function checkLogin(): Promise<LoginState> {
  try {
    setLoginState(loginStateOf(await readJson(api.login.status.$post())));
  } catch (error) {
    const isAnswered = !(error instanceof ApiError && error.status === 0);
    if (isAnswered || !(await isBeingLeft())) resetLoginState();
  }
  return loginState();
}

let leftAt = Number.NEGATIVE_INFINITY;
/** How many milliseconds a page counts as being left: the browser may ask, and the user may stay. */
const LEAVING_MS = 5000;

if (typeof window !== 'undefined') {
  for (const type of ['beforeunload', 'pagehide']) addEventListener(type, () => (leftAt = performance.now()));
}

/** Waits, because a browser may abort calls just before its leave event. Never resolves if the user leaves. */
async function isBeingLeft(): Promise<boolean> {
  await new Promise((resolve) => {
    setTimeout(resolve, 100);
  });
  return performance.now() - leftAt < LEAVING_MS;
}

onLoginEvent(checkLogin);

/** The stored state may be outdated, so the first use on this page asks the server. */
export async function checkLoginOnce(): Promise<LoginState> {
  firstCheck ??= checkLogin();
  await firstCheck;
  return loginState();
}
