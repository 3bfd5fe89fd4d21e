/** From the work in progress to what the screen shows. */
import { type ClassRow, readClass } from '../columns/class-list.ts';
import { columnName } from '../columns/columns.ts';
import type { NonStudent } from '../columns/non-students.ts';
import { numberOf, textOf } from '../numbers.ts';
import { isWeightingReady, partName, weightedTotal } from '../weights/weighting.ts';
import type { Work } from '../work.ts';
import { gradeClass, type Graded, type Outcome, roundScore } from './grading.ts';
import { leftOutReason, reasonOf } from './reasons.ts';
import { gradesOf } from './rules.ts';
import { type Grade, placeOf } from './scale.ts';

/** A graded student as a table row. */
export type GradedRow = ClassRow & {
  grade: Grade | undefined;
  byHand: Grade | undefined;
  isExcluded: boolean;
  isOutside: boolean;
  /** Why the row does not look like a student, until the user includes it. */
  leftOut: NonStudent | undefined;
  /** Why the grade is this one, in words. */
  reason: () => string;
  flag: Flag | undefined;
};

/** What should be checked again. */
export type Flag = 'tie' | 'no-score' | 'missing-part' | 'absent' | 'no-attendance';

export type GradedClass = { rows: GradedRow[]; graded: Graded };

/** The students of the pasted table. Expensive, so computed once per paste and mapping. */
export function studentsOf({
  table,
  mapping,
  weighting,
}: Pick<Work, 'table' | 'mapping' | 'weighting'>): ClassRow[] {
  const students = readClass(table, mapping);
  if (!weighting || !isWeightingReady(weighting)) return students;
  const nameOf = (column: number) => columnName(table, mapping, column);
  for (const student of students) {
    const total = weightedTotal(table[student.row] ?? [], weighting);
    student.total = total;
    student.missingPart = total.failedBy && partName(total.failedBy, nameOf);
    student.score = total.total && numberOf(total.total);
    student.scoreCell = total.total ? textOf(total.total) : '';
  }
  return students;
}

export function gradeStudents(
  students: readonly ClassRow[],
  work: Pick<Work, 'rules' | 'style' | 'byHand' | 'excluded' | 'included' | 'outside'>,
): GradedClass {
  const { rules, style } = work;
  const allowed = new Set(gradesOf(rules));
  const excluded = new Set(work.excluded);
  const included = new Set(work.included);
  const outside = new Set(work.outside);
  const leftOutOf = ({ row, nonStudent }: ClassRow) => (included.has(row) ? undefined : nonStudent);
  const entries = students.map((student) => {
    const { row, score, tieBreak, attendance, late, missingPart } = student;
    const byHand = work.byHand[row];
    return {
      score,
      tieBreak,
      attendance,
      late,
      isExcluded: excluded.has(row) || leftOutOf(student) !== undefined,
      isOutside: outside.has(row),
      missingPart,
      byHand: byHand !== undefined && allowed.has(byHand) ? byHand : undefined,
    };
  });
  const graded = gradeClass(entries, rules);
  const rows = students.map((student, index): GradedRow => {
    const { isExcluded = false, isOutside = false, byHand } = entries[index] ?? {};
    const outcome = graded.outcomes[index] ?? { grade: undefined, why: { kind: 'excluded' } };
    const leftOut = leftOutOf(student);
    const score = student.score === undefined ? undefined : roundScore(student.score, rules.rounding);
    return {
      ...student,
      grade: outcome.grade,
      byHand,
      isExcluded,
      isOutside,
      leftOut,
      // Written when it is read: a moved cut-off grades everyone, the window shows thirty.
      reason: () =>
        leftOut
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
  if (why.kind === 'missing-part') return 'missing-part';
  if (why.kind === 'absent') return 'absent';
  const isUnread = rules.attendance.meaning !== 'off' && student.attendance === undefined;
  if (why.kind === 'excluded') return undefined;
  if (student.total?.parts.some(({ isMissing }) => isMissing) === true) return 'missing-part';
  return isUnread ? 'no-attendance' : undefined;
}

/** Whose grade a step has changed. */

export type GradeChange = {
  row: number;
  /** The name, or the id where there is none. */
  who: string;
  from: Grade | undefined;
  to: Grade | undefined;
  isBetter: boolean;
};

/** In the order of the table. Two classes of other rows have nothing in common. */
export function gradeChanges(before: GradedClass, now: GradedClass): GradeChange[] {
  if (before.rows.length !== now.rows.length) return [];
  return now.rows.flatMap(({ row, name, id, grade }, index): GradeChange[] => {
    const then = before.rows[index];
    if (!then || then.row !== row || then.grade === grade) return [];
    return [
      {
        row,
        who: name || id || `${row + 1}행`,
        from: then.grade,
        to: grade,
        isBetter: rank(grade) < rank(then.grade),
      },
    ];
  });
}

/** No grade is behind all grades. */
function rank(grade: Grade | undefined): number {
  return grade === undefined ? Infinity : placeOf(grade);
}
