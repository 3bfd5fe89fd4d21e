/** All grades, best first; P and NP are for pass/fail only. */
// prettier-ignore
const GRADES = ['A+', 'A', 'A-', 'B+', 'B', 'B-', 'C+', 'C', 'C-', 'D+', 'D', 'D-', 'F', 'P', 'NP'] as const;
export type Grade = (typeof GRADES)[number];

/** `plus`: two grades for each letter (A+, A). `minus`: three grades (A+, A, A-). */
export type GradeScale = 'plus' | 'minus';

const letters = GRADES.filter((grade) => grade !== 'P' && grade !== 'NP');

export const LETTER_GRADES: Record<GradeScale, readonly Grade[]> = {
  plus: letters.filter((grade) => !grade.endsWith('-')),
  minus: letters,
};
export const PASS_GRADES: readonly Grade[] = ['P', 'NP'];

/** How grades are written: A or A0, and N or NP for a fail in pass/fail. */
export type GradeNotation = { zero: 'A' | 'A0'; fail: 'N' | 'NP' };

const generatedScores: Partial<Record<Grade, number>> = {
  'A+': 100,
  A: 94,
  'A-': 93,
  'B+': 89,
  B: 84,
  'B-': 83,
  'C+': 79,
  C: 74,
  'C-': 73,
  'D+': 69,
  D: 64,
  'D-': 63,
};

/** The score for a grade, for systems that accept only scores; 0 for F, P and NP. */
export function scoreForGrade(grade: Grade): number {
  return generatedScores[grade] ?? 0;
}

export function gradeText(grade: Grade, { zero, fail }: GradeNotation): string {
  if (grade === 'NP') return fail;
  return zero === 'A0' && /^[A-D]$/.test(grade) ? `${grade}0` : grade;
}

/** The grade with the object particle: `A를`, `N을`. */
export function gradeAsObject(grade: Grade, style: GradeNotation): string {
  const text = gradeText(grade, style);
  return `${text}${text === 'N' ? '을' : '를'}`;
}

/** Rank of a grade; 0 is the best. */
export function gradeRank(grade: Grade): number {
  return GRADES.indexOf(grade);
}
