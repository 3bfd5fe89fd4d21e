import { expect, test } from 'vitest';
import { type GradingEntry, gradeClass } from '../../web/src/features/scores/grading/grading.ts';
import { type Grade } from '../../web/src/features/scores/grading/grades.ts';
import {
  type AttendanceRule,
  DEFAULT_RULES,
  type Rules,
} from '../../web/src/features/scores/grading/methods.ts';

/**
 * Caps as Korean universities have published them, each from the page named beside it as it read when this was
 * written. Regulations change: these are examples of the arithmetic and no statement of what is in force.
 */
type Regulation = {
  name: string;
  source: string;
  /** Percent of the class: at most so many A, and at most so many A and B. */
  a: number;
  ab: number;
  method: Rules['method'];
  /** Size of a class, then how many may have A and how many A or B. */
  examples: [size: number, a: number, ab: number][];
};

const regulations: Regulation[] = [
  {
    name: 'the specification, relative',
    source: 'docs/requirements.md, SCO-2',
    a: 30,
    ab: 70,
    method: 'relative',
    examples: [
      [10, 3, 7],
      [33, 9, 23],
      [120, 36, 84],
    ],
  },
  {
    name: 'Daegu University, from 2013: A within 20 %, A and B within 60 %',
    source: 'https://sociology.daegu.ac.kr/article/table_01/detail/134612',
    a: 20,
    ab: 60,
    method: 'relative',
    examples: [
      [24, 4, 14],
      [37, 7, 22],
      [50, 10, 30],
    ],
  },
  {
    name: 'Hannam University, 16 and more: A within 35 %, A and B within 75 %',
    source: 'http://hnu.kr/kor/guide/guide_03_11.html',
    a: 35,
    ab: 75,
    method: 'relative',
    examples: [
      [16, 5, 12],
      [31, 10, 23],
      [61, 21, 45],
    ],
  },
  {
    name: 'Hannam University, 15 and fewer: A within 40 %, no cap on B',
    source: 'http://hnu.kr/kor/guide/guide_03_11.html',
    a: 40,
    ab: 100,
    method: 'relaxed',
    examples: [
      [15, 6, 15],
      [8, 3, 8],
      [2, 0, 2],
    ],
  },
  {
    name: 'Ewha Womans University, 2014: A up to 35 %, C and D at least 25 %',
    source: 'http://inews.ewha.ac.kr/news/articleView.html?idxno=11451',
    a: 35,
    ab: 75,
    method: 'relative',
    examples: [
      [19, 6, 14],
      [43, 15, 32],
    ],
  },
  {
    name: 'Soongsil University, recommended for the first semester of 2021: A within 50 %, A and B within 80 %',
    source: 'http://www.ssunews.net/news/articleView.html?idxno=10056',
    a: 50,
    ab: 80,
    method: 'relative',
    examples: [
      [27, 13, 21],
      [41, 20, 32],
    ],
  },
  {
    name: 'Soongsil University, recommended for the second semester of 2021: A within 40 %, A and B within 80 %',
    source: 'http://www.ssunews.net/news/articleView.html?idxno=10056',
    a: 40,
    ab: 80,
    method: 'relative',
    examples: [
      [27, 10, 21],
      [41, 16, 32],
    ],
  },
  {
    name: 'Hanyang University, relative evaluation 4 of 2022: A up to 40 %, the others without a cap',
    source: 'https://hyds.hanyang.ac.kr/front/notice/unN/view?id=329',
    a: 40,
    ab: 100,
    method: 'relaxed',
    examples: [
      [29, 11, 29],
      [64, 25, 64],
    ],
  },
  {
    name: 'Seoul National University, advice for foreign languages graded absolutely: A up to 50 %',
    source: 'http://www.snunews.com/news/articleView.html?idxno=20479',
    a: 50,
    ab: 100,
    method: 'relaxed',
    examples: [
      [21, 10, 21],
      [40, 20, 40],
    ],
  },
];

const entry = (score: number, attendance?: number): GradingEntry => ({
  score,
  tieBreak: undefined,
  attendance,
  late: undefined,
  isExcluded: false,
  byHand: undefined,
});
const rulesOf = ({ method, a, ab }: Regulation): Rules => ({
  ...DEFAULT_RULES,
  method,
  shares: { ...DEFAULT_RULES.shares, [method]: [a, ab - a] },
});
const howMany = (entries: GradingEntry[], rules: Rules, ...letters: string[]) =>
  [...gradeClass(entries, rules).counts]
    .filter(([grade]) => letters.some((letter) => grade.startsWith(letter)))
    .reduce((sum, [, count]) => sum + count, 0);

const cases = regulations.flatMap((regulation) =>
  regulation.examples.map(([size, a, ab]) => ({ ...regulation, regulation, size, upToA: a, upToAB: ab })),
);

test.each(cases)(
  'SCO-4 $name: $size students, $upToA A, $upToAB A and B',
  ({ regulation, size, upToA, upToAB }) => {
    const rules = rulesOf(regulation);
    const distinct = Array.from({ length: size }, (_, place) => entry(100 - place / 10));
    expect(howMany(distinct, rules, 'A')).toBe(upToA);
    expect(howMany(distinct, rules, 'A', 'B')).toBe(upToAB);
    // In pairs of equals no cap is passed either.
    const pairs = Array.from({ length: size }, (_, place) => entry(100 - Math.floor(place / 2)));
    expect(howMany(pairs, rules, 'A')).toBeLessThanOrEqual(upToA);
    expect(howMany(pairs, rules, 'A', 'B')).toBeLessThanOrEqual(upToAB);
  },
);

/** Absences that fail, of so many sessions. */
const attendance: [name: string, source: string, threshold: number, sessions: number, fails: number][] = [
  ['Kunsan National University: a quarter or more', 'http://www.kunsan.ac.kr', 25, 30, 8],
  ['Cyber Hankuk University of Foreign Studies: a quarter or more', 'https://gs.cufs.ac.kr', 25, 16, 4],
  ['Busan Presbyterian University, divinity: a fifth or more', 'https://www.bpu.ac.kr', 20, 15, 3],
];

test.each(attendance)('SCO-7 %s (%s, %d %% of %d)', (_name, _source, threshold, sessions, fails) => {
  const rule: AttendanceRule = { meaning: 'absences', sessions, threshold, latesPerAbsence: 3 };
  const grade = (absences: number): Grade | undefined =>
    gradeClass([entry(90, absences)], { ...DEFAULT_RULES, method: 'absolute', attendance: rule }).outcomes[0]
      ?.grade;
  expect([grade(fails - 1), grade(fails)]).toEqual(['A', 'F']);
});
