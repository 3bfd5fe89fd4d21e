import { isRecord } from '../../lib/is-record.ts';
import { isEntry } from './entries.ts';

/* Values inside the content, by the keys that lead to them. */

/** Keys that lead to a value; an entry of a list is called by its id. */
export type Path = readonly (string | number)[];

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[placeOf(at, key)];
    return isRecord(at) ? at[key] : undefined;
  }, value);
}

/** Where an entry stands that is called by its id, or by its place. */
export function placeOf(list: readonly unknown[], key: string | number): number {
  const found = list.findIndex((item) => isEntry(item) && item.id === key);
  return found === -1 ? Number(key) : found;
}

/** A path to an entry at a place, as to the one that stands there now. */
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

/** A copy in which another value stands there. */
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

/** A copy of a list in which an item stands at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const others = list.filter((_, at) => at !== from);
  return [...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to)];
}

export const textOf = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';
