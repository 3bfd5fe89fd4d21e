import { memo, useMemo } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column, Order } from '../../../components/table-column.ts';
import { type Change, withExclusion, withGradeByHand, withOutside } from '../work.ts';
import type { Flag, GradedRow } from './graded-class.ts';
import { generatedScore, type GradeSet, gradesOf, gradeText, type Style } from './rules.ts';
import { sortValues } from './table-order.ts';

const rowKey = ({ row }: GradedRow) => row;

type Props = GradeSet & {
  rows: GradedRow[];
  style: Style;
  scoreOrigin: string;
  /** Pass a stable function. */
  totalOf: ((row: GradedRow) => string) | undefined;
  hasAttendance: boolean;
  hasOutside: boolean;
  order: Order | undefined;
  onOrder: (order: Order | undefined) => void;
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
  order,
  onOrder,
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
      order={order}
      onOrder={onOrder}
    />
  );
});

type Options = GradeSet & {
  style: Style;
  /** Name of the column that is the score. */
  scoreOrigin: string;
  /** How a weighted total came about; undefined if the score is one column. */
  totalOf: ((row: GradedRow) => string) | undefined;
  hasAttendance: boolean;
  /** Whether anybody may be graded without being counted. */
  hasOutside: boolean;
  change: Change;
};

function gradeColumns({
  method,
  scale,
  style,
  scoreOrigin,
  totalOf,
  hasAttendance,
  hasOutside,
  change,
}: Options): Column<GradedRow>[] {
  const attendance: Column<GradedRow> = {
    key: 'attendance',
    header: '출석',
    align: 'end',
    width: '4.5rem',
    sortValue: sortValues.attendance,
    cell: ({ attendance, attendanceCell }) =>
      attendance === undefined ? <span className="block truncate">{attendanceCell}</span> : attendanceCell,
  };
  const generated: Column<GradedRow> = {
    key: 'generated',
    header: '환산 점수',
    align: 'end',
    width: '5.5rem',
    cell: ({ grade }) => (grade === undefined ? '' : generatedScore(grade)),
  };
  const outside: Column<GradedRow> = {
    key: 'outside',
    header: '정원 외',
    width: '5rem',
    cell: ({ row, name, isOutside, isExcluded }) => (
      <RowBox
        {...{ row, name, change }}
        what="정원 외"
        isChecked={isOutside}
        isDisabled={isExcluded}
        set={withOutside}
      />
    ),
  };
  return [
    { key: 'no', header: '행', align: 'end', width: '3.5rem', cell: ({ row }) => row + 1 },
    {
      key: 'name',
      header: '이름',
      isRowHeader: true,
      width: '6rem',
      className: 'whitespace-nowrap',
      sortValue: sortValues.name,
      cell: ({ name, id }) => name || id,
    },
    {
      key: 'id',
      header: '학번',
      width: '7.5rem',
      className: 'whitespace-nowrap',
      sortValue: sortValues.id,
      cell: ({ id }) => <span className="block truncate">{id}</span>,
    },
    {
      key: 'score',
      // Where the total is weighted, the next column says how it came about.
      header: totalOf ? '총점' : '점수',
      headerNote: totalOf || scoreOrigin === '점수' ? undefined : scoreOrigin,
      align: 'end',
      width: '5rem',
      sortValue: sortValues.score,
      cell: ({ score, scoreCell, total }) =>
        score === undefined ? (
          <span className="block truncate text-danger">{scoreCell || '없음'}</span>
        ) : total ? (
          scoreCell
        ) : (
          score
        ),
    },
    ...(totalOf ? [formulaColumn(totalOf)] : []),
    ...(hasAttendance ? [attendance] : []),
    {
      key: 'grade',
      header: '학점',
      width: '7rem',
      className: 'whitespace-nowrap',
      sortValue: sortValues.grade,
      cell: (row) => <GradeCell row={row} style={style} />,
    },
    ...(method === 'pass-fail' ? [] : [generated]),
    {
      key: 'reason',
      header: '산정 근거',
      // Alone it takes what is left.
      ...(totalOf && { width: '13.5rem' }),
      className: totalOf ? 'min-w-40' : 'min-w-72',
      cell: (row) => {
        const text = [row.doubt, row.reason()].filter(Boolean).join(' ');
        return (
          <span title={text} data-sentence className="block text-xs leading-snug whitespace-normal">
            {text}
          </span>
        );
      },
    },
    {
      key: 'by-hand',
      header: '직접 지정',
      width: '7rem',
      cell: ({ row, name, byHand, isExcluded }) => (
        <HandSelect {...{ row, name, byHand, isExcluded, method, scale, style, change }} />
      ),
    },
    {
      key: 'excluded',
      header: '제외',
      width: '3.5rem',
      cell: ({ row, name, isExcluded }) => (
        <RowBox {...{ row, name, change }} what="제외" isChecked={isExcluded} set={withExclusion} />
      ),
    },
    ...(hasOutside ? [outside] : []),
  ];
}

function formulaColumn(totalOf: (row: GradedRow) => string): Column<GradedRow> {
  return {
    key: 'formula',
    header: '점수 산출',
    width: '13.5rem',
    className: 'min-w-40',
    cell: (row) => {
      const text = totalOf(row);
      return (
        <span
          title={text}
          data-sentence
          className="block text-xs leading-snug whitespace-normal tabular-nums"
        >
          {text}
        </span>
      );
    },
  };
}

const flagLabels: Record<Flag, string> = {
  doubt: '점수 확인',
  tie: '동점',
  'no-score': '점수 없음',
  'missing-part': '점수 누락',
  absent: '결석',
  'no-attendance': '출석 모름',
};

function GradeCell({ row, style }: { row: GradedRow; style: Style }) {
  if (row.grade === undefined) return <span className="text-ink-soft">제외</span>;
  return (
    <>
      <strong className="inline-block min-w-7 font-semibold">{gradeText(row.grade, style)}</strong>{' '}
      {row.byHand !== undefined && <Tag text="직접" look="bg-accent-wash text-accent" />}
      {row.flag && <Tag text={flagLabels[row.flag]} look="bg-notice-wash text-notice" />}
    </>
  );
}

function Tag({ text, look }: { text: string; look: string }) {
  return (
    <span data-aside className={`rounded-sm px-1.5 py-0.5 text-xs font-semibold whitespace-nowrap ${look}`}>
      {text}
    </span>
  );
}

type ControlProps = Pick<GradedRow, 'row' | 'name'> & Pick<Options, 'change'>;

type BoxProps = ControlProps & {
  what: string;
  isChecked: boolean;
  isDisabled?: boolean;
  set: typeof withExclusion;
};

/** Memoised, because grades change far more often. */
const RowBox = memo(function RowBox({ row, name, what, isChecked, isDisabled, set, change }: BoxProps) {
  return (
    <input
      type="checkbox"
      aria-label={`${name || `${row + 1}행`} ${what}`}
      className="block size-4 accent-accent"
      disabled={isDisabled}
      checked={isChecked}
      onChange={({ target: { checked } }) =>
        change(checked ? what : `${what} 풀기`, (work) => set(work, row, checked))
      }
    />
  );
});

type HandProps = ControlProps &
  Pick<GradedRow, 'byHand' | 'isExcluded'> &
  Pick<Options, 'method' | 'scale' | 'style'>;

/** A native select, because eighty are on the page at once. */
const HandSelect = memo(function HandSelect({
  row,
  name,
  byHand,
  isExcluded,
  method,
  scale,
  style,
  change,
}: HandProps) {
  const grades = gradesOf({ method, scale });
  return (
    <select
      aria-label={`${name || `${row + 1}행`} 학점 직접 지정`}
      disabled={isExcluded}
      value={byHand ?? ''}
      onChange={(event) => {
        const grade = grades.find((each) => each === event.target.value);
        change(grade ? '학점 직접 지정' : '직접 지정 풀기', (work) => withGradeByHand(work, row, grade));
      }}
      className="min-h-8 w-full min-w-20 rounded-md border border-line-strong bg-surface px-1.5 text-sm text-ink disabled:bg-sunken disabled:text-ink-soft"
    >
      <option value="">자동</option>
      {grades.map((grade) => (
        <option key={grade} value={grade}>
          {gradeText(grade, style)}
        </option>
      ))}
    </select>
  );
});
