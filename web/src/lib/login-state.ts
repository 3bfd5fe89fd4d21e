import { ANONYMOUS_LEVEL } from '#contract/access-levels';
import type { LoginUser } from '#contract/users';
import { useSyncExternalStore } from 'react';
import { isRecord } from './is-record.ts';
import { readStoredText, writeStoredText } from './stored-text.ts';

/** The signed-in user, as the browser knows it. Affects only what is shown; the server enforces access. */
export type LoginState = {
  id: number;
  isLoggedIn: boolean;
  email: string;
  name: string;
  univId: string | null;
  secureLevel: number;
};

export const anonymous: LoginState = {
  id: -1,
  isLoggedIn: false,
  email: '',
  name: 'anonymous',
  univId: null,
  secureLevel: ANONYMOUS_LEVEL,
};

const STORAGE_KEY = 'loginState';
const listeners = new Set<() => void>();
let current = parseLoginState(typeof window === 'undefined' ? null : readStoredText(STORAGE_KEY));

/** Parses the stored state; anything but a complete user means anonymous. */
export function parseLoginState(text: string | null): LoginState {
  const value = parseJson(text);
  if (!isRecord(value)) return anonymous;
  const { id, isLoggedIn, email, name, univId, secureLevel } = value;
  const isUser =
    isLoggedIn === true &&
    typeof id === 'number' &&
    id > 0 &&
    typeof email === 'string' &&
    typeof name === 'string' &&
    typeof secureLevel === 'number';
  if (!isUser) return anonymous;
  return { id, isLoggedIn, email, name, univId: typeof univId === 'string' ? univId : null, secureLevel };
}

export function loginStateOf(user: LoginUser): LoginState {
  const { id, email, name, univId, secureLevel } = user;
  return { id, isLoggedIn: true, email, name, univId, secureLevel };
}

export function setLoginState(state: LoginState): void {
  writeStoredText(STORAGE_KEY, JSON.stringify(state));
  replaceLoginState(state);
}

export function resetLoginState(): void {
  setLoginState(anonymous);
}

export function loginState(): LoginState {
  return current;
}

/** The server snapshot is anonymous, so that a prerendered page can hydrate before the user is known. */
export function useLoginState(): LoginState {
  return useSyncExternalStore(onLoginChange, loginState, () => anonymous);
}

function parseJson(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Reads the stored state again, because a frozen page may have missed a change. */
export function rereadLoginState(): void {
  const stored = readStoredText(STORAGE_KEY);
  // Without storage there is no stored state to compare with.
  if (stored !== null) hear(parseLoginState(stored));
}

let hear = replaceLoginState;

/** Sets the handler for a state received from another tab; by default this tab adopts the state. */
export function setLoginStateListener(hearer: (state: LoginState) => void): void {
  hear = hearer;
}

/** Applies a state that is already stored. */
export function replaceLoginState(state: LoginState): void {
  const isSame = JSON.stringify(state) === JSON.stringify(current);
  if (isSame) return;
  current = state;
  for (const listener of listeners) listener();
}

/** @returns a function that removes the listener */
export function onLoginChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Applies a sign-in or sign-out that happened in another tab. */
if (typeof window !== 'undefined') {
  addEventListener('storage', (event) => {
    if (event.key === STORAGE_KEY || event.key === null) hear(parseLoginState(event.newValue));
  });
}
