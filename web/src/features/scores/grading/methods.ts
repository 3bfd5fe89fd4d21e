import { type Grade, type GradeScale, LETTER_GRADES, PASS_GRADES } from './grades.ts';

export type GradingMethod = 'relative' | 'relaxed' | 'absolute' | 'pass-fail';
export const GRADING_METHODS: readonly GradingMethod[] = ['relative', 'relaxed', 'absolute', 'pass-fail'];

export const methodLabels: Record<GradingMethod, string> = {
  relative: '상대평가',
  relaxed: '완화 상대평가',
  absolute: '절대평가',
  'pass-fail': 'Pass/Fail',
};

/** A band: grades that share seats, best first. The first is the + grade; the third, if any, the - grade. */
type Band = { name: string; grades: readonly Grade[] };

/** The bands of the methods, best first. The last band takes all remaining students and has no share. */
const letterBands: Record<GradeScale, readonly Band[]> = {
  plus: [
    { name: 'A', grades: ['A+', 'A'] },
    { name: 'B', grades: ['B+', 'B'] },
    { name: 'C', grades: ['C+', 'C'] },
  ],
  minus: [
    { name: 'A', grades: ['A+', 'A', 'A-'] },
    { name: 'B', grades: ['B+', 'B', 'B-'] },
    { name: 'C', grades: ['C+', 'C', 'C-'] },
  ],
};
const ownBands: Record<'absolute' | 'pass-fail', readonly Band[]> = {
  absolute: [
    { name: 'A+', grades: ['A+'] },
    { name: 'A', grades: ['A'] },
    { name: 'B+', grades: ['B+'] },
  ],
  'pass-fail': [
    { name: 'P', grades: ['P'] },
    { name: 'NP', grades: ['NP'] },
  ],
};

/** The percentage of each band except the last, of all students who are not excluded. */
export const DEFAULT_SHARES: Record<GradingMethod, readonly number[]> = {
  relative: [30, 40],
  relaxed: [40, 60],
  absolute: [50, 50],
  'pass-fail': [100],
};

/** Meaning of the attendance column; `off` until the user has chosen. */
export type AttendanceMeaning = 'off' | 'absences' | 'attended' | 'percent';

export type AttendanceRule = {
  meaning: AttendanceMeaning;
  /** Total number of sessions in the term. */
  sessions: number;
  /** Percentage of sessions: a student who is absent this often or more fails. */
  threshold: number;
  /** Number of late arrivals that count as one absence. */
  latesPerAbsence: number;
  /** Whether 0.95 as a percentage means 95 %; undefined until the user has answered. */
  areFractions?: boolean | undefined;
};

/** For each of these grades, the limit below which a score gets this grade at best. */
type Floors = Partial<Record<FloorGrade, number>>;
const FLOOR_GRADES = ['D+', 'D', 'D-', 'F'] as const;
export type FloorGrade = (typeof FLOOR_GRADES)[number];

/** The lowest score of each grade, except for the method's last grade. */
export type Cutoffs = Partial<Record<Grade, number>>;

export type Rounding = 'none' | 'down' | 'half-up';

export type Rules = {
  method: GradingMethod;
  /** The user's settings for each method. */
  shares: Record<GradingMethod, readonly number[]>;
  /** Whether there are minus grades; pass/fail and the absolute method have none. */
  scale: GradeScale;
  /** Percentage of students who may have a B, however few have an A; for the relative method only. */
  mostB?: number | undefined;
  /** Percentage of a band's seats for the + grade. */
  plusShare: number;
  /** Percentage of a band's seats for the - grade, if there is one. */
  minusShare: number;
  /** The regulation and kind of course from which the rules were taken (university-regulations.ts). */
  regulation: { id: string; kind: number } | undefined;
  rounding: Rounding;
  floors: Floors;
  attendance: AttendanceRule;
  /** Cut-offs set by hand, which replace the seats. */
  cutoffs: Cutoffs | undefined;
  /** Whether cut-offs ignore caps, as in a small class that a regulation allows to grade only by score. */
  isUncapped: boolean;
};

export const DEFAULT_RULES: Rules = {
  method: 'relative',
  shares: DEFAULT_SHARES,
  scale: 'plus',
  plusShare: 50,
  minusShare: 30,
  regulation: undefined,
  rounding: 'none',
  floors: {},
  attendance: { meaning: 'off', sessions: 30, threshold: 25, latesPerAbsence: 3 },
  cutoffs: undefined,
  isUncapped: false,
};

/** The effective shares of the bands, except for the last band. */
export function effectiveShares({ method, shares, cutoffs, isUncapped }: Rules): readonly number[] {
  return isUncapped && cutoffs ? shares[method].map((_, band) => (band === 0 ? 100 : 0)) : shares[method];
}

/** The settings that determine which grades exist. */
export type GradeSet = Pick<Rules, 'method' | 'scale'>;

export function bandsOf({ method, scale }: GradeSet): readonly Band[] {
  return method === 'relative' || method === 'relaxed' ? letterBands[scale] : ownBands[method];
}

/** The grades a method can assign, best first. */
export function assignableGrades(set: GradeSet): Grade[] {
  return bandsOf(set).flatMap(({ grades }) => grades);
}

/** The grades that can be set by hand. */
export function manualGrades({ method, scale }: GradeSet): readonly Grade[] {
  return method === 'pass-fail' ? PASS_GRADES : LETTER_GRADES[scale];
}

export function failGrade(method: GradingMethod): Grade {
  return method === 'pass-fail' ? 'NP' : 'F';
}

/** The grades that can have a floor. Pass/fail has one floor: a lower score fails. */
export function gradesWithFloor({ method, scale }: GradeSet): readonly FloorGrade[] {
  if (method === 'pass-fail') return ['F'];
  return FLOOR_GRADES.filter((grade) => LETTER_GRADES[scale].includes(grade));
}

export function gradeFloors(rules: Rules): [FloorGrade, number][] {
  return gradesWithFloor(rules).flatMap((grade): [FloorGrade, number][] => {
    const at = rules.floors[grade];
    return at === undefined ? [] : [[grade, at]];
  });
}

/**
 * Maximum number of students out of `count` in this and all better bands, for each band: the cumulative
 * share, rounded down. Integers (hundredths of a percent) avoid rounding errors: 70 % of 10 are 7, not 6.999.
 */
export function seatCaps(shares: readonly number[], count: number): number[] {
  let hundredths = 0;
  const caps = shares.map((share) => {
    hundredths = Math.min(10_000, hundredths + Math.round(share * 100));
    return Math.floor((hundredths * count) / 10_000);
  });
  return [...caps, count];
}

/** Maximum number of students out of `count` in each band alone; Infinity for a band without its own cap. */
export function bandCaps(rules: Rules, count: number): number[] {
  const { method, mostB, cutoffs, isUncapped } = rules;
  const isCapped = method === 'relative' && mostB !== undefined && !(isUncapped && cutoffs);
  return bandsOf(rules).map(({ name }) =>
    isCapped && name === 'B' ? (seatCaps([mostB], count)[0] ?? count) : Infinity,
  );
}

/**
 * For each grade of a band except the last, the seats down to this grade: the seats of the + grade and, with
 * minus grades, the seats of the + and 0 grades together.
 */
export function seatSteps(
  seats: number,
  grades: readonly Grade[],
  { plusShare, minusShare }: Pick<Rules, 'plusShare' | 'minusShare'>,
): number[] {
  const upTo = (percent: number) => Math.floor((seats * Math.round(percent * 100)) / 10_000);
  if (grades.length < 2) return [];
  return grades.length === 2
    ? [upTo(plusShare)]
    : [upTo(plusShare), upTo(Math.max(plusShare, 100 - minusShare))];
}
