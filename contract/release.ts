import * as z from 'zod';

/** The version of the product, one for all parts. A test compares it with package.json and changelog. */
export const VERSION = '0.1.0';

export const releaseSchema = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/);

/** Whether version `a` came before `b`. Both are `major.minor.patch`. */
export function isOlderVersion(a: string, b: string): boolean {
  const others = b.split('.').map(Number);
  const difference = a
    .split('.')
    .map((part, index) => Number(part) - (others[index] ?? 0))
    .find((each) => each !== 0);
  return difference !== undefined && difference < 0;
}
