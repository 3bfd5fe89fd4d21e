import { useState, useSyncExternalStore } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { RowMenu } from '../../components/row-menu.tsx';
import { StepButton } from '../../components/step-button.tsx';
import type { SortOrder } from '../../components/table-column.ts';
import { Button } from '../../components/ui/button.tsx';
import { copyTextWithToast } from '../../lib/copy-text.ts';
import type { GradedClass, GradedRow } from './grading/graded-class.ts';
import type { GradeNotation } from './grading/grades.ts';
import type { GradingMethod } from './grading/methods.ts';
import { ExcessList } from './grading/seats-table.tsx';
import { MISSING } from './columns/score-candidates.ts';
import { rowsInOrder } from './grading/table-order.ts';
import {
  columnInPastedOrder,
  type CopiedColumn,
  idsAndGrades,
  columnInShownOrder,
} from './print/copied-column.ts';

/** Outputs that open a dialog first. */
export type Output = 'form' | 'gradebook' | 'print';

type Props = {
  /** Undefined while there are no grades. */
  graded: GradedClass | undefined;
  style: GradeNotation;
  method: GradingMethod;
  /** Name of the graded column, or the weights. */
  scoreOrigin: string;
  /** Whether the user has not yet said if the settings for the previous table apply. */
  hasQuestion: boolean;
  order: SortOrder | undefined;
  hasIds: boolean;
  /** Name of the system whose gradebook the table is, such as Canvas; undefined for any other table. */
  gradebook: string | undefined;
  onOutput: (kind: Output, from: HTMLElement) => void;
  undo: () => void;
  redo: () => void;
  undoName: string | undefined;
  redoName: string | undefined;
};

/** Windows of this width show a button for each usual output; in narrower windows some are in the menu. */
const ROOMY = '(min-width: 80rem)';
function onRoomChange(onChange: () => void) {
  const query = matchMedia(ROOMY);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** A copy that needs confirmation, and the button that gets the focus back. */
type Asked = { column: Copied; from: HTMLElement };

/** The copied columns: one column, or numbers with grades. */
type Copied = CopiedColumn | 'ids';

/** Buttons to undo, redo, copy, print and save. The bar stays visible while the page scrolls. */
export function Toolbar({
  graded,
  style,
  method,
  scoreOrigin,
  hasQuestion,
  order,
  hasIds,
  gradebook,
  onOutput,
  undo,
  redo,
  undoName,
  redoName,
}: Props) {
  const [asked, setAsked] = useState<Asked>();
  const [asViewed, setAsViewed] = useState(false);
  const isRoomy = useSyncExternalStore(onRoomChange, () => matchMedia(ROOMY).matches);
  const usual = [
    ...(method === 'pass-fail'
      ? []
      : [{ label: '환산 점수 복사', onChoose: (from: HTMLElement) => ask('scores', from) }]),
    { label: '인쇄', onChoose: (from: HTMLElement) => onOutput('print', from) },
  ];
  const excess = graded?.graded.excess ?? [];
  const rows = graded?.rows ?? [];
  const doubts = [...copyWarnings(rows), ...(hasQuestion ? [OPEN_QUESTION] : [])];
  const isSorted = () => rowsInOrder(rows, order).some((row, at) => row !== rows[at]);
  const copy = (column: Copied, isAsViewed: boolean) => {
    const howMany = rows.filter(({ grade }) => grade !== undefined).length;
    const words = isAsViewed ? '보이는' : '붙여넣은';
    const text =
      column === 'ids'
        ? idsAndGrades(rows, style)
        : isAsViewed
          ? columnInShownOrder(column, rowsInOrder(rows, order), style)
          : columnInPastedOrder(column, rows, style);
    void copyTextWithToast(text, `복사 완료: ${words} 순서로 ${howMany}명`);
  };
  const ask = (column: Copied, from: HTMLElement) => {
    setAsViewed(false);
    // With student numbers beside them, grades are correct in any order.
    if (excess.length > 0 || doubts.length > 0 || (column !== 'ids' && isSorted()))
      setAsked({ column, from });
    else copy(column, false);
  };
  return (
    <div className="sticky top-(--bar-height) z-20 flex items-center gap-2 border-y border-line bg-paper py-2">
      <StepButton label="되돌리기" step={undoName} onStep={undo} />
      <StepButton label="다시 하기" step={redoName} onStep={redo} />
      <p className="min-w-0 flex-1 px-2 text-sm leading-tight wrap-anywhere text-ink-soft tabular-nums max-sm:sr-only">
        {graded ? (
          <>
            <strong className="font-semibold text-ink">점수: {scoreOrigin}</strong> · {countsOf(graded)}
          </>
        ) : (
          '아직 학점을 매기지 않았습니다.'
        )}
      </p>
      {graded && (
        <>
          <Button size="sm" onClick={(event) => ask('grades', event.currentTarget)}>
            학점 복사
          </Button>
          {isRoomy &&
            usual.map(({ label, onChoose }) => (
              <Button
                key={label}
                variant="outline"
                size="sm"
                onClick={({ currentTarget }) => onChoose(currentTarget)}
              >
                {label}
              </Button>
            ))}
          <RowMenu
            name="내보내기"
            label="내보내기"
            actions={[
              ...(isRoomy ? [] : usual),
              ...(hasIds
                ? [
                    { label: '학번+학점 함께 복사', onChoose: (from: HTMLElement) => ask('ids', from) },
                    { label: '학교 양식에 맞추기', onChoose: (from: HTMLElement) => onOutput('form', from) },
                  ]
                : []),
              ...(gradebook === undefined
                ? []
                : [
                    {
                      label: `${gradebook} 파일 저장`,
                      onChoose: (from: HTMLElement) => onOutput('gradebook', from),
                    },
                  ]),
            ]}
          />
        </>
      )}
      {asked && (
        <ConfirmDialog
          title={
            excess.length > 0
              ? '한도를 넘었습니다. 그래도 복사할까요?'
              : doubts.length > 0
                ? '확인할 점수가 있습니다. 그래도 복사할까요?'
                : '어느 순서로 복사할까요?'
          }
          submitLabel="복사"
          returnFocusTo={asked.from}
          onClose={() => setAsked(undefined)}
          onSubmit={() => copy(asked.column, asViewed)}
        >
          <ExcessList excess={excess} />
          {doubts.map((line) => (
            <p key={line}>{line}</p>
          ))}
          {asked.column !== 'ids' && isSorted() && (
            <OrderChoice isAsViewed={asViewed} onChange={setAsViewed} />
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}

const OPEN_QUESTION = '이전 표에서 정한 설정을 이 표에 적용할지 아직 정하지 않았습니다.';

/** Warnings that the user should see before the grades leave the page. */
export function copyWarnings(
  rows: readonly Pick<GradedRow, 'flag' | 'isExcluded' | 'scoreCell'>[],
): string[] {
  const flagged = (flag: GradedRow['flag']) => rows.filter((row) => row.flag === flag).length;
  const unread = flagged('no-score');
  const counted = rows.filter(({ isExcluded }) => !isExcluded).length;
  const odd = rows.filter(
    ({ flag, scoreCell }) => flag === 'no-score' && scoreCell !== '' && !MISSING.test(scoreCell),
  ).length;
  return [
    ...(flagged('doubt') > 0
      ? [`점수를 확인할 학생 ${flagged('doubt')}명: 학점표에 ‘점수 확인’으로 표시했습니다.`]
      : []),
    ...(odd > 0 && unread * 2 <= counted ? [`점수 칸이 숫자가 아닌 학생이 ${odd}명 있습니다.`] : []),
    ...(unread * 2 > counted ? [`${counted}명 가운데 ${unread}명의 점수를 읽지 못했습니다.`] : []),
  ];
}

type OrderProps = { isAsViewed: boolean; onChange: (isAsViewed: boolean) => void };

function OrderChoice({ isAsViewed, onChange }: OrderProps) {
  return (
    <fieldset className="mt-2 space-y-1">
      <legend className="mb-1">지금 학점표는 붙여넣은 순서와 다르게 정렬되어 있습니다.</legend>
      {[false, true].map((each) => (
        <label key={String(each)} className="flex min-h-9 cursor-pointer items-center gap-2">
          <input
            type="radio"
            name="copied-order"
            className="size-4 accent-accent"
            checked={isAsViewed === each}
            onChange={() => onChange(each)}
          />
          {each ? '보이는 순서' : '붙여넣은 순서'}
        </label>
      ))}
    </fieldset>
  );
}

function countsOf({ rows }: GradedClass): string {
  const leftOut = rows.filter((row) => row.leftOut && row.leftOut.kind !== 'gone').length;
  const excluded = rows.filter(({ isExcluded }) => isExcluded).length - leftOut;
  const flagged = rows.filter(({ flag }) => flag !== undefined).length;
  const parts = [`${rows.length - leftOut}명`, `제외 ${excluded}명`, `확인할 행 ${flagged}개`];
  return [...parts, ...(leftOut > 0 ? [`학생이 아닌 행 ${leftOut}개`] : [])].join(' · ');
}
