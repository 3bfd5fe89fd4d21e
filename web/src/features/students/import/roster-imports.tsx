import { useMutation, useQuery } from '@tanstack/react-query';
import { undoHindrancesSchema } from '#contract/students';
import { ImportList } from '../../../components/import/import-list.tsx';
import { importsQuery, undoImportMutation } from '../queries.ts';
import { currentOf } from '../../../lib/merge.ts';
import { courseName } from '../term.ts';
import { UndoRefusal } from './undo-refusal.tsx';

/** The rosters that were imported lately, each with its undo. */
export function RosterImports() {
  const imports = useQuery(importsQuery);
  const { mutate, isPending, error } = useMutation(undoImportMutation);
  const refused = currentOf(error, undoHindrancesSchema);
  return (
    <ImportList
      imports={imports}
      what={courseName}
      counts={({ added, changed, removed }) =>
        `신규 ${added} · 변경 ${changed}${removed > 0 ? ` · 수강 종료 ${removed}` : ''}`
      }
      consequences={() => ['이 가져오기로 추가되거나 바뀐 내용이 가져오기 전으로 돌아갑니다.']}
      condition="가져온 뒤에 고치거나 삭제한 학생이 있으면 되돌리지 않고 누구인지 알려 줍니다."
      notice={refused && <UndoRefusal {...refused} />}
      onUndo={mutate}
      isUndoing={isPending}
    />
  );
}
