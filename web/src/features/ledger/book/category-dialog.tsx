import { textProblem, type BookedEntry } from '#contract/ledger';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { RecordDialog } from '../../../components/record-dialog.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { categorizeEntriesMutation } from '../queries.ts';
import { suggestForAll } from './categories.ts';
import { CategoryField, type KnownCategories } from './entry-form.tsx';

type Props = {
  entries: readonly BookedEntry[];
  known: KnownCategories;
  returnFocusTo: HTMLElement;
  onClose: () => void;
};

/** Gives several entries one category. */
export function CategoryDialog({ entries, known, returnFocusTo, onClose }: Props) {
  const { mutateAsync, isPending } = useMutation(categorizeEntriesMutation);
  const state = useDraft({
    place: 'account/category',
    start: () => ({ category: '' }),
    problemsOf: ({ category }) => {
      const problem = textProblem('category', category.trim());
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
      suggestForAll(
        entries.map(({ description }) => description),
        known.names,
      ),
    [entries, known.names],
  );
  return (
    <RecordDialog
      title={`내역 ${entries.length}건의 분류 변경`}
      submitLabel="변경"
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
