/** What this browser keeps for a user until the user signs out: texts under names, each user's apart. */
const prefixOf = (userId: number) => `private/${userId}/`;

/** The names under which something is kept, of those that begin with `start`. */
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

/** Forgets everything that is kept for a user, in this tab's own storage as well. */
export function forgetPrivate(userId: number): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (key.startsWith(prefixOf(userId))) storage.removeItem(key);
    }
  } catch {
    // Where storage is closed nothing was kept.
  }
}
