/*
 * Replacements for Map.groupBy and Set methods, which the oldest supported browsers lack (`browserslist` in
 * package.json). The `lib` of web/tsconfig.json excludes everything that those browsers lack.
 */

/** Groups items by key; groups and items keep their order. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** A copy of the set with the item added if it was absent, otherwise removed. */
export function toggleItem<Item>(set: ReadonlySet<Item>, item: Item): Set<Item> {
  const changed = new Set(set);
  if (!changed.delete(item)) changed.add(item);
  return changed;
}

/** A copy of the set without the items of another set. */
export function withoutItems<Item>(set: ReadonlySet<Item>, others: ReadonlySet<Item>): Set<Item> {
  return new Set([...set].filter((item) => !others.has(item)));
}
