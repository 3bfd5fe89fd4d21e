/** Replaces a browser's storage. As there, entries are properties of the object. */
export class MemoryStorage {
  [key: string]: unknown;
  getItem(key: string) {
    return typeof this[key] === 'string' ? this[key] : null;
  }
  setItem(key: string, text: string) {
    this[key] = text;
  }
  removeItem(key: string) {
    delete this[key];
  }
}
