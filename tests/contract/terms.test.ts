import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  defaultCourseTerm,
  hasTermBegun,
  nextTerm,
  selectableTerms,
  previousTerm,
  defaultRosterTerm,
  currentSemester,
  currentTerm,
  defaultSubjectTerm,
  termDays,
  termOfDay,
  termSortKey,
  termStart,
} from '#contract/terms';
import { propertyRuns } from '../support/counts.ts';

const DAY = 86_400_000;
const options = propertyRuns(300, 5000);
const instant = fc.integer({ min: Date.UTC(2021, 0), max: Date.UTC(2050, 11) });

/** Noon of the 15th of each month of 2027 in Seoul. */
const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2027, month, 15, 3));

describe('the calendar', () => {
  test.each([
    ['2026-02-28T23:59:59', { year: 2025, semester: 2 }],
    ['2026-03-01T00:00:00', { year: 2026, semester: 1 }],
    ['2026-08-31T23:59:59', { year: 2026, semester: 1 }],
    ['2026-09-01T00:00:00', { year: 2026, semester: 2 }],
    ['2027-01-01T00:00:00', { year: 2026, semester: 2 }],
  ] as const)('STU-4 at %s in Seoul %j runs', (time, term) => {
    expect(currentTerm(Date.parse(`${time}+09:00`))).toEqual(term);
    expect(termOfDay(time.slice(0, 10))).toEqual(term);
  });

  test('CRS-5 the running term is a course’s Spring or Fall, and in January the Fall of the year before', () => {
    const at = (day: string) => currentSemester(Date.parse(`${day}T00:00:00+09:00`));
    for (const day of ['2026-03-01', '2026-08-31']) expect(at(day)).toEqual({ year: 2026, semester: 1 });
    for (const day of ['2026-09-01', '2027-02-28']) expect(at(day)).toEqual({ year: 2026, semester: 3 });
  });

  test('STU-4 a term has begun, and its next has not; its days are all of its own and nobody else’s', () => {
    fc.assert(
      fc.property(instant, (now) => {
        const term = currentTerm(now);
        expect(hasTermBegun(term, now)).toBe(true);
        expect(hasTermBegun(nextTerm(term), now)).toBe(false);
        expect(previousTerm(nextTerm(term))).toEqual(term);
        expect(termSortKey(nextTerm(term))).toBeGreaterThan(termSortKey(term));
        const { first, last } = termDays(term);
        expect([termOfDay(first), termOfDay(last)]).toEqual([term, term]);
        expect(currentTerm(termStart(nextTerm(term)) - DAY)).toEqual(term);
        expect(termDays(nextTerm(term)).first > last).toBe(true);
      }),
      options,
    );
  });
});

describe('what a form starts with', () => {
  test('STU-4 CRS-2 keeps to the specification’s months, each form to its own', () => {
    expect(months.map((now) => defaultRosterTerm(now).semester)).toEqual([
      2, 2, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2,
    ]);
    expect(months.map((now) => defaultCourseTerm(now).semester)).toEqual([
      3, 3, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3,
    ]);
    const spring = new Set([2, 3, 4, 5, 6, 7]);
    expect(months.map((now) => defaultSubjectTerm(now).semester)).toEqual(
      months.map((_, month) => (spring.has(month + 1) ? 'spring' : 'fall')),
    );
    for (const term of [defaultRosterTerm, defaultCourseTerm, defaultSubjectTerm])
      expect(new Set(months.map((now) => term(now).year))).toEqual(new Set([2027]));
  });

  test('STU-4 has not begun in January and February alone; there the running term and the next are offered', () => {
    expect(months.map((now) => hasTermBegun(defaultRosterTerm(now), now))).toEqual(
      months.map((_, at) => at > 1),
    );
    expect(months.map((now) => selectableTerms(now))).toEqual(
      months.map((_, month) =>
        month > 1
          ? []
          : [
              { year: 2026, semester: 2 },
              { year: 2027, semester: 1 },
            ],
      ),
    );
  });
});
