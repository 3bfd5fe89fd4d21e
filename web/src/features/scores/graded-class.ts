/** From the work in progress to what the screen shows. */
import { readClass, type ClassRow } from './class-list.ts';
import { gradeClass, roundScore, type Graded, type Outcome } from './grading.ts';
import type { NonStudent } from './non-students.ts';
import { leftOutReason, reasonOf } from './reasons.ts';
import { gradesOf } from './rules.ts';
import type { Grade } from './scale.ts';
import { tableOf, type Work } from './class-work.ts';

/** A graded student as a table row. */
export type GradedRow = ClassRow & {
  grade: Grade | undefined;
  byHand: Grade | undefined;
  isExcluded: boolean;
  /** Why the row does not look like a student, until the user includes it. */
  leftOut: NonStudent | undefined;
  reason: string;
  flag: Flag | undefined;
};

/** What should be checked again. */
export type Flag = 'tie' | 'no-score' | 'absent' | 'no-attendance';

export type GradedClass = { rows: GradedRow[]; graded: Graded };

/** The students of the pasted text. Expensive, so computed once per paste and mapping. */
export function studentsOf({ text, mapping }: Pick<Work, 'text' | 'mapping'>): ClassRow[] {
  return readClass(tableOf(text), mapping);
}

export function gradeStudents(
  students: readonly ClassRow[],
  work: Pick<Work, 'rules' | 'style' | 'byHand' | 'excluded' | 'included'>,
): GradedClass {
  const { rules, style } = work;
  const allowed = new Set(gradesOf(rules.method));
  const excluded = new Set(work.excluded);
  const included = new Set(work.included);
  const leftOutOf = ({ row, nonStudent }: ClassRow) => (included.has(row) ? undefined : nonStudent);
  const entries = students.map((student) => {
    const { row, score, tieBreak, attendance, late } = student;
    const byHand = work.byHand[row];
    return {
      score,
      tieBreak,
      attendance,
      late,
      isExcluded: excluded.has(row) || leftOutOf(student) !== undefined,
      byHand: byHand !== undefined && allowed.has(byHand) ? byHand : undefined,
    };
  });
  const graded = gradeClass(entries, rules);
  const rows = students.map((student, index): GradedRow => {
    const { isExcluded = false, byHand } = entries[index] ?? {};
    const outcome = graded.outcomes[index] ?? { grade: undefined, why: { kind: 'excluded' } };
    const leftOut = leftOutOf(student);
    const score = student.score === undefined ? undefined : roundScore(student.score, rules.rounding);
    return {
      ...student,
      grade: outcome.grade,
      byHand,
      isExcluded,
      leftOut,
      reason: leftOut
        ? leftOutReason(leftOut)
        : reasonOf({ outcome, rules, style, score, cell: student.scoreCell }),
      flag: flagOf(outcome, student, work),
    };
  });
  return { rows, graded };
}

function flagOf({ why }: Outcome, student: ClassRow, { rules }: Pick<Work, 'rules'>): Flag | undefined {
  if (why.kind === 'seat' && why.tie) return 'tie';
  if (why.kind === 'no-score') return 'no-score';
  if (why.kind === 'absent') return 'absent';
  const isUnread = rules.attendance.meaning !== 'off' && student.attendance === undefined;
  return isUnread && why.kind !== 'excluded' ? 'no-attendance' : undefined;
}
