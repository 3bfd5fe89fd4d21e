import type { Content } from '#contract/content';
import { isRecord } from '../../lib/is-record.ts';
import { isReordered, isSame, wordsOf, type Difference } from './differences.ts';
import { flat, identified, itemName, whole, type Flat } from './entries.ts';
import { areEntries, isEntry, valueAt, withValue, type Entry, type Path } from './value.ts';

/** An entry that one user deleted and the other changed: it is kept until somebody decides. */
export type Question = { path: string; deletedBy: 'me' | 'other' };

export type Merged = {
  content: Content;
  /** The other user's changes to values that both changed: my values were kept. */
  lost: Difference[];
  asked: Question[];
};

/**
 * Merges two people's changes to one content: changes to different values, and list entries that were added,
 * deleted or moved.
 */
export function merge(base: Content, mine: Content, theirs: Content): Merged {
  const outcome: Pick<Merged, 'lost' | 'asked'> = { lost: [], asked: [] };
  const like = (each: Content) => flat(identified(each, base));
  const content = whole(mergedValues(flat(base), like(mine), like(theirs), [], outcome));
  // The BibTeX text stays as it was typed, unless both users changed it.
  const written = [mine, theirs].filter(({ publications }) => publications !== base.publications);
  const [{ publications } = base, other] = written;
  return { content: other ? content : { ...content, publications }, ...outcome };
}

function mergedValues<T>(base: T, mine: T, theirs: T, path: Path, outcome: Omit<Merged, 'content'>): T;
function mergedValues(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  path: Path,
  outcome: Omit<Merged, 'content'>,
): unknown {
  if (isSame(mine, base) || isSame(mine, theirs)) return theirs;
  if (isSame(theirs, base)) return mine;
  if (areEntries(base) && areEntries(mine) && areEntries(theirs))
    return mergedLists(base, mine, theirs, path, outcome);
  if (isRecord(base) && isRecord(mine) && isRecord(theirs))
    return Object.fromEntries(
      Object.keys(mine).map((key) => [
        key,
        mergedValues<unknown>(base[key], mine[key], theirs[key], [...path, key], outcome),
      ]),
    );
  outcome.lost.push({
    path: path.join('.'),
    kind: 'changed',
    before: wordsOf(path, base),
    after: wordsOf(path, theirs),
  });
  return mine;
}

function mergedLists(
  base: readonly Entry[],
  mine: readonly Entry[],
  theirs: readonly Entry[],
  path: Path,
  outcome: Omit<Merged, 'content'>,
): Entry[] {
  if (isReordered(base, mine) && isReordered(base, theirs) && isReordered(mine, theirs)) {
    const order = theirs.map((entry) => itemName(entry)).join(' · ');
    outcome.lost.push({ path: path.join('.'), kind: 'order', before: '', after: order });
  }
  const [was, own, others] = [base, mine, theirs].map(
    (list) => new Map(list.map((entry) => [entry.id, entry])),
  );
  return mergedOrder(base, mine, theirs).flatMap((id) => {
    const [before, here, there] = [was?.get(id), own?.get(id), others?.get(id)];
    const at = [...path, id];
    if (here && there) return [mergedValues(before ?? here, here, there, at, outcome)];
    const kept = here ?? there;
    if (!kept || isSame(kept, before)) return [];
    if (before) outcome.asked.push({ path: at.join('.'), deletedBy: here ? 'other' : 'me' });
    return [kept];
  });
}

/** The ids of all entries in the order of the user who moved some (mine if both did); new ones follow their neighbours. */
function mergedOrder(base: readonly Entry[], mine: readonly Entry[], theirs: readonly Entry[]): string[] {
  const [leading, other] = isReordered(base, mine) ? [mine, theirs] : [theirs, mine];
  const known = new Set(base.map(({ id }) => id));
  const ids = leading.map(({ id }) => id);
  let place = 0;
  for (const { id } of other) {
    const there = ids.indexOf(id);
    if (there === -1) {
      // Also after the entries that the leading user added at the same place.
      while (place < ids.length && !known.has(ids[place] ?? '')) place += 1;
      ids.splice(place, 0, id);
      place += 1;
    } else place = there + 1;
  }
  return ids;
}

/** The content without the entry that the question is about. */
export function withoutEntry(content: Content, { path }: Question): Content {
  const keys = path.split('.');
  const list = keys.slice(0, -1);
  const all = flat(content);
  const entries = valueAt(all, list);
  if (!Array.isArray(entries)) return content;
  const others = entries.filter((entry) => !isEntry(entry) || entry.id !== keys.at(-1));
  return whole(withValue<Flat>(all, list, others));
}
