import { memo, startTransition, useEffect, useMemo, useState } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column, SortOrder } from '../../../components/table-column.ts';
import { type Formula, pointsText } from '../weights/weighting.ts';
import { type ChangeWork, withExclusion, withGradeByHand, withUncounted } from '../work.ts';
import { GradeDialog, reasonText } from './grade-dialog.tsx';
import type { GradeFlag, GradedRow } from './graded-class.ts';
import { scoreForGrade, gradeText, type GradeNotation } from './grades.ts';
import { type GradeSet, manualGrades } from './methods.ts';
import { sortValues } from './table-order.ts';

/** The table of a larger class is rendered after the rest of the page, because both together are slow. */
const AT_ONCE = 100;
/** Up to this number of parts, including attendance, the table fits a window of 1280 px. */
const PARTS_IN_SIGHT = 4;
const NONE: readonly GradedRow[] = [];

const rowKey = ({ row }: GradedRow) => row;

type Props = GradeSet & {
  rows: GradedRow[];
  style: GradeNotation;
  /** Name of the column that is the score. */
  scoreOrigin: string;
  /** How weighted totals were computed; undefined if the score is a single column. Keep the same object. */
  formula: Formula | undefined;
  /** Name of the column of attendance or absences; undefined without one. */
  attendanceOrigin: string | undefined;
  /** Whether some student may get a grade without being counted, which needs a column of checkboxes. */
  hasOutside: boolean;
  order: SortOrder | undefined;
  onOrder: (order: SortOrder | undefined) => void;
  change: ChangeWork;
};

/** The class with grades and controls for each student. A click on a grade explains the grade. */
export const ClassTable = memo(function ClassTable({
  rows,
  method,
  scale,
  style,
  scoreOrigin,
  formula,
  attendanceOrigin,
  hasOutside,
  order,
  onOrder,
  change,
}: Props) {
  const [opened, setOpened] = useState<Opened>();
  const [areDrawn, setDrawn] = useState(rows.length <= AT_ONCE);
  useEffect(() => startTransition(() => setDrawn(true)), []);
  const columns = useMemo(
    () =>
      gradeColumns({
        method,
        scale,
        style,
        scoreOrigin,
        formula,
        attendanceOrigin,
        hasOutside,
        change,
        onOpen: setOpened,
      }),
    [method, scale, style, scoreOrigin, formula, attendanceOrigin, hasOutside, change],
  );
  const shown = opened && rows.find(({ row }) => row === opened.row);
  return (
    <>
      <DataTable
        caption="학점표"
        columns={columns}
        rows={areDrawn ? rows : NONE}
        rowKey={rowKey}
        emptyText=""
        pageKey="class"
        firstSize="all"
        order={order}
        onOrder={onOrder}
        // The header sticks below the tool bar. A table with more columns scrolls in its own box.
        className={`[&_:is(td,th)]:px-1.5 [&_thead_th]:py-1 [&_thead_th]:text-xs [&_thead_th]:leading-4 [&_thead_th]:whitespace-normal ${
          (formula?.parts ?? []).length + Number(attendanceOrigin !== undefined) > PARTS_IN_SIGHT ||
          rows.length > AT_ONCE
            ? 'lg:max-h-[calc(100dvh-9rem)] lg:overflow-y-auto'
            : 'xl:overflow-visible xl:[&_thead]:top-29'
        }`}
      />
      {shown && (
        <GradeDialog
          row={shown}
          style={style}
          formula={formula}
          returnFocusTo={opened.from}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
});

/** The row whose grade is explained, and the element that gets the focus back. */
type Opened = { row: number; from: HTMLElement };

type Options = Omit<Props, 'rows' | 'order' | 'onOrder'> & { onOpen: (opened: Opened) => void };

function gradeColumns({
  method,
  scale,
  style,
  scoreOrigin,
  formula,
  attendanceOrigin,
  hasOutside,
  change,
  onOpen,
}: Options): Column<GradedRow>[] {
  const attendance: Column<GradedRow> = {
    key: 'attendance',
    header: attendanceOrigin ?? '',
    align: 'end',
    width: '4.5rem',
    isOnWide: true,
    sortValue: sortValues.attendance,
    cell: ({ attendance, attendanceCell }) =>
      attendance === undefined ? <span className="block truncate">{attendanceCell}</span> : attendanceCell,
  };
  const generated: Column<GradedRow> = {
    key: 'generated',
    // If a copied table is pasted again, a column 환산 점수 would be taken for the total.
    header: '학점 환산 점수',
    align: 'end',
    width: '5rem',
    isOnWide: true,
    cell: ({ grade }) => (grade === undefined ? '' : scoreForGrade(grade)),
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
        set={withUncounted}
      />
    ),
  };
  return [
    { key: 'no', header: '행', align: 'end', width: '3rem', isOnWide: true, cell: ({ row }) => row + 1 },
    {
      key: 'name',
      header: '이름',
      isRowHeader: true,
      width: '6rem',
      className: 'min-w-14 wrap-anywhere',
      sortValue: sortValues.name,
      cell: ({ name, id }) => name || id,
    },
    {
      key: 'id',
      header: '학번',
      width: '6.5rem',
      isOnWide: true,
      className: 'whitespace-nowrap',
      sortValue: sortValues.id,
      cell: ({ id }) => <span className="block max-w-24 truncate">{id}</span>,
    },
    {
      key: 'score',
      header: formula ? '총점' : '점수',
      headerNote: formula || scoreOrigin === '점수' ? undefined : scoreOrigin,
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
    {
      key: 'grade',
      header: '학점',
      width: '7rem',
      className: 'whitespace-nowrap',
      sortValue: sortValues.grade,
      cell: (row) => <GradeCell row={row} style={style} onOpen={onOpen} />,
    },
    ...(formula?.parts ?? []).map(({ name, weight, full }, at): Column<GradedRow> => ({
      key: `part ${at}`,
      header: name,
      headerNote: full === undefined ? `${weight}%` : `${weight}% /${full}`,
      align: 'end',
      width: '4rem',
      isOnWide: true,
      className: 'whitespace-nowrap',
      cell: ({ total }) => {
        const part = total?.parts[at];
        return part && (full === undefined ? pointsText(part) : (part.counted[0]?.score ?? '없음'));
      },
    })),
    ...(attendanceOrigin !== undefined ? [attendance] : []),
    ...(method === 'pass-fail' ? [] : [generated]),
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

const flagLabels: Record<GradeFlag, string> = {
  doubt: '점수 확인',
  tie: '동점',
  'no-score': '점수 없음',
  'missing-part': '점수 누락',
  absent: '결석',
  'no-attendance': '출석 모름',
};

type GradeProps = Pick<Options, 'style' | 'onOpen'> & { row: GradedRow };

/** A button with the grade, which opens the explanation. */
function GradeCell({ row, style, onOpen }: GradeProps) {
  const text = row.grade === undefined ? '제외' : gradeText(row.grade, style);
  return (
    <>
      <button
        type="button"
        title={reasonText(row)}
        aria-label={`${row.name || row.id || `${row.row + 1}행`} ${text} 산정 근거`}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => onOpen({ row: row.row, from: currentTarget })}
        className={`min-h-8 min-w-7 text-left underline decoration-ink-soft/60 decoration-dotted underline-offset-4 hover:text-accent pointer-coarse:min-h-11 ${row.grade === undefined ? 'text-ink-soft' : 'font-semibold'}`}
      >
        {text}
      </button>{' '}
      {row.grade !== undefined && row.byHand !== undefined && (
        <Tag text="직접" look="bg-accent-wash text-accent" />
      )}
      {row.flag && <Tag text={flagLabels[row.flag]} look="bg-notice-wash text-notice" />}
    </>
  );
}

function Tag({ text, look }: { text: string; look: string }) {
  return (
    <span data-aside className={`rounded-sm px-1 py-0.5 text-xs font-semibold whitespace-nowrap ${look}`}>
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

/** `memo` saves time here, because grades change far more often than these boxes. */
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

/** A native select, because a page with eighty custom selects would be slow. */
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
  const grades = manualGrades({ method, scale });
  return (
    <select
      aria-label={`${name || `${row + 1}행`} 학점 직접 지정`}
      disabled={isExcluded}
      value={byHand ?? ''}
      onChange={(event) => {
        const grade = grades.find((each) => each === event.target.value);
        change(grade ? '학점 직접 지정' : '직접 지정 풀기', (work) => withGradeByHand(work, row, grade));
      }}
      className="min-h-8 w-full min-w-18 rounded-md border border-line-strong bg-surface px-1.5 text-sm text-ink disabled:bg-sunken disabled:text-ink-soft"
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
