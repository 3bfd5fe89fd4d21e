import { useId, useRef, useState, type ClipboardEvent, type ComponentProps } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Label } from '../../../components/ui/label.tsx';
import type { Change } from '../use-class-work.ts';
import { pasted } from '../class-work.ts';
import { KeepPart } from './kept-class-part.tsx';

/**
 * A longer paste, of about 300 students, is kept outside the field: a long textarea is repainted with every change on
 * the page, and dragging a cut-off would stutter on a slow machine.
 */
const LONGEST_SHOWN = 10_000;

type Props = {
  text: string;
  change: Change;
  onWipe: () => void;
} & Omit<ComponentProps<typeof KeepPart>, 'isEmpty'>;

/** Where the scores are pasted, and whether this browser keeps them. */
export function PastePanel({ text, change, kept, keeping, onWipe }: Props) {
  const id = useId();
  /** The button that asks for confirmation. */
  const [wiping, setWiping] = useState<HTMLElement>();
  /** The field and its replacement swap places, and the focus has to follow. */
  const isHandingOver = useRef(false);
  const takeFocus = (element: HTMLElement | null) => {
    if (!element || !isHandingOver.current) return;
    isHandingOver.current = false;
    element.focus();
  };
  const take = (next: string, mergeKey?: string) => {
    isHandingOver.current = next.length > LONGEST_SHOWN !== text.length > LONGEST_SHOWN;
    change('붙여넣기', (work) => pasted(work, next), mergeKey);
  };
  const takeLong = (event: ClipboardEvent) => {
    const long = event.clipboardData.getData('text/plain');
    if (long.length <= LONGEST_SHOWN) return;
    event.preventDefault();
    take(long);
  };
  return (
    <section>
      <Label htmlFor={id}>점수 표</Label>
      {text.length <= LONGEST_SHOWN ? (
        <textarea
          ref={takeFocus}
          id={id}
          value={text}
          rows={text === '' ? 6 : 3}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          aria-describedby={`${id}-hint`}
          onChange={(event) => take(event.target.value, 'typing')}
          onPaste={takeLong}
          className="mt-1.5 block w-full overflow-auto rounded-md border border-line-strong bg-surface p-3 font-mono text-sm text-ink"
        />
      ) : (
        <div className="mt-1.5 flex flex-wrap items-center justify-between gap-3 rounded-md border border-line-strong bg-surface px-3 py-2">
          <output id={id} className="tabular-nums">
            붙여넣은 표 {text.split('\n').length.toLocaleString()}행
          </output>
          <Button ref={takeFocus} variant="outline" size="sm" onClick={() => take('')}>
            다시 붙여넣기
          </Button>
        </div>
      )}
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
        머리글(열 이름이 있는 행)은 있어도 없어도 됩니다. 열 순서는 상관없습니다: 이름, 학번, 점수, 출석
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-2">
        <KeepPart kept={kept} keeping={keeping} isEmpty={text === ''} />
        {(text !== '' || kept.name !== undefined) && (
          <Button variant="destructive-ghost" size="sm" onClick={(event) => setWiping(event.currentTarget)}>
            모두 지우기
          </Button>
        )}
      </div>
      {wiping && (
        <ConfirmDialog
          title="붙여넣은 표와 학점을 모두 지울까요?"
          submitLabel="모두 지우기"
          isDestructive
          returnFocusTo={wiping}
          onCancel={() => setWiping(undefined)}
          onSubmit={() => {
            setWiping(undefined);
            onWipe();
          }}
        >
          <p>이 강의를 보관한 것도 함께 지웁니다. 되돌릴 수 없습니다.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
