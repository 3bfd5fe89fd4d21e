import { useMutation, useQuery } from '@tanstack/react-query';
import { ImportList } from '../../../components/import/import-list.tsx';
import { departmentLabels, termText } from '../labels.ts';
import { timetableImportsQuery, undoTimetableMutation } from '../queries.ts';

/** The last change of each timetable, with its undo. */
export function TimetableImports() {
  const imports = useQuery(timetableImportsQuery);
  const { mutate, isPending } = useMutation(undoTimetableMutation);
  return (
    <ImportList
      imports={imports}
      what={(term) => `${departmentLabels[term.department]} ${termText(term)}`}
      counts={({ subjects, before }) => `과목 ${subjects}개 (이전 ${before}개)`}
      consequences={({ before, subjects }) => [
        before === 0
          ? `저장된 과목 ${subjects}개를 삭제합니다. 그 전에는 시간표가 없었습니다.`
          : `저장된 과목 ${subjects}개가 이전 과목 ${before}개로 모두 바뀝니다.`,
      ]}
      onUndo={mutate}
      isUndoing={isPending}
    />
  );
}
