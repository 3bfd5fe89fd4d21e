import { hasAccess } from '#contract/access-levels';
import { loginState, onLoginChange } from './login-state.ts';

const listeners = new Set<() => void>();
let times = 0;
let user = loginState();

/**
 * Has something forgotten that was read or made for a user, whenever that user is signed out, another one is signed in,
 * or the same one may no longer see as much. Whatever a module keeps of other people's data beyond a screen joins here.
 * @returns what ends it
 */
export function onForget(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How often all was forgotten on this page. */
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
