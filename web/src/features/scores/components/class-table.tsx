import { memo, useMemo } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { GradedRow } from '../graded-class.ts';
import type { Change } from '../use-work.ts';
import type { Work } from '../work.ts';
import { gradeColumns } from './grade-columns.tsx';

const rowKey = ({ row }: GradedRow) => row;

type Props = { rows: GradedRow[]; work: Pick<Work, 'rules' | 'style' | 'mapping'>; change: Change };

/** The class in the pasted order, with grades, reasons and what can be set for each student. */
export const ClassTable = memo(function ClassTable({ rows, work, change }: Props) {
  const { style, mapping } = work;
  const { method } = work.rules;
  const hasAttendance = mapping.columns.attendance !== undefined;
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
