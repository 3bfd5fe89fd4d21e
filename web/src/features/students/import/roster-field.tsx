import { useId } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Label } from '../../../components/ui/label.tsx';

/** A longer paste is kept outside the field, because laying out thousands of lines takes nearly a second. */
const LONGEST_SHOWN = 50_000;

type Props = { text: string; onChange: (text: string) => void };

/** The textarea for the roster. */
export function RosterField({ text, onChange }: Props) {
  const id = useId();
  return (
    <div>
      <Label htmlFor={id}>명단</Label>
      {text.length <= LONGEST_SHOWN ? (
        <textarea
          id={id}
          name="text"
          aria-describedby={`${id}-hint`}
          rows={8}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={({ target }) => onChange(target.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain');
            if (pasted.length <= LONGEST_SHOWN) return;
            event.preventDefault();
            onChange(pasted);
          }}
          className="mt-1.5 block w-full overflow-auto rounded-md border border-line-strong bg-surface p-3 font-mono text-sm text-ink"
        />
      ) : (
        <div className="mt-1.5 flex flex-wrap items-center justify-between gap-3 rounded-md border border-line-strong bg-surface px-3 py-2">
          <output id={id} className="tabular-nums">
            붙여넣은 표 {text.split('\n').length}줄
          </output>
          <Button variant="outline" size="sm" onClick={() => onChange('')}>
            지우기
          </Button>
        </div>
      )}
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
        제목 줄까지 복사해 붙여넣으세요. 열 순서는 상관없습니다: 순번, 학번, 성명, 학과, 학년, 학적상태,
        연락처, 이메일
      </p>
    </div>
  );
}
