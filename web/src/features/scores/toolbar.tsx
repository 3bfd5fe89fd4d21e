import { useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { StepButton } from '../../components/step-button.tsx';
import { Button } from '../../components/ui/button.tsx';
import { copyText } from '../../lib/copy-text.ts';
import type { GradedClass } from './grading/graded-class.ts';
import type { Method, Style } from './grading/rules.ts';
import { ExcessList } from './grading/seats-table.tsx';
import { copiedColumn, type CopiedColumn } from './print/copied-column.ts';

type Props = {
  /** Undefined as long as there are no grades. */
  graded: GradedClass | undefined;
  style: Style;
  method: Method;
  /** The graded column, or the weights. */
  scoreOrigin: string;
  /** Name of the system whose file was given. */
  gradebook: string | undefined;
  onSaveGradebook: (from: HTMLElement) => void;
  undo: () => void;
  redo: () => void;
  undoName: string | undefined;
  redoName: string | undefined;
};

/** A copy that waits for confirmation, and the button that gets the focus back. */
type Asked = { column: CopiedColumn; from: HTMLElement };

/** Undo and redo, and output to clipboard, paper and file. It stays in sight, whatever the page shows. */
export function Toolbar({
  graded,
  style,
  method,
  scoreOrigin,
  gradebook,
  onSaveGradebook,
  undo,
  redo,
  undoName,
  redoName,
}: Props) {
  const [asked, setAsked] = useState<Asked>();
  const excess = graded?.graded.excess ?? [];
  const copy = async (column: CopiedColumn) => {
    if (graded) await copyText(copiedColumn(column, graded.rows, graded.graded, style));
  };
  const ask = (column: CopiedColumn, from: HTMLElement) => {
    if (excess.length > 0) setAsked({ column, from });
    else void copy(column);
  };
  return (
    <div className="sticky top-(--bar-height) z-20 flex flex-wrap items-center gap-2 border-y border-line bg-paper py-2">
      <StepButton label="되돌리기" step={undoName} onStep={undo} />
      <StepButton label="다시 하기" step={redoName} onStep={redo} />
      <p className="w-full min-w-0 sm:w-auto sm:flex-1 sm:px-2 text-sm wrap-anywhere text-ink-soft tabular-nums">
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
          {method !== 'pass-fail' && (
            <Button variant="outline" size="sm" onClick={(event) => ask('scores', event.currentTarget)}>
              생성 점수 복사
            </Button>
          )}
          {gradebook !== undefined && (
            <Button variant="outline" size="sm" onClick={(event) => onSaveGradebook(event.currentTarget)}>
              {gradebook} 파일 저장
            </Button>
          )}
          <Button variant="outline" size="sm" onClick={() => print()}>
            인쇄
          </Button>
        </>
      )}
      {asked && (
        <ConfirmDialog
          title="한도를 넘었습니다. 그래도 복사할까요?"
          submitLabel="복사"
          returnFocusTo={asked.from}
          onClose={() => setAsked(undefined)}
          onSubmit={() => void copy(asked.column)}
        >
          <ExcessList excess={excess} />
        </ConfirmDialog>
      )}
    </div>
  );
}

function countsOf({ rows }: GradedClass): string {
  const leftOut = rows.filter((row) => row.leftOut !== undefined).length;
  const excluded = rows.filter(({ isExcluded }) => isExcluded).length - leftOut;
  const flagged = rows.filter(({ flag }) => flag !== undefined).length;
  const parts = [`${rows.length - leftOut}명`, `제외 ${excluded}명`, `확인할 행 ${flagged}개`];
  return [...parts, ...(leftOut > 0 ? [`학생이 아닌 행 ${leftOut}개`] : [])].join(' · ');
}
