import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differences, mergedValues, moved, withValue } from '../../web/src/features/content/value.ts';

const texts = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.string(), { minKeys: 3 });

describe('EDIT-5 two contents made of one', () => {
  test('keep the changes of both where they are of different values', () => {
    const base = { a: { ko: '1', en: '1' }, list: [{ x: 1 }, { x: 2 }] };
    const mine = withValue(base, ['a', 'ko'], '내 글');
    const theirs = withValue(withValue(base, ['a', 'en'], 'theirs'), ['list', 1, 'x'], 3);
    expect(mergedValues(base, mine, theirs)).toEqual({
      a: { ko: '내 글', en: 'theirs' },
      list: [{ x: 1 }, { x: 3 }],
    });
    expect(mergedValues([1, 2], [2, 1], [1, 2, 3])).toEqual([2, 1]);
  });

  test('are the one that was changed when the other was not, and mine where both were', () => {
    fc.assert(
      fc.property(texts, texts, texts, (base, mine, theirs) => {
        expect(mergedValues(base, base, theirs)).toEqual(theirs);
        expect(mergedValues(base, mine, base)).toEqual(mine);
        const merged: Record<string, string> = mergedValues(base, mine, theirs);
        for (const key of ['a', 'b', 'c'])
          expect(merged[key]).toBe(mine[key] === base[key] ? theirs[key] : mine[key]);
      }),
    );
  });
});

test('EDIT-3 what differs is named by its place, and nothing else', () => {
  const before = { a: { ko: '가', en: 'A' }, b: [{ x: '1' }] };
  expect(differences(before, before)).toEqual([]);
  expect(differences(before, withValue(before, ['b', 0, 'x'], '2'))).toEqual([
    { path: 'b.0.x', before: '1', after: '2' },
  ]);
  expect(differences(before, { ...before, b: [] })).toEqual([{ path: 'b.0', before: '1', after: '' }]);
});

test('EDIT-1 an item of a list moves to its place, and all stay', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), fc.nat(), fc.nat(), (list, from, to) => {
      const [at, place] = [from % list.length, to % list.length];
      const after = moved(list, at, place);
      expect(after[place]).toBe(list[at]);
      const inOrder = (each: number[]) => each.toSorted((a, b) => a - b);
      expect(inOrder(after)).toEqual(inOrder(list));
    }),
  );
});
