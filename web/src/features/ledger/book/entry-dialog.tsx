import {
  ENTRY_TEXT_FIELDS,
  ENTRY_TEXT_NAMES,
  RELEASE_DUES_FIELD,
  storedEntrySchema,
  type EntryWithBalance,
  type EntryRevision,
  type LedgerEntryForm,
} from '#contract/ledger';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { MissingPart } from '../../../components/part-state.tsx';
import { RecordDialog } from '../../../components/record-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { topicParticle } from '../../../lib/hangul.ts';
import { currentRecordOf } from '../../../lib/merge.ts';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { dayText, signedWonText } from '../labels.ts';
import { correctEntryMutation, entryRevisionsQuery } from '../queries.ts';
import {
  correctionDraftOf,
  entryDraftProblems,
  entryMergeFields,
  entryFromDraft,
  type CorrectionDraft,
} from './entry-draft.ts';
import { ReceiptsDialog } from './receipts-dialog.tsx';
import { EntryFields, InlineQuestion, type KnownCategories } from './entry-form.tsx';

type Props = {
  /** The entry as it was when the dialog opened. */
  entry: EntryWithBalance;
  receipts: number;
  today: string;
  known: KnownCategories;
  onDelete: () => void;
  onClose: () => void;
  returnFocusTo: HTMLElement;
};

/** A question that the user answers before this draft is sent, and answers again after changing the draft. */
type Asked = { draft: CorrectionDraft } & ({ kind: 'future' } | { kind: 'dues'; text: string });

/** Shows an entry in a form that corrects it, with buttons for the entry's receipts, history and deletion. */
export function EntryDialog({ entry, receipts, today, known, onClose, returnFocusTo, onDelete }: Props) {
  const { mutateAsync, isPending, error, reset } = useMutation(correctEntryMutation);
  const [asked, setAsked] = useState<Asked>();
  const [part, setPart] = useState<'history' | 'receipts'>();
  const state = useDraft({
    place: `account/${entry.id}`,
    start: () => correctionDraftOf(entry),
    problemsOf: (each) => entryDraftProblems(each, today),
    send: (each) => {
      const isAsked = asked?.draft === each;
      if (each.date > today && each.date !== correctionDraftOf(entry).date && !isAsked) {
        setAsked({ draft: each, kind: 'future' });
        return undefined;
      }
      const { version } = each;
      const release = isAsked && asked.kind === 'dues' && { release_dues: true };
      return mutateAsync(
        { id: entry.id, change: { ...entryFromDraft(each), version, ...release } },
        { onError: (failure) => askAbout(failure, each) },
      );
    },
    onSaved: onClose,
    isPending,
  });
  const { draft, change, focus, field } = state;
  const askAbout = (failure: Error, each: CorrectionDraft) => {
    if (failure instanceof ApiError && failure.details?.field === RELEASE_DUES_FIELD)
      setAsked({ draft: each, kind: 'dues', text: failure.message });
  };
  const current = currentRecordOf(error, storedEntrySchema);
  const question = asked?.draft === draft ? asked : undefined;
  const day = draft.date.replaceAll('-', '.');
  if (part === 'receipts')
    return <ReceiptsDialog entry={entry} onClose={() => setPart(undefined)} returnFocusTo={returnFocusTo} />;
  if (part === 'history') {
    return (
      <DialogFrame title="수정 이력" onClose={onClose} returnFocusTo={returnFocusTo}>
        <HistoryList entry={entry} />
        <DialogFooter className="mt-6">
          <Button variant="outline" onClick={() => setPart(undefined)}>
            돌아가기
          </Button>
        </DialogFooter>
      </DialogFrame>
    );
  }
  return (
    <RecordDialog
      title="내역 수정"
      submitLabel="저장"
      form={state}
      isPending={isPending}
      question={
        question && (
          <InlineQuestion
            yes={question.kind === 'future' ? '예정 내역으로 저장' : '미납으로 바꾸고 저장'}
            no={question.kind === 'future' ? '날짜 수정' : '금액 수정'}
            isPending={isPending}
            onNo={() => {
              setAsked(undefined);
              focus(question.kind === 'future' ? 'date' : 'amount');
            }}
          >
            {question.kind === 'future'
              ? `${day}${topicParticle(day)} 아직 오지 않은 날짜입니다. 예정 내역으로 저장할까요?`
              : `${question.text}. 그 회비를 미납으로 바꾸고 저장할까요?`}
          </InlineQuestion>
        )
      }
      merge={
        current && {
          title: '이 내역을 다른 사람도 수정했습니다',
          fields: entryMergeFields,
          theirs: correctionDraftOf(current),
          reset,
        }
      }
      returnFocusTo={returnFocusTo}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-4">
        <EntryFields
          draft={draft}
          change={change}
          field={field}
          today={today}
          known={known}
          wide="col-span-full"
        />
      </div>
      <div className="flex flex-wrap gap-1 border-t border-line pt-3">
        <Button variant="ghost" size="sm" onClick={() => setPart('receipts')}>
          영수증 {receipts === 0 ? '추가' : `${receipts}개`}
        </Button>
        {entry.version > 1 && (
          <Button variant="ghost" size="sm" onClick={() => setPart('history')}>
            수정 이력 {entry.version - 1}회
          </Button>
        )}
        <Button variant="destructive-ghost" size="sm" className="ml-auto" onClick={onDelete}>
          삭제
        </Button>
      </div>
    </RecordDialog>
  );
}

/** Lists the corrections of an entry: when, by whom, and each changed value before and after. */
function HistoryList({ entry }: { entry: EntryWithBalance }) {
  const history = useQuery(entryRevisionsQuery(entry.id));
  if (!history.data)
    return <MissingPart of={history} text="수정 이력을 불러오지 못했습니다." rows={3} className="h-12" />;
  return (
    <ol className="mt-4 divide-y divide-line border-y border-line text-sm tabular-nums">
      {historySteps(entry, history.data).map(
        ({ version, replaced_at, replaced_by: { id, name }, changes }) => (
          <li key={version} className="py-3">
            <p className="text-ink-soft">
              {seoulDateTime(Date.parse(replaced_at))} · {name ?? `삭제된 사용자 (사용자 번호 ${id})`}
            </p>
            <dl className="mt-1 space-y-0.5">
              {changes.map(({ label, from, to }) => (
                <div key={label} className="flex flex-wrap gap-x-2">
                  <dt className="w-10 shrink-0 text-ink-soft">{label}</dt>
                  <dd className="wrap-anywhere">
                    <del>{from}</del> → <ins className="font-semibold">{to}</ins>
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ),
      )}
    </ol>
  );
}

type Change = { label: string; from: string; to: string };
type HistoryStep = Pick<EntryRevision, 'version' | 'replaced_at' | 'replaced_by'> & { changes: Change[] };

const NOTHING = '없음';

/** The values that each correction changed, newest first. @param earlier replaced versions, newest first */
function historySteps(now: LedgerEntryForm, earlier: readonly EntryRevision[]): HistoryStep[] {
  return earlier.map((before, at) => {
    const after = earlier[at - 1] ?? now;
    const { version, replaced_at, replaced_by } = before;
    return { version, replaced_at, replaced_by, changes: changesOf(before, after) };
  });
}

function changesOf(before: LedgerEntryForm, after: LedgerEntryForm): Change[] {
  const [old, now] = [shown(before), shown(after)];
  return old.flatMap(({ label, text: from }, at) => {
    const to = now[at]?.text ?? from;
    return from === to ? [] : [{ label, from, to }];
  });
}

const shown = (entry: LedgerEntryForm) => [
  { label: '날짜', text: dayText(entry.datetime) },
  { label: '금액', text: signedWonText(entry.amount) },
  ...ENTRY_TEXT_NAMES.map((name) => ({ label: ENTRY_TEXT_FIELDS[name].label, text: entry[name] || NOTHING })),
];
