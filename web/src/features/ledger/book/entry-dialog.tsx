import {
  ENTRY_TEXT_FIELDS,
  ENTRY_TEXTS,
  RELEASE_DUES,
  storedEntrySchema,
  type BookedEntry,
} from '#contract/ledger';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { DraftNote } from '../../../components/draft-note.tsx';
import { MergeDialog } from '../../../components/merge-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { topicParticle } from '../../../lib/hangul.ts';
import type { MergeField } from '../../../lib/merge.ts';
import { currentOf } from '../../../lib/outdated.ts';
import { typeLabels } from '../labels.ts';
import { correctEntryMutation } from '../queries.ts';
import type { KnownCategories } from './category-field.tsx';
import { correctionOf, draftProblems, entryOf, type CorrectionDraft } from './entry-draft.ts';
import { EntryFields } from './entry-fields.tsx';
import { HistoryList } from './history-list.tsx';
import { Question } from './question.tsx';

type Props = {
  /** As it was when the dialog was opened. */
  entry: BookedEntry;
  /** How many receipts it has. */
  receipts: number;
  today: string;
  known: KnownCategories;
  onReceipts: () => void;
  onDelete: () => void;
  onClose: () => void;
  returnFocusTo: HTMLElement;
};

/** What has to be asked before this draft is sent; a changed draft is asked about again. */
type Asked = { draft: CorrectionDraft } & ({ kind: 'future' } | { kind: 'dues'; text: string });

const mergeFields: readonly MergeField<CorrectionDraft>[] = [
  { names: ['date'], label: '날짜', text: ({ date }) => date.replaceAll('-', '.') },
  {
    names: ['type', 'amount'],
    label: '금액',
    text: ({ type, amount }) => `${typeLabels[type]} ${amount}원`,
  },
  ...ENTRY_TEXTS.map((name) => ({
    names: [name],
    label: ENTRY_TEXT_FIELDS[name].label,
    text: (draft: CorrectionDraft) => draft[name],
  })),
];

/** One entry: it is corrected here, and leads to its receipts, its history and its deletion. */
export function EntryDialog({ entry, receipts, today, known, onClose, returnFocusTo, ...lead }: Props) {
  const { mutateAsync, isPending, error, reset } = useMutation(correctEntryMutation);
  const [asked, setAsked] = useState<Asked>();
  const [isHistory, setHistory] = useState(false);
  const { draft, base, change, resend, focus, form, field, restored } = useDraft({
    place: `account/${entry.id}`,
    start: () => correctionOf(entry),
    problemsOf: (each) => draftProblems(each, today),
    send: (each) => {
      const isAsked = asked?.draft === each;
      if (each.date > today && each.date !== correctionOf(entry).date && !isAsked) {
        setAsked({ draft: each, kind: 'future' });
        return undefined;
      }
      const { version } = each;
      const release = isAsked && asked.kind === 'dues' && { release_dues: true };
      return mutateAsync(
        { id: entry.id, change: { ...entryOf(each), version, ...release } },
        { onError: (failure) => askAbout(failure, each) },
      );
    },
    onSaved: onClose,
    isPending,
  });
  const askAbout = (failure: Error, each: CorrectionDraft) => {
    if (failure instanceof ApiError && failure.details?.field === RELEASE_DUES)
      setAsked({ draft: each, kind: 'dues', text: failure.message });
  };
  const current = currentOf(error, storedEntrySchema);
  const question = asked?.draft === draft ? asked : undefined;
  const back = (name: string) => () => {
    setAsked(undefined);
    focus(name);
  };
  const day = draft.date.replaceAll('-', '.');
  if (isHistory) {
    return (
      <DialogFrame title="수정 이력" onClose={onClose} returnFocusTo={returnFocusTo}>
        <HistoryList entry={entry} />
        <DialogFooter className="mt-6">
          <Button variant="outline" onClick={() => setHistory(false)}>
            돌아가기
          </Button>
        </DialogFooter>
      </DialogFrame>
    );
  }
  return (
    <DialogFrame title="내역 수정" onClose={onClose} returnFocusTo={returnFocusTo}>
      <form {...form} aria-label="내역 수정" className="mt-4 space-y-4">
        <DraftNote {...restored} />
        <EntryFields draft={draft} change={change} field={field} today={today} known={known} />
        <div className="flex flex-wrap gap-1 border-t border-line pt-3">
          <Button variant="ghost" size="sm" onClick={lead.onReceipts}>
            영수증 {receipts === 0 ? '추가' : `${receipts}개`}
          </Button>
          {entry.version > 1 && (
            <Button variant="ghost" size="sm" onClick={() => setHistory(true)}>
              수정 이력 {entry.version - 1}회
            </Button>
          )}
          <Button variant="destructive-ghost" size="sm" className="ml-auto" onClick={lead.onDelete}>
            삭제
          </Button>
        </div>
        {question?.kind === 'future' && (
          <Question yes="예정 내역으로 저장" no="날짜 수정" isPending={isPending} onNo={back('date')}>
            {day}
            {topicParticle(day)} 아직 오지 않은 날짜입니다. 예정 내역으로 저장할까요?
          </Question>
        )}
        {question?.kind === 'dues' && (
          <Question yes="미납으로 바꾸고 저장" no="금액 수정" isPending={isPending} onNo={back('amount')}>
            {question.text}. 그 회비를 미납으로 바꾸고 저장할까요?
          </Question>
        )}
        {!question && (
          <DialogFooter>
            <Button
              variant="outline"
              onClick={() => {
                restored.onDiscard();
                onClose();
              }}
            >
              취소
            </Button>
            <Button type="submit" aria-disabled={isPending}>
              저장
            </Button>
          </DialogFooter>
        )}
      </form>
      {current && (
        <MergeDialog
          title="이 내역을 다른 사람도 수정했습니다"
          fields={mergeFields}
          base={base}
          mine={draft}
          theirs={correctionOf(current)}
          onMerge={(merged) => {
            reset();
            resend(correctionOf(current), merged);
          }}
          onClose={reset}
        />
      )}
    </DialogFrame>
  );
}
