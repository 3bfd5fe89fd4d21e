import { isRecord } from '../../lib/is-record.ts';

/* Reads and changes values inside the content by their paths. */

/** Keys that lead to a value; a list entry's key is its id or its index. */
export type ValuePath = readonly (string | number)[];

/** A list entry; its `id` stays the same when its text or its position changes. */
export type ListEntry = Record<string, unknown> & { id: string };

export const isEntry = (value: unknown): value is ListEntry =>
  isRecord(value) && typeof value['id'] === 'string';

export const areEntries = (value: unknown): value is ListEntry[] =>
  Array.isArray(value) && value.every(isEntry);

export function valueAt(value: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[indexOfEntry(at, key)];
    return isRecord(at) ? at[key] : undefined;
  }, value);
}

/** The index of an entry in a list, given its id or index. */
export function indexOfEntry(list: readonly unknown[], key: string | number): number {
  const found = list.findIndex((item) => isEntry(item) && item.id === key);
  return found === -1 ? Number(key) : found;
}

/** Replaces the index of each list entry in a path by the entry's current id. */
export function pathByIds(path: string, content: unknown): string {
  const keys = path.split('.');
  return keys
    .map((key, at) => {
      const list = valueAt(content, keys.slice(0, at));
      const item: unknown = Array.isArray(list) ? list[indexOfEntry(list, key)] : undefined;
      return isEntry(item) ? item.id : key;
    })
    .join('.');
}

/** Copies `value` with `next` at the path. */
export function withValueAt<T>(value: T, path: ValuePath, next: unknown): T;
export function withValueAt(value: unknown, [key, ...rest]: ValuePath, next: unknown): unknown {
  if (key === undefined) return next;
  if (Array.isArray(value)) {
    const place = indexOfEntry(value, key);
    return value.map((item: unknown, at) => (at === place ? withValueAt(item, rest, next) : item));
  }
  if (!isRecord(value)) return value;
  return { ...value, [key]: withValueAt(value[key], rest, next) };
}

/** Copies a list and moves one item of the copy to another index. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const others = list.filter((_, at) => at !== from);
  return [...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to)];
}

export const asText = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';
