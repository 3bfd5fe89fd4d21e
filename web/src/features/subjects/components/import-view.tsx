import type { Department, SubjectSemester } from '#contract/subjects';
import { useQuery, useMutation } from '@tanstack/react-query';
import { DraftNote } from '../../../components/draft-note.tsx';
import { TableInput } from '../../../components/import/table-input.tsx';
import { useTableInput, type InputTable } from '../../../components/import/use-table-input.ts';
import { FailedPart } from '../../../components/part-state.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { useAutosaved, useAutosavedText } from '../../../components/use-draft.ts';
import { DEPARTMENTS, departmentLabels, isGraduate, type Term } from '../labels.ts';
import { seasonText } from '#contract/terms';
import {
  subjectsQuery,
  saveSubjectsMutation,
  timetableImportsQuery,
  undoTimetableImportMutation,
} from '../queries.ts';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { CheckTable } from '../../../components/import/check-table.tsx';
import { ColumnChoice } from '../../../components/import/column-choice.tsx';
import { chosenRows, useCheckedTable } from '../../../components/import/use-checked-table.ts';
import { Button } from '../../../components/ui/button.tsx';
import { timetableKind } from '../timetable-kind.ts';
import { ImportList } from '../../../components/import/import-list.tsx';

const departmentOptions = DEPARTMENTS.map((value) => ({
  value,
  label: `${departmentLabels[value]} (${value})`,
}));

type Props = { year: number; semester: SubjectSemester; first: Department };

/** Imports one department's timetable, which replaces the stored term. */
export function ImportView({ year, semester, first }: Props) {
  const chosen = useAutosaved('subjects/import/department', () => ({ department: first }));
  const { department } = chosen.value;
  const term = { department, year, semester };
  const kept = useAutosavedText('subjects/import');
  const given = useTableInput('subjects/import', kept);
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
      <TableInput
        given={given}
        label="시간표"
        hint="머리글(열 이름이 있는 행)까지 필요합니다. 열 순서는 상관없습니다: 학수번호, 분반, 과목명, 학년, 이수구분, 학점, 교수, 강의시간, 강의실, 비고"
      />
      {stored.isError && !stored.data && (
        <FailedPart
          text={`${departmentLabels[department]} ${seasonText(term)}의 저장된 과목을 불러오지 못했습니다.`}
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

type TimetableCheckProps = {
  term: Term & { department: Department };
  table: InputTable;
  /** Number of subjects stored for the term; undefined while unknown. */
  stored: number | undefined;
  onCancel: () => void;
  onStored: () => void;
};

/** Shows how a timetable was understood, and asks before it replaces the term's subjects. */
function TimetableCheck({ term, table, stored, onCancel, onStored }: TimetableCheckProps) {
  const check = useCheckedTable(timetableKind(isGraduate(term.department)), table);
  const { mutateAsync, isPending } = useMutation(saveSubjectsMutation);
  const [asked, setAsked] = useState<{ from: HTMLElement }>();
  const subjects = chosenRows(check);
  const others = (check.rows?.length ?? 0) - subjects.length;
  const where = `${departmentLabels[term.department]} ${seasonText(term)}`;
  return (
    <section aria-label="미리보기">
      <ColumnChoice check={check} />
      {check.rows && (
        <div className="mt-4">
          <CheckTable check={check} caption="미리보기" isStale={isPending} />
          <div className="mt-6 flex flex-wrap items-center gap-2">
            <Button
              disabled={subjects.length === 0 || isPending || stored === undefined}
              onClick={(event) => setAsked({ from: event.currentTarget })}
            >
              {subjects.length}개 과목 저장
            </Button>
            <Button variant="outline" disabled={isPending} onClick={onCancel}>
              취소
            </Button>
          </div>
        </div>
      )}
      {asked && (
        <ConfirmDialog
          title={`${where} 시간표를 저장할까요?`}
          submitLabel="저장"
          isDestructive={(stored ?? 0) > 0}
          returnFocusTo={asked.from}
          onClose={() => setAsked(undefined)}
          onSubmit={() => void mutateAsync({ ...term, subjects }).then(onStored, () => undefined)}
        >
          <p>
            {stored
              ? `저장된 과목 ${stored}개가 모두 새 과목 ${subjects.length}개로 바뀝니다.`
              : `새 과목 ${subjects.length}개를 등록합니다.`}
          </p>
          {others > 0 && <p>나머지 {others}행은 저장되지 않습니다.</p>}
        </ConfirmDialog>
      )}
    </section>
  );
}

/** The last import of each timetable, with a button to undo it. */
function TimetableImports() {
  const imports = useQuery(timetableImportsQuery);
  const { mutate, isPending } = useMutation(undoTimetableImportMutation);
  return (
    <ImportList
      imports={imports}
      what={(term) => `${departmentLabels[term.department]} ${seasonText(term)}`}
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
