import { columnName } from '../columns/class-list.ts';
import { unreadAdjustments } from '../columns/columns.ts';
import { unreadColumns } from '../columns/unread-columns.tsx';
import { type ReactNode, type RefCallback, useMemo, memo, useId } from 'react';
import type { SortOrder } from '../../../components/table-column.ts';
import type { Formula } from '../weights/weighting.ts';
import { type ChangeWork, type Work, withHandReason } from '../work.ts';
import { ClassTable } from './class-table.tsx';
import { type GradeChange, type GradedClass, mayBeFraction, type GradedRow } from './graded-class.ts';
import { isForSize, regulationOf } from './regulated.ts';
import { RulesPanel } from './rules-panel.tsx';
import { ScoreHistogram } from './score-histogram.tsx';
import { SeatsTable } from './seats-table.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { Label } from '../../../components/ui/label.tsx';
import { gradeText, type GradeNotation } from './grades.ts';

const SMALL_CLASS = 15;

type Props = {
  work: Work;
  graded: GradedClass;
  /** The class as the table shows it; while a cut-off moves, the table is updated later. */
  shown: GradedClass;
  changes: readonly GradeChange[] | undefined;
  scoreOrigin: string;
  formula: Formula | undefined;
  /** The panel in which the user chooses each column's field. */
  children: ReactNode;
  order: SortOrder | undefined;
  onOrder: (order: SortOrder | undefined) => void;
  takeFocus: RefCallback<HTMLElement>;
  change: ChangeWork;
};

/** Shows the grading rules and, beside the rules, the grades of the class. */
export function GradedPart({
  work,
  graded,
  shown,
  changes,
  scoreOrigin,
  formula,
  children,
  order,
  onOrder,
  takeFocus,
  change,
}: Props) {
  const { rules, style, mapping } = work;
  const { attendance, late } = mapping.columns;
  const origin = attendance === undefined ? undefined : columnName(work.table, mapping, attendance);
  const unused = [attendance, late].flatMap((at) =>
    at === undefined ? [] : `‘${columnName(work.table, mapping, at)}’`,
  );
  const { table, weighting } = work;
  const unread = useMemo(() => {
    const labels = new Set(unreadColumns({ table, mapping, weighting }).map(({ label }) => label));
    return unreadAdjustments(table, mapping).filter((label) => labels.has(label));
  }, [table, mapping, weighting]);
  const { count } = graded.graded;
  const regulation = regulationOf(rules);
  const kind = regulation?.kinds[rules.regulation?.kind ?? 0];
  const isSizeKnown = kind !== undefined && isForSize(kind, count);
  const { rows } = shown;
  const fraction = useMemo(() => rows.find(mayBeFraction)?.attendanceCell, [rows]);
  return (
    <div
      ref={takeFocus}
      tabIndex={-1}
      // While the weights panel is open, the distribution is hidden, so that the first screen has the grades.
      className="grid gap-x-3 gap-y-6 outline-none xl:grid-cols-[14rem_minmax(0,1fr)] peer-data-open:[&_[data-distribution]]:hidden"
    >
      <div className="min-w-0 space-y-6 xl:order-first max-xl:order-last">
        <SeatsTable graded={graded.graded} style={style} />
        <RulesPanel
          rules={rules}
          style={style}
          count={count}
          hasAttendance={attendance !== undefined}
          hasLate={late !== undefined}
          fraction={fraction}
          change={change}
        />
        {children}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        {count <= SMALL_CLASS && !isSizeKnown && (
          <GradingNotice
            text={`${SMALL_CLASS}명 이하인 강의입니다. 학교에 따라 소규모 강의의 비율이 다를 수 있으니 규정을 확인하세요.`}
          />
        )}
        {unused.length > 0 && rules.attendance.meaning === 'off' && (
          <p className="text-sm text-ink-soft">
            {unused.join(', ')} 열은 학점에 반영하지 않습니다. 반영하려면 출석 규칙에서 숫자의 뜻을
            선택하세요.
          </p>
        )}
        {unread.length > 0 && (
          <GradingNotice text={`점수를 바꿀 수 있는 열은 반영하지 않았습니다: ${unread.join(', ')}`} />
        )}
        {/* On a phone the grades come first. */}
        <div className="max-xl:order-last">
          <ScoreHistogram
            rows={graded.rows}
            graded={graded.graded}
            work={work}
            changes={changes}
            change={change}
          />
        </div>
        {/* Cells with hidden overflow are slow to paint. */}
        <div className="[&_td]:overflow-visible!">
          <ClassTable
            rows={rows}
            method={rules.method}
            scale={rules.scale}
            style={style}
            scoreOrigin={scoreOrigin}
            formula={formula}
            attendanceOrigin={origin}
            hasOutside={
              graded.rows.some(({ isOutside }) => isOutside) || (regulation?.outside.length ?? 0) > 0
            }
            order={order}
            onOrder={onOrder}
            change={change}
          />
        </div>
        <ManualGradeReasons rows={graded.rows} style={style} change={change} />
      </div>
    </div>
  );
}

/** What the user should know before relying on the grades. */
export function GradingNotice({ text }: { text: string }) {
  return (
    <p aria-live="polite" className="rounded-md bg-notice-wash px-4 py-2 text-sm text-notice">
      {text}
    </p>
  );
}

const MAX_LENGTH = 200;

/** scrollIntoView would scroll the page as well. */
function showNewest(item: HTMLLIElement | null) {
  if (item?.parentElement) item.parentElement.scrollTop = item.offsetTop - item.parentElement.offsetTop;
}

type ManualGradeReasonsProps = { rows: readonly GradedRow[]; style: GradeNotation; change: ChangeWork };

/** The reasons for grades set by hand, which are printed with each grade. */
const ManualGradeReasons = memo(function ManualGradeReasons({
  rows,
  style,
  change,
}: ManualGradeReasonsProps) {
  const id = useId();
  const byHand = rows.filter((row) => row.byHand !== undefined && !row.isExcluded);
  const missing = byHand.filter(({ handReason }) => handReason.trim() === '').length;
  if (byHand.length === 0) return null;
  return (
    // The section stays visible at the bottom of the window until every reason is written.
    <section
      aria-labelledby={id}
      data-sticky-foot
      className={`bottom-0 z-10 mb-8 border-t border-line bg-paper py-2 ${missing > 0 ? 'sticky' : 'relative focus-within:sticky'}`}
    >
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id={id} className="font-bold">
          직접 지정한 학점의 사유{' '}
          <span className="font-normal text-ink-soft tabular-nums">({byHand.length}명)</span>
        </h2>
        <p aria-live="polite" className={`text-sm ${missing > 0 ? 'text-notice' : 'text-ink-soft'}`}>
          {missing > 0 ? `사유가 없는 학생이 ${missing}명입니다. ` : ''}사유는 성적표에 인쇄합니다.
        </p>
      </div>
      <ul className="mt-1 grid max-h-28 gap-x-6 gap-y-2 overflow-y-auto p-1 lg:grid-cols-2">
        {byHand.map(({ row, name, id: number, grade, handReason }) => (
          <li key={row} ref={showNewest} className="grid grid-cols-[8rem_minmax(0,1fr)] items-center gap-2">
            <Label htmlFor={`${id}-${row}`}>
              {name || number || `${row + 1}행`} {grade && gradeText(grade, style)}
              <span className="sr-only"> 사유</span>
            </Label>
            <Input
              id={`${id}-${row}`}
              className="min-h-9 text-sm"
              maxLength={MAX_LENGTH}
              autoComplete="off"
              placeholder="예: 채점 오류 정정"
              value={handReason}
              onChange={({ target: { value } }) =>
                change('사유 적기', (work) => withHandReason(work, row, value), `reason ${row}`)
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
});
