import { hasAccess } from '#contract/access-levels';
import { loginState, onLoginChange } from './login-state.ts';

const listeners = new Set<() => void>();
let times = 0;
let user = loginState();

/**
 * Calls the listener when the user signs out, another one signs in, or the same one loses access. Everything that a
 * module keeps of other people's data beyond a screen must be dropped here.
 * @returns a function that removes the listener
 */
export function onForget(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How often everything was dropped on this page. */
export function timesForgotten(): number {
  return times;
}

onLoginChange(() => {
  const before = user;
  user = loginState();
  const isTheirs = user.id === before.id && hasAccess(user.secureLevel, before.secureLevel);
  if (!before.isLoggedIn || isTheirs) return;
  times++;
  for (const listener of listeners) listener();
});
