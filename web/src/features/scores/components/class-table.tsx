import { memo, useMemo } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { GradedRow } from '../graded-class.ts';
import type { GradeSet } from '../rules.ts';
import type { Style } from '../scale.ts';
import type { Change } from '../use-class-work.ts';
import { gradeColumns } from './grade-columns.tsx';

const rowKey = ({ row }: GradedRow) => row;

type Props = GradeSet & {
  rows: GradedRow[];
  style: Style;
  scoreOrigin: string;
  /** Pass a stable function. */
  totalOf: ((row: GradedRow) => string) | undefined;
  hasAttendance: boolean;
  hasOutside: boolean;
  change: Change;
};

/** The class in the pasted order, with grades, reasons and controls for each student. */
export const ClassTable = memo(function ClassTable({
  rows,
  method,
  scale,
  style,
  scoreOrigin,
  totalOf,
  hasAttendance,
  hasOutside,
  change,
}: Props) {
  const columns = useMemo(
    () => gradeColumns({ method, scale, style, scoreOrigin, totalOf, hasAttendance, hasOutside, change }),
    [method, scale, style, scoreOrigin, totalOf, hasAttendance, hasOutside, change],
  );
  return (
    <DataTable
      caption="학점표"
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      emptyText=""
      pageKey="class"
      firstSize="all"
    />
  );
});
