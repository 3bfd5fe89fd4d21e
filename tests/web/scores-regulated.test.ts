import { fewOrMany, someOrAll } from '../support/counts.ts';
import { expect, test } from 'vitest';
import { type GradingEntry, gradeClass } from '../../web/src/features/scores/grading/grading.ts';
import {
  isAsRegulated,
  courseKindForSize,
  regulatedRules,
  resetCutoffs,
  unregulatedRules,
} from '../../web/src/features/scores/grading/regulated.ts';
import { REGULATIONS } from '../../web/src/features/scores/grading/university-regulations.ts';
import { DEFAULT_RULES, type Rules } from '../../web/src/features/scores/grading/methods.ts';

/** What each rule gives to a class, reckoned by hand from the source: size, kind, then at most so many A, and A and B. */
const examples: Record<string, [size: number, kind: string, a: number, upToB: number][]> = {
  snu: [
    [33, '상대평가 교과목', 9, 23],
    [120, '상대평가 교과목', 36, 84],
  ],
  seoultech: [
    [40, '상대평가', 12, 28],
    [9, '수강 인원 10명 미만', 3, 7],
  ],
  hannam: [
    [16, '수강 인원 16명 이상', 5, 12],
    [15, '수강 인원 15명 이하', 6, 15],
    [61, '수강 인원 16명 이상', 21, 45],
  ],
  'hannam-2019': [[43, '교양과목', 10, 25]],
  dongguk: [[27, '교양·전공기초, 전공전문, 외국어강의', 8, 18]],
  inha: [
    [41, '일반', 14, 32],
    [20, '수강 인원 20명 이하', 8, 18],
  ],
  cau: [[45, '2022학년도 1학기 (완화)', 22, 40]],
  skku: [[31, '상대평가', 15, 27]],
  ewha: [[43, '상대평가 교과목', 15, 32]],
  'hanyang-2024': [[50, '상대평가1 (이론)', 15, 35]],
  hanyang: [[29, '상대평가 4', 11, 29]],
  // B alone within 40 %: 14 of 37, and not the 15 that A and B together would leave.
  daegu: [[37, '상대평가 교과목', 7, 21]],
  cuk: [[50, '상대평가', 15, 35]],
  dcu: [[77, '상대평가', 23, 53]],
};

const entry = (score: number): GradingEntry => ({
  score,
  tieBreak: undefined,
  attendance: undefined,
  late: undefined,
  isExcluded: false,
  byHand: undefined,
});
const distinct = (size: number) => Array.from({ length: size }, (_, place) => entry(100 - place / 10));
const howMany = (entries: GradingEntry[], rules: Rules, ...letters: string[]) =>
  [...gradeClass(entries, rules).counts]
    .filter(([grade]) => letters.some((letter) => grade.startsWith(letter)))
    .reduce((sum, [, count]) => sum + count, 0);

test('SCO-12 at least eight universities are there, each with where it was published and when', () => {
  expect(new Set(REGULATIONS.map(({ university }) => university.split(' ')[0])).size).toBeGreaterThanOrEqual(
    8,
  );
  for (const { source, since, kinds } of REGULATIONS) {
    expect(source.url).toMatch(/^https?:\/\/[^/]+\//);
    expect(source.date).toMatch(/^(\d{4}-\d\d-\d\d|\d{4}년|날짜 없음)$/);
    expect([since === '', kinds.length]).not.toContain(0);
  }
  expect(REGULATIONS.map(({ id }) => id).toSorted()).toEqual(Object.keys(examples).toSorted());
});

test.each(REGULATIONS)('SCO-12 $university: its caps for a class of its size', (regulation) => {
  for (const [size, name, a, upToB] of examples[regulation.id] ?? []) {
    const kind = courseKindForSize(regulation, size);
    expect(regulation.kinds[kind]?.name).toBe(name);
    const rules = regulatedRules(DEFAULT_RULES, regulation, kind);
    expect(isAsRegulated(rules)).toBe(true);
    expect([howMany(distinct(size), rules, 'A'), howMany(distinct(size), rules, 'A', 'B')]).toEqual([
      a,
      upToB,
    ]);
    const pairs = Array.from({ length: size }, (_, place) => entry(100 - Math.floor(place / 2)));
    expect(howMany(pairs, rules, 'A')).toBeLessThanOrEqual(a);
    expect(howMany(pairs, rules, 'A', 'B')).toBeLessThanOrEqual(upToB);
  }
});

const named = (id: string) => {
  const found = REGULATIONS.find((each) => each.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};

test('SCO-12 of Seoultech A+ is at most 15 % and B+ at most 50 % of the class', () => {
  const rules = regulatedRules(DEFAULT_RULES, named('seoultech'), 0);
  expect(howMany(distinct(40), rules, 'A+')).toBe(6);
  expect(howMany(distinct(40), rules, 'A', 'B+')).toBe(20);
});

test('SCO-12 a regulation with minus grades gives them, one without does not', () => {
  const minus = gradeClass(distinct(100), regulatedRules(DEFAULT_RULES, named('hannam'), 0));
  expect([...minus.counts]).toEqual([
    ['A+', 17],
    ['A', 7],
    ['A-', 11],
    ['B+', 20],
    ['B', 8],
    ['B-', 12],
    ['C+', 12],
    ['C', 5],
    ['C-', 8],
  ]);
  expect(minus.bands[0]?.steps).toEqual([
    { name: 'A+', seats: 17, used: 17 },
    { name: 'A+와 A0', seats: 24, used: 24 },
  ]);
  const plus = gradeClass(distinct(100), regulatedRules(DEFAULT_RULES, named('inha'), 0));
  expect([...plus.counts.keys()]).toEqual(['A+', 'A', 'B+', 'B', 'C+', 'C']);
});

test('SCO-12 a small class is graded by its scores where the regulation lets it, and has no cap to exceed', () => {
  const dongguk = named('dongguk');
  const kind = courseKindForSize(dongguk, 9);
  const rules = regulatedRules(DEFAULT_RULES, dongguk, kind);
  const scores = [97, 95, 94.9, 90, 85, 80, 74, 66, 59];
  const { outcomes, excess } = gradeClass(scores.map(entry), rules);
  expect(outcomes.map(({ grade }) => grade)).toEqual(['A+', 'A+', 'A', 'A', 'B+', 'B', 'C', 'D+', 'F']);
  expect(excess).toEqual([]);
  // Moved cut-offs return to the regulation's; without it, there are seats again.
  expect(resetCutoffs(rules).cutoffs).toEqual(rules.cutoffs);
  expect(unregulatedRules(rules)).toEqual({ ...DEFAULT_RULES, attendance: rules.attendance });
  expect(regulatedRules(rules, dongguk, 0)).toMatchObject({
    cutoffs: undefined,
    floors: {},
    isUncapped: false,
  });
});

test('SCO-12 absences beyond what the source allows fail, and what it does not say stays as it was', () => {
  const own: Rules = { ...DEFAULT_RULES, rounding: 'down', floors: { F: 40 } };
  expect(regulatedRules(own, named('inha'), 0)).toMatchObject({ rounding: 'down', floors: { F: 40 } });
  const { attendance } = regulatedRules(own, named('seoultech'), 0);
  const fails = (absences: number) =>
    gradeClass([{ ...entry(90), attendance: absences }], {
      ...own,
      attendance: { ...attendance, meaning: 'absences', sessions: 30 },
    }).outcomes[0]?.grade === 'F';
  expect([fails(10), fails(11)]).toEqual([false, true]);
});

test('SCO-12 rules that were changed by hand are no longer those of the regulation', () => {
  const rules = regulatedRules(DEFAULT_RULES, named('ewha'), 0);
  expect(isAsRegulated({ ...rules, shares: { ...rules.shares, relative: [36, 39] } })).toBe(false);
  expect(isAsRegulated({ ...rules, method: 'relaxed' })).toBe(false);
  expect(isAsRegulated({ ...rules, regulation: undefined })).toBe(false);
});

/** Percent of the class that a source allows: A, A and B, and B alone, typed anew from the tables that docs/grading.md names. */
const alone: [id: string, a: number, upToB: number, b: number][] = [
  ['ewha', 35, 75, 50],
  ['daegu', 20, 60, 40],
  ['dcu', 30, 70, 40],
];

test.each(alone)(
  'SCO-18 of %s B alone is within its own maximum, even where ties leave A empty',
  (id, a, upToB, b) => {
    const rules = regulatedRules(DEFAULT_RULES, named(id), 0);
    const part = (percent: number) => Math.floor((percent * 100) / 100);
    expect(howMany(distinct(100), rules, 'A')).toBe(part(a));
    expect(howMany(distinct(100), rules, 'B')).toBe(part(upToB - a));
    // More equals ahead than A holds: all seats down to B are for B, but no more than B alone may have.
    const tied = distinct(100).map((each, place) => (place <= a ? entry(100) : each));
    expect(howMany(tied, rules, 'A')).toBe(0);
    expect(howMany(tied, rules, 'B')).toBe(part(Math.min(b, upToB)));
    expect(gradeClass(tied, rules).excess).toEqual([]);
    // By hand it can be exceeded, and that is told.
    const byHand = distinct(100).map((each, place) =>
      Object.assign(each, { byHand: place <= b ? ('B' as const) : ('C' as const) }),
    );
    expect(gradeClass(byHand, rules).excess).toContainEqual({ name: 'B', used: b + 1, cap: b });
  },
);

test('SCO-18 without a regulation B alone has no maximum, and one that was edited is no longer the regulation', () => {
  const rules = regulatedRules(DEFAULT_RULES, named('daegu'), 0);
  expect(regulatedRules(rules, named('inha'), 0).mostB).toBeUndefined();
  expect(isAsRegulated({ ...rules, mostB: 45 })).toBe(false);
  expect(howMany(distinct(10), { ...rules, method: 'relaxed' }, 'B')).toBe(6);
});

/** Classes with ties of every kind: none, pairs, one large group at each place, few values. */
function classesOf(size: number): GradingEntry[][] {
  const of = (score: (place: number) => number) =>
    Array.from({ length: size }, (_, place) => entry(score(place)));
  const groups = [0, 0.1, 0.2, 0.3, 0.5, 0.7].map((start) => {
    const [first, last] = [start * size, (start + 0.35) * size];
    return of((place) =>
      place >= first && place <= last ? 50.5 : 100 - place / 2 + (place < first ? 100 : -100),
    );
  });
  return [
    of((place) => 100 - place / 10),
    of((place) => -Math.floor(place / 2)),
    of((place) => -(place % 4)),
    of(() => 80),
    ...groups,
  ];
}

test(
  'SCO-18 no regulation, kind and size with any ties makes the tool pass a published cap',
  () => {
    const sizes = Array.from({ length: 200 }, (_, at) => at + 1);
    for (const regulation of REGULATIONS) {
      for (const [kind, { caps }] of regulation.kinds.entries()) {
        if (caps === 'absolute') continue;
        const rules = regulatedRules(DEFAULT_RULES, regulation, kind);
        for (const size of someOrAll(8, sizes)) {
          const most = (percent = 100) => Math.floor((percent * size) / 100);
          const past = classesOf(size).filter((entries) => {
            const count = (...letters: string[]) => howMany(entries, rules, ...letters);
            return (
              count('A') > most(caps.a) || count('A', 'B') > most(caps.upToB) || count('B') > most(caps.b)
            );
          });
          expect(past, `${regulation.id} ${kind} ${size}`).toEqual([]);
        }
      }
    }
  },
  fewOrMany(120_000, 900_000),
);
