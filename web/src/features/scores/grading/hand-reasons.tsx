import { memo, useId } from 'react';
import { Input } from '../../../components/ui/input.tsx';
import { Label } from '../../../components/ui/label.tsx';
import { type ChangeWork, withHandReason } from '../work.ts';
import type { GradedRow } from './graded-class.ts';
import { gradeText, type GradeNotation } from './grades.ts';

const MAX_LENGTH = 200;

/** Not by scrollIntoView, which would scroll the page too. */
function showNewest(item: HTMLLIElement | null) {
  if (item?.parentElement) item.parentElement.scrollTop = item.offsetTop - item.parentElement.offsetTop;
}

type Props = { rows: readonly GradedRow[]; style: GradeNotation; change: ChangeWork };

/** The reasons for grades set by hand, which are printed with each grade. */
export const ManualGradeReasons = memo(function ManualGradeReasons({ rows, style, change }: Props) {
  const id = useId();
  const byHand = rows.filter((row) => row.byHand !== undefined && !row.isExcluded);
  const missing = byHand.filter(({ handReason }) => handReason.trim() === '').length;
  if (byHand.length === 0) return null;
  return (
    // In sight below whichever row was set, until every reason is written.
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
