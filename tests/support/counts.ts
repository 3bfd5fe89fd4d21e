import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    isFull: boolean;
    /** Which part of a long list a short run tries. */
    share: number;
  }
}

/** Whether the full counts run (`npm run test:long`). */
export const isFull = inject('isFull');

/** `few` in a short run, `many` in a full run. */
export function fewOrMany(few: number, many: number): number {
  return isFull ? many : few;
}

/** In a short run, `few` items of a list with the first and the last; in a full run, all items. */
export function someOrAll<Item>(few: number, items: readonly Item[]): Item[] {
  const step = Math.max(1, (items.length - 1) / (few - 1));
  const chosen = new Set(Array.from({ length: few }, (_, at) => Math.round(at * step)));
  return items.filter((_, at) => isFull || chosen.has(at));
}

/** In a short run, `few` items of a list, chosen by SHARE; in a full run, all items. */
export function shareOrAll<Item>(few: number, items: readonly Item[]): Item[] {
  const first = (inject('share') * few) % items.length;
  return items.filter((_, at) => isFull || (at - first + items.length) % items.length < few);
}

/** Parameters of a property test: the same seed each time, so that a failure can be repeated. */
export function propertyRuns(few = 200, many = 10_000): { seed: number; numRuns: number } {
  return { seed: 2026, numRuns: fewOrMany(few, many) };
}
