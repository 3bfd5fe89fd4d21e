import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markedText, withoutPlaceholders, withPlaceholders } from '#content/bibtex/marked-text';
import { articlesOfPreprints, nameKey, type BibtexWork } from '#content/bibtex/merge-preprints';
import { plainText } from '#contract/publications';

const work = (key: string, other: Partial<BibtexWork> = {}): BibtexWork => ({
  key,
  title: 'Listen Less',
  names: ['Seojun Yoon'],
  time: 1,
  isPreprint: false,
  ...other,
});
const merged = (...works: BibtexWork[]) => Object.fromEntries(articlesOfPreprints(works));

describe('a preprint and its article', () => {
  test('PUB-20 are one by title, whatever its case and punctuation, and an author in common', () => {
    const preprint = work('p', {
      title: 'LISTEN—less!',
      names: ['A. Stranger', 'Seo-Jun Yoon'],
      isPreprint: true,
    });
    expect(merged(preprint, work('a'))).toEqual({ p: 'a' });
    expect(merged(preprint, work('a', { names: ['Somebody Else'] }))).toEqual({});
    expect(merged(preprint, work('a', { title: 'Listen More' }))).toEqual({});
  });

  test('PUB-20 are one where the file says so', () => {
    expect(
      merged(work('p', { title: 'Other', isPreprint: true, preprintOf: 'b' }), work('a'), work('b')),
    ).toEqual({ p: 'b' });
  });

  test('PUB-20 of a talk and a longer article of one title, the first has the preprint, and both stand', () => {
    expect(
      merged(work('journal', { time: 9 }), work('p', { isPreprint: true }), work('talk', { time: 3 })),
    ).toEqual({ p: 'talk' });
  });

  const works = fc.uniqueArray(
    fc.record({
      key: fc.string({ minLength: 1, maxLength: 3 }),
      title: fc.constantFrom('A', 'a!', 'B', 'ㄱ', '가 나', '가나'),
      names: fc.subarray(['Seojun Yoon', 'Aino Ojala', '윤서준']),
      time: fc.nat(40),
      isPreprint: fc.boolean(),
    }),
    { selector: ({ key }) => key },
  );

  test('PUB-20 no article is lost, and only a preprint stands under another entry', () => {
    fc.assert(
      fc.property(works, (all) => {
        const isPreprint = new Map(all.map(({ key, isPreprint }) => [key, isPreprint]));
        for (const [preprint, article] of articlesOfPreprints(all)) {
          expect([isPreprint.get(preprint), isPreprint.get(article)]).toEqual([true, false]);
        }
      }),
    );
  });

  test('PUB-20 are the same pairs whatever the order of the file, where no two appeared at one time', () => {
    fc.assert(
      fc.property(works, fc.nat(), (all, turn) => {
        const dated = all.map((each, time) => ({ ...each, time }));
        const at = dated.length === 0 ? 0 : turn % dated.length;
        const turned = [...dated.slice(at), ...dated.slice(0, at)].toReversed();
        expect(merged(...turned)).toEqual(merged(...dated));
      }),
    );
  });
});

test.each([
  ['Seojun Yoon', 'Seo-Jun Yoon'],
  ['Seojun Yoon', 'Seo Jun  Yoon'],
  ['윤서준', '윤 서준'],
  ['Lucía González', 'Lucia Gonzalez'],
])('PUB-20 %s and %s are one name', (one, other) => {
  expect(nameKey(one)).toBe(nameKey(other));
});

test.each([
  ['Seojun Yoon', 'Yoon Seojun'],
  ['Seojun Yoon', 'S. Yoon'],
  ['윤서준', '윤서진'],
])('PUB-20 %s and %s are two names', (one, other) => {
  expect(nameKey(one)).not.toBe(nameKey(other));
});

describe('marked text', () => {
  test('PUB-20 keeps what can be shown of the markup', () => {
    expect(markedText('a <i>b <sub>2</sub></i> <span class="x">c</span>')).toEqual([
      'a ',
      { tag: 'i', content: ['b ', { tag: 'sub', content: '2' }] },
      ' c',
    ]);
    expect(markedText('<b>open')).toEqual([{ tag: 'b', content: 'open' }]);
  });

  test('PUB-20 says the words of any text, and brackets that are no markup stay', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const words = text.normalize('NFC').replaceAll(/[ \t\n]+/g, ' ');
        expect(withoutPlaceholders(withPlaceholders(text))).toBe(text);
        expect(plainText(markedText(withPlaceholders(text)))).toBe(words);
      }),
    );
  });
});
