import { privateKey, readStoredText, writeStoredText } from './stored-text.ts';

/*
 * The address at which a user's session ended with something unsaved, for this tab: signing in may take a reload. Where
 * it cannot be remembered, one goes on from the main page.
 */

const keyOf = (userId: number) => privateKey(userId, 'return-place');

export function rememberPlace(userId: number, address: string): void {
  writeStoredText(keyOf(userId), address, 'sessionStorage');
}

/** The remembered address, once. */
export function takePlace(userId: number): string | undefined {
  const address = readStoredText(keyOf(userId), 'sessionStorage') ?? undefined;
  writeStoredText(keyOf(userId), null, 'sessionStorage');
  return address;
}
