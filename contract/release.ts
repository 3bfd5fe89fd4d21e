import * as z from 'zod';

/** The product's version, one for all its parts. `package.json` and the changelog say the same: a test holds them together. */
export const VERSION = '0.1.0';

export const releaseSchema = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/);

/** Whether version `a` came before `b`. Both are `major.minor.patch`. */
export function isOlder(a: string, b: string): boolean {
  const others = b.split('.').map(Number);
  const difference = a
    .split('.')
    .map((part, index) => Number(part) - (others[index] ?? 0))
    .find((each) => each !== 0);
  return difference !== undefined && difference < 0;
}
