import { useMemo } from 'react';
import { ColumnValuesPart } from '../../../components/column-values-part.tsx';
import { columnValues } from '../../../lib/column-values.ts';
import type { GradedRow } from '../grading/graded-class.ts';
import { type ChangeWork, type Work, withExclusions } from '../work.ts';
import { partsWithWeight } from '../weights/weighting.ts';
import { columnName } from './class-list.ts';

/** The columns that have no part in the grades. */
export function unreadColumns({
  table,
  mapping,
  weighting,
}: Pick<Work, 'table' | 'mapping' | 'weighting'>): { at: number; label: string }[] {
  const weighted = [
    ...(weighting ? partsWithWeight(weighting).flatMap((part) => part.columns) : []),
    ...(weighting?.deductions ?? []),
  ];
  const read = new Set([
    ...Object.values(mapping.columns),
    mapping.familyName,
    ...weighted.map(({ column }) => column),
  ]);
  const width = table.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, at) => ({ at, label: columnName(table, mapping, at) })).filter(
    ({ at }) => !read.has(at) && table.some((row) => (row[at] ?? '') !== ''),
  );
}

type UnreadProps = { work: Work; rows: readonly GradedRow[]; change: ChangeWork };

/** What the columns without a part in the grades contain, such as 재수강. */
export function UnreadColumns({ work: { table, mapping, weighting }, rows, change }: UnreadProps) {
  const [columns, others] = useMemo(() => {
    const students = rows.filter(({ leftOut }) => leftOut === undefined || leftOut.kind === 'gone');
    const unread = unreadColumns({ table, mapping, weighting });
    const told = columnValues(
      table,
      unread,
      students.map(({ row }) => row),
    );
    return [told, unread.filter(({ at }) => !told.some((each) => each.at === at)).map(({ label }) => label)];
  }, [table, mapping, weighting, rows]);
  const left = new Set(rows.flatMap(({ row, isExcluded }) => (isExcluded ? [row] : [])));
  const onLeave = (lines: readonly number[], isLeft: boolean) =>
    change(`${lines.length}명 ${isLeft ? '제외' : '포함'}`, (work) => withExclusions(work, lines, isLeft));
  return (
    <ColumnValuesPart
      columns={columns}
      left={left}
      onLeave={onLeave}
      {...(others.length > 0 && { others: `학점에 쓰지 않은 열: ${others.join(', ')}.` })}
    />
  );
}
