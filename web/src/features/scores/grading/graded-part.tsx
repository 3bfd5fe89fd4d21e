import { columnName } from '../columns/class-list.ts';
import { unreadAdjustments } from '../columns/columns.ts';
import { type ReactNode, type RefCallback, useMemo } from 'react';
import type { SortOrder } from '../../../components/table-column.ts';
import type { Formula } from '../weights/weighting.ts';
import type { ChangeWork, Work } from '../work.ts';
import { ClassTable } from './class-table.tsx';
import { type GradeChange, type GradedClass, mayBeFraction } from './graded-class.ts';
import { ManualGradeReasons } from './hand-reasons.tsx';
import { isForSize, regulationOf } from './regulated.ts';
import { RulesPanel } from './rules-panel.tsx';
import { ScoreHistogram } from './score-histogram.tsx';
import { SeatsTable } from './seats-table.tsx';

const SMALL_CLASS = 15;

type Props = {
  work: Work;
  graded: GradedClass;
  /** The rows, which may lag behind while a cut-off moves. */
  shown: GradedClass;
  changes: readonly GradeChange[] | undefined;
  scoreOrigin: string;
  formula: Formula | undefined;
  /** The choice of the columns' fields. */
  children: ReactNode;
  order: SortOrder | undefined;
  onOrder: (order: SortOrder | undefined) => void;
  takeFocus: RefCallback<HTMLElement>;
  change: ChangeWork;
};

/** The grading rules, and beside them the resulting grades of the class. */
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
  const unread = useMemo(
    () => (formula ? [] : unreadAdjustments(work.table, mapping)),
    [formula, work.table, mapping],
  );
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
      // The grades stand below the open weights on the first screen; the distribution follows when they fold.
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
        {origin !== undefined && rules.attendance.meaning === 'off' && (
          <p className="text-sm text-ink-soft">
            ‘{origin}’ 열은 학점에 반영하지 않습니다. 반영하려면 출석 규칙에서 숫자의 뜻을 선택하세요.
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
        {/* Sticky and clipped cells are expensive to paint, so cells are neither unless necessary. */}
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
