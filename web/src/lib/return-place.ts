import { privateKey } from './private-storage.ts';

/* The address at which a user's session ended with something unsaved, for this tab: signing in may take a reload. */

const keyOf = (userId: number) => privateKey(userId, 'return-place');

export function rememberPlace(userId: number, address: string): void {
  try {
    sessionStorage.setItem(keyOf(userId), address);
  } catch {
    // One then goes on from the main page.
  }
}

/** The remembered address, once. */
export function takePlace(userId: number): string | undefined {
  try {
    const address = sessionStorage.getItem(keyOf(userId)) ?? undefined;
    sessionStorage.removeItem(keyOf(userId));
    return address;
  } catch {
    return undefined;
  }
}
