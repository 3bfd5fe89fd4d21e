import { useSyncExternalStore } from 'react';
import { copyTextWithToast } from '../lib/copy-text.ts';
import { draftAt, draftPlacesUnder, dropDraft, hasShapeOf, onDraftChange } from '../lib/drafts.ts';
import { subjectParticle } from '../lib/hangul.ts';
import { useLoginState } from '../lib/login-state.ts';
import type { MergeField } from '../lib/merge.ts';
import { Button } from './ui/button.tsx';
import type { RestoredDraft } from './use-draft.ts';

/**
 * Says that a form or field shows a restored draft, which can be discarded, or that the browser cannot store
 * the draft. Must be inside the form's `<form>`.
 */
export function DraftNote({ isRestored, isOfOtherTab, isRefused, onDiscard }: RestoredDraft) {
  if (isRefused)
    return (
      <p className="rounded-md bg-notice-wash px-4 py-3 text-sm text-notice">
        이 브라우저에 임시 저장하지 못했습니다(저장 공간이 부족하거나 서버에 연결할 수 없음). 저장하기 전에
        창을 닫지 마세요.
      </p>
    );
  if (!isRestored) return null;
  return (
    <p data-draft-note className="flex flex-wrap items-center gap-x-1 text-sm text-ink-soft">
      {isOfOtherTab
        ? '다른 탭에서 입력한 내용입니다. 두 탭이 같은 내용을 함께 씁니다'
        : '작성하던 내용을 불러왔습니다'}{' '}
      ·
      <Button
        variant="ghost"
        size="sm"
        className="px-1.5"
        onClick={({ currentTarget }) => {
          // Moves the focus away, because the pressed button is about to disappear.
          currentTarget
            .closest('form, section, [role=tabpanel]')
            ?.querySelector<HTMLElement>('input:not([type=radio]):not([readonly]), textarea')
            ?.focus();
          onDiscard();
        }}
      >
        버리기
      </Button>
    </p>
  );
}

type GoneProps<Draft> = {
  /** The places of the drafts of such records begin with this text: `account/`. */
  start: string;
  /** The name of such a record: `내역`. */
  what: string;
  /** Whether `start + name` is the place of an existing record, or of something that is no such record. */
  isThere: (name: string) => boolean;
  /** An example draft; a stored draft of another shape is ignored. */
  model: Draft;
  fields: readonly MergeField<Draft>[];
};

/** Drafts of records that were deleted meanwhile: the user can copy the text, then discards the draft. */
export function OrphanedDrafts<Draft>({ start, what, isThere, model, fields }: GoneProps<Draft>) {
  const { id: userId } = useLoginState();
  // A snapshot has to be identical while nothing changes, so the names are joined into one string.
  const names = useSyncExternalStore(onDraftChange, () => draftPlacesUnder(userId, start).join('\n'));
  const gone = names.split('\n').flatMap((name) => {
    if (name === '' || isThere(name)) return [];
    const value = draftAt(userId, start + name)?.value;
    return hasShapeOf(value, model) ? [{ name, lines: linesOf(value, fields) }] : [];
  });
  if (gone.length === 0) return null;
  return (
    <section
      aria-label={`삭제된 ${what}의 수정 내용`}
      className="mb-6 divide-y divide-line rounded-md bg-notice-wash px-4"
    >
      {gone.map(({ name, lines }) => (
        <div key={name} className="flex flex-wrap items-start justify-between gap-3 py-3">
          <div className="min-w-0 grow basis-56">
            <p className="font-semibold text-notice">
              수정하던 {what}
              {subjectParticle(what)} 삭제되어 저장할 수 없습니다.
            </p>
            <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line tabular-nums">{lines}</p>
          </div>
          <div className="flex gap-2">
            <Button variant="outline" size="sm" onClick={() => void copyTextWithToast(lines)}>
              내용 복사
            </Button>
            <Button variant="ghost" size="sm" onClick={() => dropDraft(userId, start + name)}>
              버리기
            </Button>
          </div>
        </div>
      ))}
    </section>
  );
}

const linesOf = <Draft,>(draft: Draft, fields: readonly MergeField<Draft>[]) =>
  fields
    .map(({ label, text }) => [label, text(draft)] as const)
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${label}: ${text}`)
    .join('\n');
