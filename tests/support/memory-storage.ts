/** What a browser's storage does, key by key: its entries are its own properties. */
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
