/** Whether the full counts run (`npm run test:long`). */
export const isFull = process.env['FULL'] === '1';

/** The few of an everyday run, or the many of a full one. */
export function fewOrMany(few: number, many: number): number {
  return isFull ? many : few;
}

/** So many of a list, the first and the last among them, in an everyday run, and all of it in a full one. */
export function someOrAll<Item>(few: number, items: readonly Item[]): Item[] {
  const step = Math.max(1, (items.length - 1) / (few - 1));
  const chosen = new Set(Array.from({ length: few }, (_, at) => Math.round(at * step)));
  return items.filter((_, at) => isFull || chosen.has(at));
}

/** Parameters of every property test: the same seed each time, so that a failure can be repeated. */
export const propertyRuns = { seed: 20_261_121, numRuns: fewOrMany(200, 10_000) };
