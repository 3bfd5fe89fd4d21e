import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { showToast } from '../../../lib/toast.ts';
import { copiedColumn, type CopiedColumn } from '../copy-back.ts';
import type { GradedClass } from '../graded-class.ts';
import type { Method } from '../rules.ts';
import type { Style } from '../scale.ts';
import { excessText } from '../labels.ts';

type Props = {
  graded: GradedClass;
  style: Style;
  method: Method;
  /** The graded column. */
  scoreOrigin: string;
  undo: () => void;
  redo: () => void;
  undoName: string | undefined;
  redoName: string | undefined;
};

/** A copy that waits for confirmation, and the button that gets the focus back. */
type Asked = { column: CopiedColumn; from: HTMLElement };

/** Undo and redo, and output to clipboard and paper. */
export function Toolbar({ graded, style, method, scoreOrigin, undo, redo, undoName, redoName }: Props) {
  const [asked, setAsked] = useState<Asked>();
  const { rows } = graded;
  const { outcomes, excess } = graded.graded;
  const copy = async (column: CopiedColumn) => {
    const isCopied = await navigator.clipboard
      .writeText(copiedColumn(column, rows, { outcomes }, style))
      .then(
        () => true,
        () => false,
      );
    showToast(isCopied ? '복사 완료' : '복사하지 못했습니다. 창을 클릭한 뒤 다시 시도하세요.');
  };
  const ask = (column: CopiedColumn, from: HTMLElement) => {
    if (excess.length > 0) setAsked({ column, from });
    else void copy(column);
  };
  const leftOut = rows.filter((row) => row.leftOut !== undefined).length;
  const excluded = rows.filter(({ isExcluded }) => isExcluded).length - leftOut;
  const flagged = rows.filter(({ flag }) => flag !== undefined).length;
  return (
    <div className="z-20 mb-6 flex flex-wrap items-center gap-2 border-y border-line bg-paper py-2 sm:sticky sm:top-(--bar-height)">
      <Button variant="outline" size="sm" disabled={!undoName} title={undoName} onClick={undo}>
        되돌리기
      </Button>
      <Button variant="outline" size="sm" disabled={!redoName} title={redoName} onClick={redo}>
        다시 하기
      </Button>
      <p className="mr-auto min-w-0 px-2 text-sm wrap-anywhere text-ink-soft tabular-nums">
        <strong className="font-semibold text-ink">점수: {scoreOrigin}</strong> · {rows.length - leftOut}명 ·
        제외 {excluded} · 확인할 줄 {flagged}
        {leftOut > 0 && ` · 뺀 줄 ${leftOut}`}
      </p>
      <Button size="sm" onClick={(event) => ask('grades', event.currentTarget)}>
        학점 복사
      </Button>
      {method !== 'pass-fail' && (
        <Button variant="outline" size="sm" onClick={(event) => ask('scores', event.currentTarget)}>
          생성 점수 복사
        </Button>
      )}
      <Button variant="outline" size="sm" onClick={() => print()}>
        인쇄
      </Button>
      {asked && (
        <ConfirmDialog
          title="한도를 넘었습니다. 그래도 복사할까요?"
          submitLabel="복사"
          returnFocusTo={asked.from}
          onCancel={() => setAsked(undefined)}
          onSubmit={() => {
            setAsked(undefined);
            void copy(asked.column);
          }}
        >
          <ul className="tabular-nums">
            {excess.map((each) => (
              <li key={each.name}>{excessText(each)}</li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </div>
  );
}
