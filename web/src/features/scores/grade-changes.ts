/** Whose grade a step has changed. */
import type { GradedClass } from './graded-class.ts';
import { placeOf, type Grade } from './scale.ts';

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
