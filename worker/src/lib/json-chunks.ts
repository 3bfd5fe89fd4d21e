/** D1 takes and gives no value above 2 MB. */
const CHUNK_BYTES = 1_900_000;

/**
 * The rows as three JSON arrays, to be bound as parameters of their own. Three hold whatever fits into a request of
 * 4 MB; most requests leave two of them empty.
 * @throws Error when they do not
 */
export function jsonChunks(rows: unknown[]): [string, string, string] {
  const encoder = new TextEncoder();
  const chunks: string[][] = [[]];
  let bytes = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    const size = encoder.encode(text).length + 1;
    if (bytes + size > CHUNK_BYTES) {
      chunks.push([]);
      bytes = 0;
    }
    bytes += size;
    chunks.at(-1)?.push(text);
  }
  const [first, second = '[]', third = '[]', ...more] = chunks.map((texts) => `[${texts.join(',')}]`);
  if (first === undefined || more.length > 0) throw new Error('more JSON than three values of D1 hold');
  return [first, second, third];
}

/** One JSON array or object out of several of the kind; `empty` when there are none. */
export function joinJson(parts: string[], empty: '[]' | '{}'): string {
  const inner = parts.map((part) => part.slice(1, -1)).filter((part) => part !== '');
  return `${empty[0]}${inner.join(',')}${empty[1]}`;
}
