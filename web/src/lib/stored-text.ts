/*
 * Texts in the browser's storage. If storage is blocked or full, nothing is stored or found. A user's texts
 * are private: their keys have the user's prefix, and sign-out removes them. Unsaved input is in drafts.ts.
 */

type Storages = 'localStorage' | 'sessionStorage';

/** Null if nothing is stored under the key. */
export function readStoredText(key: string, storage: Storages = 'localStorage'): string | null {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Null removes the text. */
export function writeStoredText(key: string, text: string | null, storage: Storages = 'localStorage'): void {
  try {
    if (text === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
  } catch (error) {
    console.warn(`${storage} cannot keep "${key}"`, error);
  }
}

/** The storage key of a user's text. For the name '', the prefix of all keys of the user. */
export const privateStorageKey = (userId: number, name: string) => `private/${userId}/${name}`;

/** Removes everything stored for a user, including this tab's session storage. */
export function removePrivateTexts(userId: number): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage))
        if (key.startsWith(privateStorageKey(userId, ''))) storage.removeItem(key);
    }
  } catch {
    // If storage is blocked, nothing was stored.
  }
}
