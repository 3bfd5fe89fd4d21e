import type { Content } from '#contract/content';
import { contentModel, type FieldModels } from '#contract/content-model';
import { isRecord } from '../../lib/is-record.ts';
import { readableText, flattenContent, itemName } from './entries.ts';
import { areEntries, type ListEntry, type ValuePath } from './value-at-path.ts';

/** `order` means that entries are in another order; `before` and `after` then list the entries' names. */
export type Difference = {
  path: string;
  kind: 'changed' | 'added' | 'removed' | 'order';
  /** If a long text has changed, `before` and `after` contain only the changed part. */
  before: string;
  after: string;
};

/** Finds the differences between two contents, in the order of `after`. Compares entries with the same id. */
export const findDifferences = (before: Content, after: Content): Difference[] =>
  differencesIn(flattenContent(before), flattenContent(after), []);

export const isSameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function differencesIn(before: unknown, after: unknown, path: ValuePath): Difference[] {
  if (isSameJson(before, after)) return [];
  if (areEntries(before) && areEntries(after)) return differencesOfLists(before, after, path);
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])];
    return keys.flatMap((key) => differencesIn(before[key], after[key], [...path, key]));
  }
  return [
    {
      path: path.join('.'),
      kind: 'changed',
      ...changedPart(valueInWords(path, before), valueInWords(path, after)),
    },
  ];
}

const CONTEXT = 20;

/** Removes the common beginning and end of two texts, but keeps a few characters around the change. */
function changedPart(before: string, after: string): Pick<Difference, 'before' | 'after'> {
  const [one, other] = [Array.from(before), Array.from(after)];
  const shorter = Math.min(one.length, other.length);
  const commonTo = (most: number, isSameAt: (at: number) => boolean) => {
    let count = 0;
    while (count < most && isSameAt(count)) count += 1;
    return count;
  };
  const start = commonTo(shorter, (at) => one[at] === other[at]);
  const end = commonTo(shorter - start, (at) => one.at(-1 - at) === other.at(-1 - at));
  const [from, to] = [Math.max(0, start - CONTEXT), Math.max(0, end - CONTEXT)];
  const cut = (text: string[]) =>
    `${from > 0 ? '…' : ''}${text.slice(from, text.length - to).join('')}${to > 0 ? '…' : ''}`;
  return before === '' || after === '' ? { before, after } : { before: cut(one), after: cut(other) };
}

const groups: FieldModels = contentModel.people.fields;

/** Converts a value to text: the label of a person's group, or all text in the value without file names. */
export const valueInWords = (path: ValuePath, value: unknown) => {
  if (path.at(-1) === 'file') return value === '' ? '' : '사진';
  return (path[0] === 'people' && path[2] === 'group' && groups[String(value)]?.label) || readableText(value);
};

function differencesOfLists(
  before: readonly ListEntry[],
  after: readonly ListEntry[],
  path: ValuePath,
): Difference[] {
  const was = new Map(before.map((entry) => [entry.id, entry]));
  const is = new Map(after.map((entry) => [entry.id, entry]));
  const inside = after.flatMap((entry): Difference[] => {
    const at = [...path, entry.id];
    const earlier = was.get(entry.id);
    if (earlier) return differencesIn(earlier, entry, at);
    return [{ path: at.join('.'), kind: 'added', before: '', after: readableText(entry) }];
  });
  const gone = before
    .filter(({ id }) => !is.has(id))
    .map((entry): Difference => {
      const at = [...path, entry.id].join('.');
      return { path: at, kind: 'removed', before: readableText(entry), after: '' };
    });
  // An entry that changed its group is reported as a changed group, not as a changed order.
  const stayed = after.filter((entry) => was.get(entry.id)?.['group'] === entry['group']);
  const [first, second] = commonOrders(before, stayed);
  if (isSameJson(first.map(idOf), second.map(idOf))) return [...inside, ...gone];
  const names = (list: ListEntry[]) => list.map((entry) => itemName(entry)).join(' · ');
  const order = { path: path.join('.'), kind: 'order' as const, before: names(first), after: names(second) };
  return [order, ...inside, ...gone];
}

const idOf = ({ id }: ListEntry) => id;

/** Returns the entries that are in both lists twice: in the order of `one`, and in the order of `other`. */
function commonOrders(one: readonly ListEntry[], other: readonly ListEntry[]): [ListEntry[], ListEntry[]] {
  const commonTo = (list: readonly ListEntry[]) => new Set(list.map(idOf));
  const [here, there] = [commonTo(one), commonTo(other)];
  return [one.filter(({ id }) => there.has(id)), other.filter(({ id }) => here.has(id))];
}

export const isReordered = (before: readonly ListEntry[], after: readonly ListEntry[]) => {
  const [first, second] = commonOrders(before, after);
  return !isSameJson(first.map(idOf), second.map(idOf));
};
