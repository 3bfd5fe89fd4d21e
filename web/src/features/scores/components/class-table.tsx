import { memo, useMemo } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { GradedRow } from '../graded-class.ts';
import type { Method } from '../rules.ts';
import type { Style } from '../scale.ts';
import type { Change } from '../use-class-work.ts';
import { gradeColumns } from './grade-columns.tsx';

const rowKey = ({ row }: GradedRow) => row;

type Props = {
  rows: GradedRow[];
  method: Method;
  style: Style;
  hasAttendance: boolean;
  change: Change;
};

/** The class in the pasted order, with grades, reasons and controls for each student. */
export const ClassTable = memo(function ClassTable({ rows, method, style, hasAttendance, change }: Props) {
  const columns = useMemo(
    () => gradeColumns({ method, style, hasAttendance, change }),
    [method, style, hasAttendance, change],
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
