import { useSyncExternalStore } from 'react';
import { hasDrafts, onDraftChange } from './drafts.ts';
import { loginState, onLoginChange } from './login-state.ts';

/* A session that has ended while something was unsaved. Its user can sign in over the screen and go on. */

let before = loginState();
let endedFor: number | undefined;

onLoginChange(() => {
  const now = loginState();
  if (now.isLoggedIn) endedFor = undefined;
  else if (before.isLoggedIn) endedFor = before.id;
  before = now;
});

/** Who may go on after signing in again; undefined if nothing of theirs is unsaved. A logout leaves nothing unsaved. */
export function heldUser(): number | undefined {
  return endedFor !== undefined && hasDrafts(endedFor) ? endedFor : undefined;
}

export function useHeldUser(): number | undefined {
  return useSyncExternalStore(subscribe, heldUser);
}

function subscribe(listener: () => void): () => void {
  const ends = [onLoginChange(listener), onDraftChange(listener)];
  return () => {
    for (const end of ends) end();
  };
}
