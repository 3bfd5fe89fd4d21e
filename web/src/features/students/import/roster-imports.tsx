import { useMutation, useQuery } from '@tanstack/react-query';
import { ImportList } from '../../../components/import/import-list.tsx';
import { importsQuery, undoImportMutation } from '../queries.ts';
import { courseName } from '../term.ts';

/** The rosters that were imported lately, each with its undo. */
export function RosterImports() {
  const imports = useQuery(importsQuery);
  const { mutate, isPending } = useMutation(undoImportMutation);
  return (
    <ImportList
      imports={imports}
      what={courseName}
      counts={({ added, changed, removed }) =>
        `신규 ${added} · 변경 ${changed}${removed > 0 ? ` · 수강 종료 ${removed}` : ''}`
      }
      consequences={() => ['이 가져오기로 추가되거나 바뀐 내용이 가져오기 전으로 돌아갑니다.']}
      onUndo={mutate}
      isUndoing={isPending}
    />
  );
}
