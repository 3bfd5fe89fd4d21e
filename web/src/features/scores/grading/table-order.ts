/** Sorts the rows of a class's table, for the screen and for copies. */
import { type Column, sortRowsByColumn, type SortOrder } from '../../../components/table-column.ts';
import type { GradedRow } from './graded-class.ts';
import { gradeRank } from './grades.ts';

type SortValue = NonNullable<Column<GradedRow>['sortValue']>;

/** The sort value of each sortable column. */
export const sortValues = {
  name: ({ name }) => name,
  id: ({ id }) => id,
  score: ({ score }) => score ?? null,
  attendance: ({ attendance }) => attendance ?? null,
  grade: ({ grade }) => (grade === undefined ? null : gradeRank(grade)),
} satisfies Record<string, SortValue>;

/** The rows in the order of the table. */
export function rowsInOrder(rows: readonly GradedRow[], order: SortOrder | undefined): readonly GradedRow[] {
  const columns = Object.entries(sortValues).map(([key, sortValue]) => ({ key, sortValue }));
  return sortRowsByColumn<GradedRow>(rows, columns, order);
}
