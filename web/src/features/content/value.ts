/* Values inside the content, by the keys that lead to them. */

export type Path = readonly (string | number)[];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
}

/** A copy in which another value stands there. */
export function withValue<T>(value: T, path: Path, next: unknown): T;
export function withValue(value: unknown, [key, ...rest]: Path, next: unknown): unknown {
  if (key === undefined) return next;
  if (Array.isArray(value))
    return value.map((item: unknown, at) => (at === key ? withValue(item, rest, next) : item));
  if (!isObject(value)) return value;
  return { ...value, [key]: withValue(value[key], rest, next) };
}

/** A copy of a list in which an item stands at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const others = list.filter((_, at) => at !== from);
  return [...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to)];
}

export type Difference = { path: string; before: string; after: string };

/** What differs between two contents, in the order of the second. */
export function differences(before: unknown, after: unknown, path: Path = []): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])];
    return keys.flatMap((key) => differences(before[key], after[key], [...path, key]));
  }
  return [{ path: path.join('.'), before: allText(before), after: allText(after) }];
}

export const textOf = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';

const allText = (value: unknown): string =>
  isObject(value) ? Object.values(value).map(allText).filter(Boolean).join(' · ') : textOf(value);

/**
 * What two people made of one content: changes of different values are put together, and what both have added to the end of
 * a list; of the same value, and of lists that are otherwise changed by both, mine stands.
 */
export function mergedValues<T>(base: T, mine: T, theirs: T): T;
export function mergedValues(base: unknown, mine: unknown, theirs: unknown): unknown {
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  if (isSame(mine, base)) return theirs;
  if (isSame(theirs, base)) return mine;
  const isList = [base, mine, theirs].some(Array.isArray);
  if (!isObject(base) || !isObject(mine) || !isObject(theirs)) return mine;
  if (isList && !(Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs))) return mine;
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) {
    const { length } = base;
    // What stands at another place now would be mixed with its neighbour.
    if (mine.length < length || theirs.length < length || isMoved(base, mine) || isMoved(base, theirs))
      return mine;
    const both = base.map((item: unknown, at) => mergedValues<unknown>(item, mine[at], theirs[at]));
    return [...both, ...theirs.slice(length), ...mine.slice(length)];
  }
  return Object.fromEntries(
    Object.keys(mine).map((key) => [key, mergedValues(base[key], mine[key], theirs[key])]),
  );
}

function isMoved(before: readonly unknown[], after: readonly unknown[]): boolean {
  const texts = before.map((item) => JSON.stringify(item));
  // What was added may be like something that was there: each new person is empty.
  return after.slice(0, before.length).some((item, at) => {
    const text = JSON.stringify(item);
    return text !== texts[at] && texts.includes(text);
  });
}

/** What others have changed and the merged content does not hold. */
export const unmergedDifferences = (base: unknown, theirs: unknown, merged: unknown): Difference[] =>
  differences(base, theirs).filter(({ path }) => {
    const keys = path.split('.');
    return JSON.stringify(valueAt(merged, keys)) !== JSON.stringify(valueAt(theirs, keys));
  });
