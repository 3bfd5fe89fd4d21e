import { describe, expect, test } from 'vitest';
import { type GradingEntry, gradeClass } from '../../web/src/features/scores/grading/grading.ts';
import {
  scoreForGrade,
  type Grade,
  gradeText,
  LETTER_GRADES,
  PASS_GRADES,
} from '../../web/src/features/scores/grading/grades.ts';
import {
  type AttendanceRule,
  DEFAULT_RULES,
  GRADING_METHODS,
  type Rules,
} from '../../web/src/features/scores/grading/methods.ts';
import { words } from '../support/words.ts';

const entry = (score: number | undefined, rest: Partial<GradingEntry> = {}): GradingEntry => ({
  score,
  tieBreak: undefined,
  attendance: undefined,
  late: undefined,
  isExcluded: false,
  byHand: undefined,
  ...rest,
});
/** `count` students with scores from 100 downwards, all different. */
const distinct = (count: number, change: (place: number) => Partial<GradingEntry> = () => ({})) =>
  Array.from({ length: count }, (_, place) => entry(100 - place / 10, change(place)));
const rules = (change: Partial<Rules>): Rules => ({ ...DEFAULT_RULES, ...change });
const gradesOf = (entries: GradingEntry[], change: Partial<Rules> = {}) =>
  gradeClass(entries, rules(change)).outcomes.map(({ grade }) => grade);
const countsOf = (entries: GradingEntry[], change: Partial<Rules> = {}) =>
  Object.fromEntries(gradeClass(entries, rules(change)).counts);

describe('the four methods', () => {
  test('SCO-2 relative: A for 30 %, B for 40 % and C for the rest, half of each with +', () => {
    expect(gradesOf(distinct(10))).toEqual(['A+', 'A', 'A', 'B+', 'B+', 'B', 'B', 'C+', 'C', 'C']);
    expect(countsOf(distinct(40))).toEqual({ 'A+': 6, A: 6, 'B+': 8, B: 8, 'C+': 6, C: 6 });
  });

  test('SCO-2 relaxed relative: A for 40 % and B for the rest', () => {
    expect(gradesOf(distinct(10), { method: 'relaxed' })).toEqual(words('A+ A+ A A B+ B+ B+ B B B'));
  });

  test('SCO-2 absolute: A+ for half and A for the rest; pass/fail: P for all', () => {
    expect(gradesOf(distinct(5), { method: 'absolute' })).toEqual(['A+', 'A+', 'A', 'A', 'A']);
    expect(gradesOf(distinct(3), { method: 'pass-fail' })).toEqual(['P', 'P', 'P']);
  });

  test('SCO-2 shares and the + split can be edited; whom no share takes gets the next lower grade', () => {
    const shares = { ...DEFAULT_RULES.shares, relaxed: [20, 30], 'pass-fail': [50], absolute: [25, 25] };
    const of = (change: Partial<Rules>) => countsOf(distinct(10), { shares, ...change });
    expect(of({ method: 'relaxed', plusShare: 0 })).toEqual({ A: 2, B: 3, C: 5 });
    expect(of({ method: 'relaxed', plusShare: 100 })).toEqual({ 'A+': 2, 'B+': 3, 'C+': 5 });
    expect(of({ method: 'pass-fail' })).toEqual({ P: 5, NP: 5 });
    expect(of({ method: 'absolute' })).toEqual({ 'A+': 2, A: 3, 'B+': 5 });
  });
});

describe('the scale', () => {
  test('SCO-3 every grade has its generated score, 0 for F, P and NP', () => {
    expect([...LETTER_GRADES.plus, ...PASS_GRADES].map((grade) => [grade, scoreForGrade(grade)])).toEqual([
      ['A+', 100],
      ['A', 94],
      ['B+', 89],
      ['B', 84],
      ['C+', 79],
      ['C', 74],
      ['D+', 69],
      ['D', 64],
      ['F', 0],
      ['P', 0],
      ['NP', 0],
    ]);
    expect(LETTER_GRADES.plus).toEqual(['A+', 'A', 'B+', 'B', 'C+', 'C', 'D+', 'D', 'F']);
  });

  test('SCO-3 grades are written as A or as A0, a fail of pass/fail as N or as NP', () => {
    const written = (zero: 'A' | 'A0', fail: 'N' | 'NP') =>
      (['A+', 'A', 'D', 'F', 'P', 'NP'] as const).map((grade) => gradeText(grade, { zero, fail }));
    expect(written('A', 'N')).toEqual(['A+', 'A', 'D', 'F', 'P', 'N']);
    expect(written('A0', 'NP')).toEqual(['A+', 'A0', 'D0', 'F', 'P', 'NP']);
  });

  test('SCO-3 scores are rounded before they are compared: not at all, down, or half up', () => {
    const entries = [entry(89.6), entry(89.5), entry(89.4), ...distinct(7).map(() => entry(10))];
    const of = (rounding: Rules['rounding']) => gradesOf(entries, { rounding }).slice(0, 3);
    expect(of('none')).toEqual(['A+', 'A', 'A']);
    expect(of('down')).toEqual(['A', 'A', 'A']);
    expect(of('half-up')).toEqual(['A', 'A', 'A']);
    const atFloor = (rounding: Rules['rounding']) =>
      gradesOf([entry(59.5), entry(59.4)], { rounding, floors: { F: 60 } });
    expect(atFloor('none')).toEqual(['F', 'F']);
    expect(atFloor('down')).toEqual(['F', 'F']);
    expect(atFloor('half-up')).toEqual(['B', 'F']);
  });
});

describe('ties', () => {
  test('SCO-4 equals that would cross a cap fall whole to the lower grade and are flagged', () => {
    const { outcomes, bands } = gradeClass(
      [90, 80, 80, 80, 70, 60, 50, 40, 30, 20].map((score) => entry(score)),
      DEFAULT_RULES,
    );
    expect(outcomes.map(({ grade }) => grade)).toEqual(words('A+ B+ B+ B+ B B B C+ C C'));
    expect(outcomes.map(({ why }) => why.kind === 'seat' && why.tie !== undefined)).toEqual(
      [1, 2, 2, 2, 1, 1, 1, 1, 1, 1].map((size) => size === 2),
    );
    // The two seats of A that they left are there for B.
    expect(bands.map(({ seats, used }) => [seats, used])).toEqual([
      [3, 1],
      [6, 6],
      [3, 3],
    ]);
  });

  test('SCO-4 whom a full grade passes by without a tie is not flagged', () => {
    const { outcomes } = gradeClass(distinct(10), DEFAULT_RULES);
    expect(outcomes.some(({ why }) => why.kind === 'seat' && why.tie)).toBe(false);
  });

  test('SCO-4 a second column parts equals; who has nothing there is behind', () => {
    const [a, b, c, ...others] = [
      entry(90, { tieBreak: 5 }),
      entry(90, { tieBreak: 9 }),
      entry(90),
      ...[70, 60, 50, 40, 30, 20, 10].map((score) => entry(score)),
    ];
    if (!a || !b || !c) throw new Error('three equals');
    expect(gradesOf([a, b, c, ...others]).slice(0, 3)).toEqual(['A', 'A+', 'A']);
  });
});

describe('what decides before the seats', () => {
  test('SCO-4 no score is F, or N in pass/fail, and takes no seat of the better grades', () => {
    const entries = [entry(undefined), ...distinct(9)];
    expect(gradesOf(entries)[0]).toBe('F');
    expect(gradesOf(entries, { method: 'pass-fail' })[0]).toBe('NP');
    expect(countsOf(entries)).toMatchObject({ 'A+': 1, A: 2, 'B+': 2, B: 2 });
  });

  test('SCO-4 floors give D+, D and F below them, also to who has a seat by rank', () => {
    const floors = { 'D+': 70, D: 65, F: 60 };
    const scores = [75, 70, 69.9, 65, 64.9, 60, 59.9];
    expect(
      gradesOf(
        scores.map((score) => entry(score)),
        { floors, method: 'relaxed' },
      ),
    ).toEqual(['A+', 'A', 'D+', 'D+', 'D', 'D', 'F']);
    expect(gradesOf([entry(59), entry(60)], { floors, method: 'pass-fail' })).toEqual(['NP', 'P']);
  });

  test('SCO-6 a grade set by hand takes its seat first, and the rule stays within the caps', () => {
    const set = (at: number, byHand: Grade) => distinct(10, (place) => (place === at ? { byHand } : {}));
    // The last one gets an A by hand: two seats of A are left for the best.
    expect(gradesOf(set(9, 'A'))).toEqual(['A+', 'A', 'B+', 'B+', 'B', 'B', 'C+', 'C', 'C', 'A']);
    // A B by hand leaves A alone.
    expect(gradesOf(set(9, 'B')).slice(0, 7)).toEqual(['A+', 'A', 'A', 'B+', 'B+', 'B', 'C+']);
    // The first one gets an F by hand: the next ones move up.
    expect(gradesOf(set(0, 'F')).slice(0, 4)).toEqual(['F', 'A+', 'A', 'A']);
  });

  test('SCO-7 the excluded get no grade, and the shares are taken of the others', () => {
    const entries = distinct(12, (place) => ({ isExcluded: place < 2 }));
    const { outcomes, count } = gradeClass(entries, DEFAULT_RULES);
    expect(count).toBe(10);
    expect(outcomes.slice(0, 5).map(({ grade }) => grade)).toEqual([undefined, undefined, 'A+', 'A', 'A']);
  });

  const attendance = (rule: Partial<AttendanceRule>) => ({
    attendance: { ...DEFAULT_RULES.attendance, ...rule },
  });
  test.each([
    ['absences', [7, 8, 7.5], [false, true, true]],
    ['attended', [23, 22, 22.5], [false, true, true]],
    ['percent', [76, 75, 74], [false, true, true]],
  ] as const)('SCO-7 absent a quarter or more is F: the column means %s', (meaning, cells, fails) => {
    const entries = cells.map((cell) => entry(90, { attendance: cell }));
    const of = (method: Rules['method']) => gradesOf(entries, { method, ...attendance({ meaning }) });
    expect(of('absolute').map((grade) => grade === 'F')).toEqual(fails);
    expect(of('pass-fail').map((grade) => grade === 'NP')).toEqual(fails);
  });

  test('SCO-7 the rule is off until the column has a meaning; sessions, threshold and lateness can be set', () => {
    const grade = (cell: Partial<GradingEntry>, rule: Partial<AttendanceRule>) =>
      gradesOf([entry(90, cell)], { method: 'absolute', ...attendance(rule) })[0];
    expect(grade({ attendance: 30 }, {})).toBe('A');
    expect(grade({ attendance: 4 }, { meaning: 'absences', sessions: 16 })).toBe('F');
    expect(grade({ attendance: 4 }, { meaning: 'absences', sessions: 16, threshold: 33.3 })).toBe('A');
    expect(grade({ attendance: 7, late: 2 }, { meaning: 'absences' })).toBe('A');
    expect(grade({ attendance: 7, late: 3 }, { meaning: 'absences' })).toBe('F');
    expect(grade({ attendance: 23, late: 3 }, { meaning: 'attended' })).toBe('F');
    expect(grade({ attendance: 7, late: 3 }, { meaning: 'absences', latesPerAbsence: 4 })).toBe('A');
    // What cannot be read is not held against anybody.
    expect(grade({}, { meaning: 'absences' })).toBe('A');
    // A grade by hand is above the rule.
    expect(grade({ attendance: 30, byHand: 'B' }, { meaning: 'absences' })).toBe('B');
  });
});

describe('cut-offs', () => {
  test('SCO-6 the seats show as cut-offs, and the same cut-offs set by hand change nothing', () => {
    for (const method of GRADING_METHODS) {
      const entries = [91, 88, 88, 80, 77, 76, 70, 61, 60, 60, 40].map((score) => entry(score));
      const { cutoffs, outcomes } = gradeClass(entries, rules({ method }));
      const again = gradeClass(entries, rules({ method, cutoffs }));
      expect(again.outcomes.map(({ grade }) => grade)).toEqual(outcomes.map(({ grade }) => grade));
      expect(again.excess).toEqual([]);
    }
  });

  test('SCO-6 SCO-17 a grade better than all given has no cut-off, and nobody outside the count gets it', () => {
    const equals = Array.from({ length: 10 }, () => entry(62.5));
    const outside = [100, 63, 62.5, 10].map((score) => entry(score, { isOutside: true }));
    const { cutoffs, outcomes } = gradeClass([...equals, ...outside], DEFAULT_RULES);
    expect(cutoffs).toEqual({});
    expect(new Set(outcomes.map(({ grade }) => grade))).toEqual(new Set(['C']));
    // Between two grades that somebody has, one that nobody has shares the cut-off of the better.
    const tied = gradeClass(
      [90, 80, 80, 80, 70].map((score) => entry(score)),
      {
        ...DEFAULT_RULES,
        shares: { ...DEFAULT_RULES.shares, relative: [20, 60] },
      },
    );
    expect(tied.cutoffs).toEqual({ A: 90, 'B+': 90, B: 80, 'C+': 80 });
  });

  test('SCO-6 cut-offs set by hand take the place of the seats, and what is beyond a cap is told', () => {
    const { outcomes, excess } = gradeClass(
      [95, 90, 85, 80, 75, 70].map((score) => entry(score)),
      rules({ cutoffs: { 'A+': 95, A: 85, 'B+': 80, B: 75, 'C+': 70 } }),
    );
    expect(outcomes.map(({ grade }) => grade)).toEqual(['A+', 'A', 'A', 'B+', 'B', 'C+']);
    expect(excess).toEqual([
      { name: 'A', used: 3, cap: 1 },
      { name: 'A+', used: 1, cap: 0 },
      { name: 'A·B', used: 5, cap: 4 },
      { name: 'B+', used: 1, cap: 0 },
    ]);
  });
});
