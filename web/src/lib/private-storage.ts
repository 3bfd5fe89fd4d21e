/** Texts kept in this browser until the user signs out, separately for each user. */
const prefixOf = (userId: number) => `private/${userId}/`;

/** Names in use that begin with `start`. */
export function privateNames(userId: number, start: string): string[] {
  const prefix = prefixOf(userId);
  try {
    return Object.keys(localStorage).flatMap((key) =>
      key.startsWith(prefix + start) ? [key.slice(prefix.length)] : [],
    );
  } catch {
    return [];
  }
}

export function privateKey(userId: number, name: string): string {
  return prefixOf(userId) + name;
}

/** Removes everything kept for a user, including this tab's session storage. */
export function forgetPrivate(userId: number): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (key.startsWith(prefixOf(userId))) storage.removeItem(key);
    }
  } catch {
    // With storage blocked, nothing was kept.
  }
}
