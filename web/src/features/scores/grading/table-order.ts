/** What the table of a class is sorted by, also for what is copied of it. */
import { type Column, inOrder, type Order } from '../../../components/table-column.ts';
import type { GradedRow } from './graded-class.ts';
import { placeOf } from './methods.ts';

type SortValue = NonNullable<Column<GradedRow>['sortValue']>;

/** What each column is sorted by; the others cannot be. */
export const sortValues = {
  name: ({ name }) => name,
  id: ({ id }) => id,
  score: ({ score }) => score ?? null,
  attendance: ({ attendance }) => attendance ?? null,
  grade: ({ grade }) => (grade === undefined ? null : placeOf(grade)),
} satisfies Record<string, SortValue>;

/** The rows as the table shows them. */
export function rowsInOrder(rows: readonly GradedRow[], order: Order | undefined): readonly GradedRow[] {
  const columns = Object.entries(sortValues).map(([key, sortValue]) => ({ key, sortValue }));
  return inOrder<GradedRow>(rows, columns, order);
}
