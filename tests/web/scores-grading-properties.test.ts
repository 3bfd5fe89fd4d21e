import * as fc from 'fast-check';
import { fewOrMany, propertyRuns } from '../support/counts.ts';
import { expect, test } from 'vitest';
import {
  type GradingEntry,
  gradeClass,
  type Grading,
} from '../../web/src/features/scores/grading/grading.ts';
import { gradeRank } from '../../web/src/features/scores/grading/grades.ts';
import {
  bandsOf,
  DEFAULT_RULES,
  manualGrades,
  GRADING_METHODS,
  type Rules,
  seatCaps,
} from '../../web/src/features/scores/grading/methods.ts';

/** In full 12,000 random classes for each property. */
const options = propertyRuns(300, 12_000);
const timeout = fewOrMany(60_000, 900_000);

const share = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 1000 }).map((n) => n / 10),
);
const floors = fc.record(
  {
    'D+': fc.integer({ min: 0, max: 100 }),
    D: fc.integer({ min: 0, max: 80 }),
    'D-': fc.integer({ min: 0, max: 70 }),
    F: fc.integer({ min: 0, max: 60 }),
  },
  { requiredKeys: [] },
);

const rules: fc.Arbitrary<Rules> = fc.record({
  scale: fc.constantFrom('plus', 'minus'),
  minusShare: fc.oneof(fc.constant(30), share),
  regulation: fc.constant(undefined),
  isUncapped: fc.constant(false),
  method: fc.constantFrom(...GRADING_METHODS),
  shares: fc.oneof(
    fc.constant(DEFAULT_RULES.shares),
    fc
      .tuple(share, share)
      .map(([a, b]) => ({ relative: [a, b], relaxed: [b, a], absolute: [a, b], 'pass-fail': [a] })),
  ),
  plusShare: fc.oneof(fc.constant(50), share),
  rounding: fc.constant('none'),
  floors,
  attendance: fc.record({
    meaning: fc.constantFrom('off', 'absences'),
    sessions: fc.constant(30),
    threshold: fc.constant(25),
    latesPerAbsence: fc.constant(3),
  }),
  cutoffs: fc.constant(undefined),
});

/** From a handful of values to thousands: most classes have many ties. */
const scores = fc.constantFrom(1, 2, 5, 20, 100, 10_000).chain((values) =>
  fc.array(
    fc.integer({ min: 0, max: values }).map((at) => Math.round((at / values) * 1000) / 10),
    {
      minLength: 1,
      maxLength: 500,
      size: 'max',
    },
  ),
);
const entry = (score: number | undefined): GradingEntry => ({
  score,
  tieBreak: undefined,
  attendance: undefined,
  late: undefined,
  isExcluded: false,
  byHand: undefined,
});
/** Seldom something else than a score: nothing, an exclusion, a poor attendance, a tie-break. */
const oddities = fc.array(
  fc.tuple(fc.nat({ max: 499 }), fc.constantFrom('no-score', 'excluded', 'absent', 'tie-break', 'by-hand')),
  { maxLength: 40 },
);
type Oddity = [at: number, what: string];

function classOf(scores: number[], odd: Oddity[], rules: Rules, withHand: boolean): GradingEntry[] {
  const entries = scores.map((score) => entry(score));
  const grades = manualGrades(rules);
  for (const [index, [at, what]] of odd.entries()) {
    const each = entries[at % entries.length];
    if (!each) continue;
    if (what === 'no-score') each.score = undefined;
    if (what === 'excluded') each.isExcluded = true;
    if (what === 'absent') each.attendance = 30;
    if (what === 'tie-break') each.tieBreak = index % 3;
    if (what === 'by-hand' && withHand) each.byHand = grades[(at + index) % grades.length];
  }
  return entries;
}

const anyClass = (withHand: boolean) =>
  fc
    .tuple(scores, oddities, rules)
    .map(([scores, odd, rules]) => ({ entries: classOf(scores, odd, rules, withHand), rules }));

const check = (
  withHand: boolean,
  property: (entries: GradingEntry[], rules: Rules, graded: Grading) => void,
): void => {
  fc.assert(
    fc.property(anyClass(withHand), ({ entries, rules }) => {
      property(entries, rules, gradeClass(entries, rules));
    }),
    options,
  );
};

/** Caps as a regulation tells them, counted anew. */
function expectWithinCaps(graded: Grading, rules: Rules): void {
  const caps = seatCaps(rules.shares[rules.method], graded.count);
  let used = 0;
  for (const [band, { grades }] of bandsOf(rules).entries()) {
    for (const grade of grades) used += graded.counts.get(grade) ?? 0;
    expect(used).toBeLessThanOrEqual(caps[band] ?? 0);
  }
}

test(
  'SCO-4 no class of any size makes the tool exceed a cap',
  () => {
    check(false, (_, rules, graded) => {
      expectWithinCaps(graded, rules);
      expect(graded.excess).toEqual([]);
    });
  },
  timeout,
);

test(
  'SCO-4 SCO-6 with grades by hand the tool adds nothing to a cap that they have filled',
  () => {
    check(true, (entries, rules, graded) => {
      const byHandAlone = entries.map((each) => (each.byHand ? each : { ...each, score: undefined }));
      const { bands } = gradeClass(byHandAlone, rules);
      for (const [band, { usedUpTo, cap }] of graded.bands.slice(0, -1).entries()) {
        // What stands by hand may be beyond it; the tool may not add to that.
        expect(usedUpTo).toBeLessThanOrEqual(Math.max(cap, bands[band]?.usedUpTo ?? 0));
      }
    });
  },
  timeout,
);

test(
  'SCO-4 equal scores get equal grades',
  () => {
    check(true, (entries, _, { outcomes }) => {
      const byScore = new Map<string, unknown>();
      for (const [index, each] of entries.entries()) {
        const { kind } = outcomes[index]?.why ?? {};
        if (kind !== 'seat' && kind !== 'floor') continue;
        const key = kind === 'floor' ? `${each.score}` : `${each.score} ${each.tieBreak ?? 'none'}`;
        const grade = outcomes[index]?.grade;
        expect(byScore.get(`${kind} ${key}`) ?? grade).toBe(grade);
        byScore.set(`${kind} ${key}`, grade);
      }
    });
  },
  timeout,
);

test(
  'SCO-4 a higher score never gets a lower grade, those set by hand or failed for their attendance aside',
  () => {
    check(true, (entries, _, { outcomes }) => {
      const ranked = entries
        .flatMap(({ score = 0, tieBreak }, index) => {
          const outcome = outcomes[index];
          const isRanked = outcome?.why.kind === 'seat' || outcome?.why.kind === 'floor';
          return isRanked && outcome.grade
            ? [{ score, tieBreak: tieBreak ?? -1, place: gradeRank(outcome.grade) }]
            : [];
        })
        .sort((a, b) => b.score - a.score || b.tieBreak - a.tieBreak);
      for (const [index, { place }] of ranked.slice(1).entries()) {
        expect(place).toBeGreaterThanOrEqual(ranked[index]?.place ?? 0);
      }
    });
  },
  timeout,
);

test(
  'SCO-4 seats add up: everyone not excluded has one grade, and what a band leaves the next one has',
  () => {
    check(true, (entries, _, { outcomes, counts, count, bands }) => {
      expect([...counts.values()].reduce((sum, each) => sum + each, 0)).toBe(count);
      expect(count).toBe(entries.filter(({ isExcluded }) => !isExcluded).length);
      expect(outcomes.filter(({ grade }) => grade === undefined)).toHaveLength(entries.length - count);
      let above = 0;
      for (const { cap, seats, used, usedUpTo, steps } of bands) {
        expect(seats).toBe(Math.max(0, cap - above));
        above += used;
        expect(usedUpTo).toBe(above);
        let below = 0;
        for (const step of steps) {
          expect(step.seats).toBeLessThanOrEqual(seats);
          expect(step.seats).toBeGreaterThanOrEqual(below);
          below = step.seats;
        }
      }
      expect(bands.at(-1)?.cap).toBe(count);
    });
  },
  timeout,
);

test(
  'SCO-12 who is not counted changes nobody else, and gets what the cut-offs give to a score like theirs',
  () => {
    fc.assert(
      fc.property(anyClass(true), fc.nat({ max: 499 }), ({ entries, rules }, at) => {
        const place = at % entries.length;
        const without = gradeClass(
          entries.filter((_, index) => index !== place),
          rules,
        );
        const outside = entries.map((each, index) =>
          index === place ? { ...each, byHand: undefined, isOutside: true } : each,
        );
        const graded = gradeClass(outside, rules);
        expect(graded.outcomes.filter((_, index) => index !== place)).toEqual(without.outcomes);
        expect([graded.count, graded.counts, graded.cutoffs]).toEqual([
          without.count,
          without.counts,
          without.cutoffs,
        ]);
        const own = graded.outcomes[place];
        if (own?.why.kind !== 'outside') return;
        const byCutoffs = gradeClass([{ ...entry(entries[place]?.score) }], {
          ...rules,
          cutoffs: graded.cutoffs,
        });
        expect(own.grade).toBe(byCutoffs.outcomes[0]?.grade);
      }),
      options,
    );
  },
  timeout,
);

test(
  'SCO-5 the order of rows is kept and no grade depends on it',
  () => {
    fc.assert(
      fc.property(anyClass(true), fc.integer(), ({ entries, rules }, turn) => {
        const { outcomes } = gradeClass(entries, rules);
        const shift = Math.abs(turn) % entries.length;
        const turned = gradeClass([...entries.slice(shift), ...entries.slice(0, shift)], rules).outcomes;
        const back = [...turned.slice(turned.length - shift), ...turned.slice(0, turned.length - shift)];
        expect(back.map(({ grade }) => grade)).toEqual(outcomes.map(({ grade }) => grade));
      }),
      options,
    );
  },
  timeout,
);

test(
  'SCO-6 the cut-offs that the seats show exceed no cap when they are set by hand',
  () => {
    check(false, (entries, rules, { cutoffs }) => {
      const again = gradeClass(entries, { ...rules, cutoffs });
      expectWithinCaps(again, rules);
      expect(again.count).toBe(entries.filter(({ isExcluded }) => !isExcluded).length);
    });
  },
  timeout,
);
