import type { ReactNode } from 'react';
import { DRAFT_SAVED, showToast } from '../lib/toast-queue.ts';
import type { MergeField } from '../lib/merge.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { DraftNote } from './draft-note.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { Button } from './ui/button.tsx';
import { DialogFooter } from './ui/dialog.tsx';
import type { useDraft } from './use-draft.ts';

type Props<Draft extends object> = {
  title: string;
  form: ReturnType<typeof useDraft<Draft>>;
  submitLabel: string;
  isPending: boolean;
  /** A question shown in place of the buttons. */
  question?: ReactNode;
  /** The record as another user has changed it meanwhile. */
  merge?: Merge<Draft> | undefined;
  onClose: () => void;
  returnFocusTo: HTMLElement | null;
  children: ReactNode;
};

type Merge<Draft> = {
  title: string;
  fields: readonly MergeField<Draft>[];
  /** The record as it is stored now. */
  theirs: Draft;
  reset: () => void;
};

/** A dialog with a record's form. The input is stored as a draft and merged with other users' changes. */
export function RecordDialog<Draft extends object>({
  title,
  form: { form, restored, base, draft, resend },
  submitLabel,
  isPending,
  question,
  merge,
  onClose,
  returnFocusTo,
  children,
}: Props<Draft>) {
  /** Esc, the browser's Back and the 취소 button have the same effect. */
  const leave = () => {
    if (draft !== base && !restored.isRefused) showToast(DRAFT_SAVED);
    onClose();
  };
  return (
    <DialogFrame title={title} onClose={leave} returnFocusTo={returnFocusTo}>
      <form {...form} aria-label={title} className="mt-4 space-y-4">
        <DraftNote {...restored} />
        {children}
        {question ?? (
          <DialogFooter>
            <Button variant="outline" onClick={leave}>
              취소
            </Button>
            <Button type="submit" aria-disabled={isPending}>
              {submitLabel}
            </Button>
          </DialogFooter>
        )}
      </form>
      {merge && (
        <MergeDialog
          title={merge.title}
          fields={merge.fields}
          base={base}
          mine={draft}
          theirs={merge.theirs}
          onMerge={(merged) => {
            merge.reset();
            resend(merge.theirs, merged);
          }}
          onClose={merge.reset}
        />
      )}
    </DialogFrame>
  );
}
