/** Reads a key of localStorage; null if there is none or storage is blocked. */
export function readStoredText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Writes a key of localStorage. With storage blocked, the value lives as long as the page. */
export function writeStoredText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch (error) {
    console.warn(`localStorage cannot keep "${key}"`, error);
  }
}
