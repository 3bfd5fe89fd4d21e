/*
 * Texts that this browser keeps. With storage blocked or full, nothing is kept and nothing is found. What belongs to a
 * user is private: its keys begin with theirs, and it goes when they sign out. What they have typed is kept by drafts.ts.
 */

type Storages = 'localStorage' | 'sessionStorage';

/** Null if there is none. */
export function readStoredText(key: string, storage: Storages = 'localStorage'): string | null {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Null removes it. */
export function writeStoredText(key: string, text: string | null, storage: Storages = 'localStorage'): void {
  try {
    if (text === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
  } catch (error) {
    console.warn(`${storage} cannot keep "${key}"`, error);
  }
}

/** The key of a user's text; those of no other user begin as `privateKey(userId, '')` does. */
export const privateKey = (userId: number, name: string) => `private/${userId}/${name}`;

/** Removes everything kept for a user, also what this tab alone keeps. */
export function forgetPrivate(userId: number): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage))
        if (key.startsWith(privateKey(userId, ''))) storage.removeItem(key);
    }
  } catch {
    // With storage blocked, nothing was kept.
  }
}
