import type { Content } from '#contract/content';
import { isRecord } from '../../lib/is-record.ts';
import { isReordered, isSameJson, valueInWords, type Difference } from './differences.ts';
import { flattenContent, withEntryIds, itemName, unflattenContent, type FlatContent } from './entries.ts';
import {
  areEntries,
  isEntry,
  valueAt,
  withValueAt,
  type ListEntry,
  type ValuePath,
} from './value-at-path.ts';

/** An entry that one user deleted and the other changed. The entry stays until the user decides. */
export type MergeQuestion = { path: string; deletedBy: 'me' | 'other' };

export type MergeResult = {
  content: Content;
  /** The other user's changes that are not applied, because I changed the same values. */
  lost: Difference[];
  asked: MergeQuestion[];
};

/**
 * Merges two users' changes to the same content: changed values, and added, deleted or moved list entries.
 * If both users changed a value, my value stays.
 */
export function mergeContent(base: Content, mine: Content, theirs: Content): MergeResult {
  const outcome: Pick<MergeResult, 'lost' | 'asked'> = { lost: [], asked: [] };
  const like = (each: Content) => flattenContent(withEntryIds(each, base));
  const content = unflattenContent(mergedValues(flattenContent(base), like(mine), like(theirs), [], outcome));
  // The BibTeX text stays as it was typed, unless both users changed it.
  const written = [mine, theirs].filter(({ publications }) => publications !== base.publications);
  const [{ publications } = base, other] = written;
  return { content: other ? content : { ...content, publications }, ...outcome };
}

function mergedValues<T>(
  base: T,
  mine: T,
  theirs: T,
  path: ValuePath,
  outcome: Omit<MergeResult, 'content'>,
): T;
function mergedValues(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  path: ValuePath,
  outcome: Omit<MergeResult, 'content'>,
): unknown {
  if (isSameJson(mine, base) || isSameJson(mine, theirs)) return theirs;
  if (isSameJson(theirs, base)) return mine;
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
    before: valueInWords(path, base),
    after: valueInWords(path, theirs),
  });
  return mine;
}

function mergedLists(
  base: readonly ListEntry[],
  mine: readonly ListEntry[],
  theirs: readonly ListEntry[],
  path: ValuePath,
  outcome: Omit<MergeResult, 'content'>,
): ListEntry[] {
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
    if (!kept || isSameJson(kept, before)) return [];
    if (before) outcome.asked.push({ path: at.join('.'), deletedBy: here ? 'other' : 'me' });
    return [kept];
  });
}

/** Orders ids as the user who moved entries did (as I did if both did). New ids follow their neighbours. */
function mergedOrder(
  base: readonly ListEntry[],
  mine: readonly ListEntry[],
  theirs: readonly ListEntry[],
): string[] {
  const [leading, other] = isReordered(base, mine) ? [mine, theirs] : [theirs, mine];
  const known = new Set(base.map(({ id }) => id));
  const ids = leading.map(({ id }) => id);
  let place = 0;
  for (const { id } of other) {
    const there = ids.indexOf(id);
    if (there === -1) {
      // A new entry of `other` comes after the new entries of `leading` at the same place.
      while (place < ids.length && !known.has(ids[place] ?? '')) place += 1;
      ids.splice(place, 0, id);
      place += 1;
    } else place = there + 1;
  }
  return ids;
}

/** Removes the entry that the question is about. */
export function withoutEntry(content: Content, { path }: MergeQuestion): Content {
  const keys = path.split('.');
  const list = keys.slice(0, -1);
  const all = flattenContent(content);
  const entries = valueAt(all, list);
  if (!Array.isArray(entries)) return content;
  const others = entries.filter((entry) => !isEntry(entry) || entry.id !== keys.at(-1));
  return unflattenContent(withValueAt<FlatContent>(all, list, others));
}
