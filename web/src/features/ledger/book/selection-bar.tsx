import { BULK_ENTRIES_MAX, entryTextProblem, type EntryWithBalance } from '#contract/ledger';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { RecordDialog } from '../../../components/record-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { signedWonText } from '../labels.ts';
import { categorizeEntriesMutation } from '../queries.ts';
import { suggestCommonCategories } from './categories.ts';
import { sumOfEntries } from './bin-dialog.tsx';
import { CategoryField, type KnownCategories } from './entry-form.tsx';

type Props = {
  chosen: readonly EntryWithBalance[];
  listed: number;
  onAll: () => void;
  onNone: () => void;
  onCategorize: (from: HTMLElement) => void;
  onDelete: (from: HTMLElement) => void;
};

/** The actions for the ticked entries. */
export function SelectionBar({ chosen, listed, onAll, onNone, onCategorize, onDelete }: Props) {
  const isTooMany = chosen.length > BULK_ENTRIES_MAX;
  return (
    <section
      aria-label="선택한 내역"
      className="mt-3 mb-3 flex flex-wrap items-center gap-2 rounded-md bg-sunken px-3 py-2 text-sm tabular-nums"
    >
      <p aria-live="polite" className="grow">
        <span className="font-semibold">{chosen.length}건 선택</span>
        {chosen.length > 0 && ` · 합계 ${signedWonText(sumOfEntries(chosen))}`}
        {isTooMany && (
          <span className="text-danger"> · 한 번에 {BULK_ENTRIES_MAX}건까지 선택할 수 있습니다.</span>
        )}
      </p>
      {chosen.length < listed && (
        <Button variant="ghost" size="sm" onClick={onAll}>
          {listed}건 모두 선택
        </Button>
      )}
      {chosen.length > 0 && (
        <Button variant="ghost" size="sm" onClick={onNone}>
          선택 해제
        </Button>
      )}
      <Button
        variant="outline"
        size="sm"
        disabled={chosen.length === 0 || isTooMany}
        onClick={({ currentTarget }) => onCategorize(currentTarget)}
      >
        분류 변경
      </Button>
      <Button
        variant="destructive"
        size="sm"
        disabled={chosen.length === 0 || isTooMany}
        onClick={({ currentTarget }) => onDelete(currentTarget)}
      >
        {chosen.length}건 삭제
      </Button>
    </section>
  );
}

type CategoryDialogProps = {
  entries: readonly EntryWithBalance[];
  known: KnownCategories;
  returnFocusTo: HTMLElement;
  onClose: () => void;
};

export function CategoryDialog({ entries, known, returnFocusTo, onClose }: CategoryDialogProps) {
  const { mutateAsync, isPending } = useMutation(categorizeEntriesMutation);
  const state = useDraft({
    place: 'account/category',
    start: () => ({ category: '' }),
    problemsOf: ({ category }) => {
      const problem = entryTextProblem('category', category.trim());
      return problem === undefined ? {} : { category: problem };
    },
    send: ({ category }) =>
      mutateAsync({
        entries: entries.map(({ id, version }) => ({ id, version })),
        category: category.trim(),
      }),
    onSaved: onClose,
    isPending,
  });
  const category = state.draft.category.trim();
  const replaced = entries.filter((entry) => entry.category !== '' && entry.category !== category).length;
  const suggested = useMemo(
    () =>
      suggestCommonCategories(
        entries.map(({ description }) => description),
        known.names,
      ),
    [entries, known.names],
  );
  return (
    <RecordDialog
      title={`내역 ${entries.length}건의 분류 변경`}
      submitLabel="저장"
      form={state}
      isPending={isPending}
      returnFocusTo={returnFocusTo}
      onClose={onClose}
    >
      <CategoryField
        known={known}
        suggested={suggested}
        field={state.field('category')}
        onChoose={(next) => state.change({ category: next })}
      />
      <p className="text-sm text-ink-soft tabular-nums">
        {category === '' ? '비워 두면 분류를 지웁니다. ' : ''}
        {replaced > 0 && `이미 다른 분류가 있는 ${replaced}건도 바뀝니다. `}
        바뀌기 전의 분류는 각 내역의 수정 이력에 남습니다.
      </p>
    </RecordDialog>
  );
}
