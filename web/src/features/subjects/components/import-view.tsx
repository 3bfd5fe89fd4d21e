import type { Department, SubjectSemester } from '#contract/subjects';
import { useQuery } from '@tanstack/react-query';
import { DraftNote } from '../../../components/draft-note.tsx';
import { GiveTable } from '../../../components/import/give-table.tsx';
import { useGivenTable } from '../../../components/import/use-given-table.ts';
import { FailedPart } from '../../../components/part-state.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { useKept, useKeptText } from '../../../components/use-draft.ts';
import { DEPARTMENTS, departmentLabels, termText } from '../labels.ts';
import { subjectsQuery } from '../queries.ts';
import { TimetableCheck } from './timetable-check.tsx';
import { TimetableImports } from './timetable-imports.tsx';

const departmentOptions = DEPARTMENTS.map((value) => ({
  value,
  label: `${departmentLabels[value]} (${value})`,
}));

type Props = { year: number; semester: SubjectSemester; first: Department };

/** Imports one department's timetable, which replaces the stored term. */
export function ImportView({ year, semester, first }: Props) {
  const chosen = useKept('subjects/import/department', () => ({ department: first }));
  const { department } = chosen.value;
  const term = { department, year, semester };
  const kept = useKeptText('subjects/import');
  const given = useGivenTable('subjects/import', kept);
  const { table } = given;
  const stored = useQuery(subjectsQuery(term));
  return (
    <div className="space-y-4">
      <SelectField
        className="max-w-sm"
        label="학과"
        options={departmentOptions}
        value={department}
        onChange={(next) => chosen.change(() => ({ department: next }))}
      />
      <DraftNote {...given.restored} />
      <GiveTable
        given={given}
        label="시간표"
        hint="머리글(열 이름이 있는 행)까지 필요합니다. 열 순서는 상관없습니다: 학수번호, 분반, 과목명, 학년, 이수구분, 학점, 교수, 강의시간, 강의실, 비고"
      />
      {stored.isError && !stored.data && (
        <FailedPart
          text={`${departmentLabels[department]} ${termText(term)}의 저장된 과목을 불러오지 못했습니다.`}
          onRetry={() => void stored.refetch()}
        />
      )}
      {table && (
        <TimetableCheck
          key={table.id}
          term={term}
          table={table}
          stored={stored.data?.length}
          onCancel={given.cancel}
          onStored={() => {
            given.finish();
            kept.clear();
            chosen.restart({ department });
          }}
        />
      )}
      <TimetableImports />
    </div>
  );
}
