import { exportReasonSchema } from '#contract/students';
import { useState, type FormEvent, type ReactNode } from 'react';
import { DraftNote } from './draft-note.tsx';
import { Button } from './ui/button.tsx';
import { DialogFooter } from './ui/dialog.tsx';
import { TextField } from './text-field.tsx';
import { DialogFrame } from './dialog-frame.tsx';
import { useAutosavedText } from './use-draft.ts';

type Props = {
  title: string;
  /** Additional information for the user. */
  children?: ReactNode;
  submitLabel: string;
  onSubmit: (reason: string) => void;
  /** Called on cancel, and after `onSubmit` too. */
  onClose: () => void;
  returnFocusTo: HTMLElement | null;
};

export function ReasonDialog({ title, children, submitLabel, onSubmit, onClose, returnFocusTo }: Props) {
  const { text, setText, clear, restored } = useAutosavedText(`reasons/${title}`);
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = exportReasonSchema.safeParse(text);
    if (parsed.success) {
      clear();
      onSubmit(parsed.data);
      onClose();
    } else setError('사유를 두 글자 이상 입력하세요');
  };
  return (
    <DialogFrame title={title} description={children} onClose={onClose} returnFocusTo={returnFocusTo}>
      <form onSubmit={submit} noValidate className="mt-4">
        <DraftNote {...restored} />
        <TextField
          label="사유"
          value={text}
          maxLength={200}
          autoComplete="off"
          error={error}
          hint="접속 기록에 남습니다. 사람의 이름, 번호, 이메일은 ○○○으로 가려집니다."
          onChange={(event) => {
            setText(event.target.value);
            setError(undefined);
          }}
        />
        <DialogFooter className="mt-4">
          <Button
            variant="outline"
            onClick={() => {
              clear();
              onClose();
            }}
          >
            취소
          </Button>
          <Button type="submit">{submitLabel}</Button>
        </DialogFooter>
      </form>
    </DialogFrame>
  );
}
