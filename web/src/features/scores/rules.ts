import { LETTER_GRADES, PASS_GRADES, type Grade } from './scale.ts';

export type Method = 'relative' | 'relaxed' | 'absolute' | 'pass-fail';
export const METHODS: readonly Method[] = ['relative', 'relaxed', 'absolute', 'pass-fail'];

/** Grades that share seats; of two, the first is the + grade. */
type Band = { name: string; grades: readonly [Grade] | readonly [Grade, Grade] };

/** The bands of each method, best first. The last one takes the rest and has no share. */
const methodBands: Record<Method, readonly Band[]> = {
  relative: letterBands(),
  relaxed: letterBands(),
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

/** Percentage of all students not excluded, for each band but the last. */
export const DEFAULT_SHARES: Record<Method, readonly number[]> = {
  relative: [30, 40],
  relaxed: [40, 60],
  absolute: [50, 50],
  'pass-fail': [100],
};

/** What the attendance column counts. `off` until the user says so. */
export type AttendanceMeaning = 'off' | 'absences' | 'attended' | 'percent';

export type AttendanceRule = {
  meaning: AttendanceMeaning;
  /** Total number of sessions in the term. */
  sessions: number;
  /** Percentage of the sessions; being absent as often or more is a fail. */
  threshold: number;
  /** Number of late arrivals that count as one absence. */
  latesPerAbsence: number;
};

/** Best possible grade for a score below it. */
type Floors = Partial<Record<FloorGrade, number>>;
export const FLOOR_GRADES = ['D+', 'D', 'F'] as const;
export type FloorGrade = (typeof FLOOR_GRADES)[number];

/** The lowest score of each grade but the method's last one. */
export type Cutoffs = Partial<Record<Grade, number>>;

export type Rounding = 'none' | 'down' | 'half-up';

export type Rules = {
  method: Method;
  /** The user's settings for each method. */
  shares: Record<Method, readonly number[]>;
  /** Percentage of a band's seats that get the + grade. */
  plusShare: number;
  rounding: Rounding;
  floors: Floors;
  attendance: AttendanceRule;
  /** Set by hand; they replace the seats. */
  cutoffs: Cutoffs | undefined;
};

export const DEFAULT_RULES: Rules = {
  method: 'relative',
  shares: DEFAULT_SHARES,
  plusShare: 50,
  rounding: 'none',
  floors: {},
  attendance: { meaning: 'off', sessions: 30, threshold: 25, latesPerAbsence: 3 },
  cutoffs: undefined,
};

export function bandsOf(method: Method): readonly Band[] {
  return methodBands[method];
}

/** The grades a method can assign, best first. */
export function ladderOf(method: Method): Grade[] {
  return bandsOf(method).flatMap(({ grades }) => grades);
}

/** The grades that can be set by hand. */
export function gradesOf(method: Method): readonly Grade[] {
  return method === 'pass-fail' ? PASS_GRADES : LETTER_GRADES;
}

export function failOf(method: Method): Grade {
  return method === 'pass-fail' ? 'NP' : 'F';
}

/** Pass/fail has one floor, below which is a fail. */
export function floorsOf({ method, floors }: Rules): [FloorGrade, number][] {
  const grades = method === 'pass-fail' ? (['F'] as const) : FLOOR_GRADES;
  return grades.flatMap((grade): [FloorGrade, number][] => {
    const at = floors[grade];
    return at === undefined ? [] : [[grade, at]];
  });
}

/**
 * Maximum number of students out of `count` in the first bands together, for each band: the cumulative share, rounded
 * down. Computed in hundredths of a percent as integers, so that 30 + 40 of 10 are 7 and never 6.999.
 */
export function seatCaps(shares: readonly number[], count: number): number[] {
  let hundredths = 0;
  const caps = shares.map((share) => {
    hundredths = Math.min(10_000, hundredths + Math.round(share * 100));
    return Math.floor((hundredths * count) / 10_000);
  });
  return [...caps, count];
}

/** How many of `seats` get the + grade. */
export function plusSeats(seats: number, plusShare: number): number {
  return Math.floor((seats * Math.round(plusShare * 100)) / 10_000);
}

function letterBands(): Band[] {
  return [
    { name: 'A', grades: ['A+', 'A'] },
    { name: 'B', grades: ['B+', 'B'] },
    { name: 'C', grades: ['C+', 'C'] },
  ];
}
