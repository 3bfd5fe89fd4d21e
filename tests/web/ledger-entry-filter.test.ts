import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withBalances } from '../../contract/ledger.ts';
import {
  entryFilterToSearchParams,
  type EntryFilter,
  matchingEntries,
  NO_ENTRY_FILTER,
  readEntryFilterSearch,
} from '../../web/src/features/ledger/book/entry-filter.ts';
import {
  categoriesInUse,
  categorySuggester,
  categorizedNames,
  suggestCategories,
  suggestCommonCategories,
} from '../../web/src/features/ledger/book/categories.ts';
import { totalsByCategory } from '../../web/src/features/ledger/totals.ts';
import { propertyRuns } from '../support/counts.ts';

const entries = withBalances(
  (
    [
      ['2026-03-09', -5_000, '커피 원두', '다과'],
      ['2026-03-05', -12_000, '복사 용지와 토너', '사무용품'],
      ['2026-03-04', 50_000, '3월 회비 최나래', '회비'],
      ['2026-03-02', -700, '우표', ''],
      ['2026-02-28', -11_000, '복사 용지', '사무용품'],
      ['2026-02-02', 50_000, '2월 회비 오다솜', ' 회비 '],
    ] as const
  ).map(([day, amount, description, category], at) => ({
    id: 6 - at,
    datetime: `${day}T13:00:00`,
    amount,
    description,
    category,
    version: 1,
  })),
);

describe('the entries that are shown', () => {
  const shown = (filter: Partial<EntryFilter>) =>
    matchingEntries(entries, { ...NO_ENTRY_FILTER, ...filter }).map(({ id }) => id);

  test.each<[Partial<EntryFilter>, number[]]>([
    [{}, [6, 5, 4, 3, 2, 1]],
    [{ type: 'deposit' }, [4, 1]],
    [{ type: 'withdraw', from: '2026-03-01' }, [6, 5, 3]],
    [{ from: '2026-03-02', to: '2026-03-04' }, [4, 3]],
    [{ words: '용지 12,000' }, [5]],
    [{ words: '복사'.normalize('NFD') }, [5, 2]],
    [{ words: '사무' }, [5, 2]],
    [{ category: '회비' }, [4, 1]],
    [{ category: '' }, [3]],
    [{ category: '없는 분류' }, []],
    [{ type: 'deposit', category: '회비', words: '최나래', to: '2026-12-31' }, [4]],
  ])('ACC-14 are those that fit %j', (filter, ids) => {
    expect(shown(filter)).toEqual(ids);
  });

  test('ACC-14 stand in the address, and come back from it', () => {
    const filters = fc.record({
      type: fc.constantFrom('deposit' as const, 'withdraw' as const, undefined),
      from: fc.constantFrom('', '2026-03-02'),
      to: fc.constantFrom('', '2026-12-31'),
      words: fc.string(),
      category: fc.option(fc.string(), { nil: undefined }),
    });
    fc.assert(
      fc.property(filters, (filter) => {
        expect(readEntryFilterSearch(entryFilterToSearchParams(filter))).toEqual(filter);
      }),
      propertyRuns(200, 5000),
    );
    expect(entryFilterToSearchParams(NO_ENTRY_FILTER)).toEqual({});
    // As the router reads what somebody has typed there.
    expect(readEntryFilterSearch({ type: 'x', from: '2026-02-30', to: 7, q: 2026, category: null })).toEqual({
      ...NO_ENTRY_FILTER,
      words: '2026',
    });
  });
});

describe('categories', () => {
  test('ACC-14 in use are known by how often they are used', () => {
    expect(categoriesInUse(entries)).toEqual(['사무용품', '회비', '다과']);
  });

  test.each([
    ['복사용지', ['사무용품']],
    ['복사 용지 (A4)', ['사무용품']],
    ['4월 회비 정마루', ['회비']],
    ['커피 원두', ['다과']],
    ['택배', []],
    ['우표', []],
    ['2026', []],
    ['', []],
  ])('ACC-14 are suggested for %j by what earlier entries were called', (description, categories) => {
    expect(suggestCategories(description, categorizedNames(entries))).toEqual(categories);
  });

  test('ACC-14 are suggested for several entries by what suits most of them', () => {
    const names = categorizedNames(entries);
    expect(suggestCommonCategories(['4월 회비 한가람', '5월 회비', '복사 용지', '모르는 것'], names)).toEqual(
      ['회비', '사무용품'],
    );
    expect(suggestCommonCategories([], names)).toEqual([]);
    const suggest = categorySuggester(names);
    for (const words of ['4월 회비', '9월 회비', '', '우표'])
      expect(suggest(words)).toEqual(suggestCategories(words, names));
  });

  test('ACC-14 are summed up, the largest first and what has none last', () => {
    expect(
      totalsByCategory(entries, '2026-11-22').map(([category, { income, expense, count }]) => [
        category,
        income,
        expense,
        count,
      ]),
    ).toEqual([
      ['회비', 100_000n, 0n, 2],
      ['사무용품', 0n, 23_000n, 2],
      ['다과', 0n, 5_000n, 1],
      ['', 0n, 700n, 1],
    ]);
  });
});
