import { firstVersion } from '#content/first-version';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeText } from '../../web/src/features/content/place-text.ts';
import {
  differences,
  unmergedDifferences,
  mergedValues,
  moved,
  withValue,
} from '../../web/src/features/content/value.ts';

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
    // Both have added somebody; one has changed the order.
    expect(mergedValues([1], [1, 2], [1, 3])).toEqual([1, 3, 2]);
    expect(mergedValues([1, 2], [2, 1], [1, 2, 3])).toEqual([2, 1]);
  });

  test('name what others wrote and is not taken', () => {
    const base = { a: '1', b: '1', list: [{ x: '1' }] };
    const theirs = { a: '남의 글', b: '2', list: [{ x: '1' }, { x: '남' }] };
    const merged = mergedValues(base, { a: '내 글', b: '1', list: [] }, theirs);
    expect(merged).toEqual({ a: '내 글', b: '2', list: [] });
    expect(unmergedDifferences(base, theirs, merged)).toEqual([
      { path: 'a', before: '1', after: '남의 글' },
      { path: 'list.1', before: '', after: '남' },
    ]);
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

test('EDIT-3 every place that can be wrong or differ is called by the words of the form', () => {
  const content = firstVersion;
  expect(placeText('people.professors.0.name.ko', content)).toBe(
    `구성원 › 교수 › ${content.people.professors[0]?.name.ko} › 이름 › 한국어`,
  );
  expect(placeText('publications.12', content)).toBe('논문 › 12행');
  expect(placeText('news.99.date', content)).toBe('소식 › 100번째 › 날짜');
  const leaves = (value: unknown, at: string): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inside]) => leaves(inside, `${at}.${key}`))
      : [at];
  const paths = Object.entries(content).flatMap(([key, value]) => leaves(value, key));
  for (const path of paths.filter((each) => !/^(?:photographs|group)\b/.test(each)))
    expect(placeText(path, content), path).not.toMatch(/[a-z]{3,}_|\b(?:ko|en|name|text|alt|file)\b/);
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
