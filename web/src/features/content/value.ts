import { isRecord } from '../../lib/is-record.ts';

/* Reads and changes values inside the content by their paths. */

/** Keys that lead to a value; a list entry's key is its id or its index. */
export type Path = readonly (string | number)[];

/** A list entry; its `id` stays the same when its text or its position changes. */
export type Entry = Record<string, unknown> & { id: string };

export const isEntry = (value: unknown): value is Entry => isRecord(value) && typeof value['id'] === 'string';

export const areEntries = (value: unknown): value is Entry[] => Array.isArray(value) && value.every(isEntry);

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[placeOf(at, key)];
    return isRecord(at) ? at[key] : undefined;
  }, value);
}

/** The index of an entry in a list, given its id or index. */
export function placeOf(list: readonly unknown[], key: string | number): number {
  const found = list.findIndex((item) => isEntry(item) && item.id === key);
  return found === -1 ? Number(key) : found;
}

/** A path with the index of each list entry replaced by its current id. */
export function pathByIds(path: string, content: unknown): string {
  const keys = path.split('.');
  return keys
    .map((key, at) => {
      const list = valueAt(content, keys.slice(0, at));
      const item: unknown = Array.isArray(list) ? list[placeOf(list, key)] : undefined;
      return isEntry(item) ? item.id : key;
    })
    .join('.');
}

/** A copy with another value at the path. */
export function withValue<T>(value: T, path: Path, next: unknown): T;
export function withValue(value: unknown, [key, ...rest]: Path, next: unknown): unknown {
  if (key === undefined) return next;
  if (Array.isArray(value)) {
    const place = placeOf(value, key);
    return value.map((item: unknown, at) => (at === place ? withValue(item, rest, next) : item));
  }
  if (!isRecord(value)) return value;
  return { ...value, [key]: withValue(value[key], rest, next) };
}

/** A copy of a list with one item moved to another index. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const others = list.filter((_, at) => at !== from);
  return [...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to)];
}

export const textOf = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';
