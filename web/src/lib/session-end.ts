import { hasAccess } from '#contract/access-levels';
import { loginState, onLoginChange } from './login-state.ts';
import { useSyncExternalStore } from 'react';
import { hasDrafts, onDraftChange } from './drafts.ts';

const listeners = new Set<() => void>();
let times = 0;
let user = loginState();

/**
 * Calls the listener when the user signs out, another user signs in, or the user loses access. A module that
 * keeps other people's data longer than a screen must drop the data here.
 * @returns a function that removes the listener
 */
export function onUserDataCleared(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How often user data was dropped on this page; callers compare the number before and after a request. */
export function userDataClearedCount(): number {
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

/* A session that ended with unsaved changes. Its user can sign in over the screen and continue. */

let before = loginState();
let endedFor: number | undefined;

onLoginChange(() => {
  const now = loginState();
  if (now.isLoggedIn) endedFor = undefined;
  else if (before.isLoggedIn) endedFor = before.id;
  before = now;
});

/** The user who may sign in again and continue; undefined without unsaved changes, as after a logout. */
export function expiredUserId(): number | undefined {
  return endedFor !== undefined && hasDrafts(endedFor) ? endedFor : undefined;
}

export function useExpiredUserId(): number | undefined {
  return useSyncExternalStore(subscribe, expiredUserId);
}

function subscribe(listener: () => void): () => void {
  const ends = [onLoginChange(listener), onDraftChange(listener)];
  return () => {
    for (const end of ends) end();
  };
}
