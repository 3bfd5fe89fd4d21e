/*
 * What Map.groupBy and the methods of Set do in engines that are newer than the oldest which the portal serves
 * (`browserslist` in package.json). The `lib` of web/tsconfig.json knows nothing that those lack.
 */

/** The items by key, both in their order. */
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

/** The set with the item if it had not got it, else without. */
export function toggled<Item>(set: ReadonlySet<Item>, item: Item): Set<Item> {
  const changed = new Set(set);
  if (!changed.delete(item)) changed.add(item);
  return changed;
}

/** The set without those of another. */
export function without<Item>(set: ReadonlySet<Item>, others: ReadonlySet<Item>): Set<Item> {
  return new Set([...set].filter((item) => !others.has(item)));
}
