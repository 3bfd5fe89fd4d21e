import { describe, expect, test } from 'vitest';
import { courseDraftProblems, emptyCourseDraft } from '../../web/src/features/courses/course-draft.ts';
import { draftOf, settingsOf } from '../../web/src/features/plants/settings-draft.ts';
import { parseNumber } from '../../web/src/lib/form-problems.ts';

const settings = { dry: null, wet: null, alert_below: 20, alert_clear: 25, stale_after_minutes: 60 };

describe('a number that is typed into a field', () => {
  test.each([
    ['2026', 2026],
    [' 2026 ', 2026],
    ['２０２６', 2026],
    ['\u30002026\u3000', 2026],
    ['0', 0],
    ['+5', 5],
    ['-5', -5],
    ['20.5', 20.5],
    ['２０．５', 20.5],
    ['.5', 0.5],
    ['20.', 20],
    ['', Number.NaN],
    [' ', Number.NaN],
    ['0x7ea', Number.NaN],
    ['0b11', Number.NaN],
    ['2e3', Number.NaN],
    ['Infinity', Number.NaN],
    ['2,026', Number.NaN],
    ['2 026', Number.NaN],
    ['²⁰²⁶', Number.NaN],
    ['٢٠٢٦', Number.NaN],
    ['2026년', Number.NaN],
    ['.', Number.NaN],
  ])('%j is %d', (text, number) => {
    expect(parseNumber(text)).toBe(number);
  });

  test('CRS-2 PLT-7 is read alike by every form', () => {
    const problemOf = (year: string) => courseDraftProblems({ ...emptyCourseDraft(0), year })['year'];
    expect(problemOf('２０２６')).toBeUndefined();
    expect(problemOf('0x7ea')).toBe(problemOf('x'));
    expect(
      settingsOf({
        ...draftOf({ ...settings, name: '바질', name_en: '', is_public: true, version: 1 }),
        dry: '９００',
        wet: '0x10',
      }),
    ).toEqual({
      name_en: '',
      ...settings,
      is_public: true,
      version: 1,
      dry: 900,
      wet: Number.NaN,
    });
  });
});
