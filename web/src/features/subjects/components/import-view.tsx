import type { Department, SubjectSemester } from '#contract/subjects';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DraftNote } from '../../../components/draft-note.tsx';
import { useKeptText } from '../../../components/use-kept.ts';
import { Label } from '../../../components/ui/label.tsx';
import { FailedPart } from '../../../components/part-state.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { saveSubjectsMutation, subjectsQuery } from '../queries.ts';
import { DEPARTMENTS, departmentLabels, isGraduate, termText } from '../labels.ts';
import { readTimetable } from '../timetable-paste.ts';
import { ImportPreview } from './import-preview.tsx';
import { TimetableImports } from './timetable-imports.tsx';

const departmentOptions = DEPARTMENTS.map((value) => ({
  value,
  label: `${departmentLabels[value]} (${value})`,
}));

type Props = { year: number; semester: SubjectSemester; first: Department };

/** Pastes one department's timetable, shows how it was understood and replaces the stored term. */
export function ImportView({ year, semester, first }: Props) {
  const id = useId();
  const [department, setDepartment] = useState(first);
  const { text, setText, clear, restored } = useKeptText('subjects/import');
  const [isPartialWanted, setPartialWanted] = useState(false);
  const [asked, setAsked] = useState<{ from: HTMLElement }>();
  const term = { department, year, semester };
  const stored = useQuery(subjectsQuery(term));
  const { mutateAsync, isPending } = useMutation(saveSubjectsMutation);
  // Keeps the field responsive while a long text is parsed.
  const readText = useDeferredValue(text);
  const pasted = useMemo(() => readTimetable(readText, isGraduate(department)), [readText, department]);
  const { subjects, bad, problem } = pasted;
  const isReady =
    text === readText &&
    problem === undefined &&
    subjects.length > 0 &&
    (bad.length === 0 || isPartialWanted);
  const where = `${departmentLabels[department]} ${termText(term)}`;

  const save = () => {
    setAsked(undefined);
    mutateAsync({ ...term, subjects }).then(clear, () => undefined);
  };
  return (
    <div className="space-y-4">
      <SelectField
        className="max-w-sm"
        label="등록할 학과"
        options={departmentOptions}
        value={department}
        onChange={setDepartment}
      />
      <DraftNote {...restored} />
      <div>
        <Label htmlFor={id}>시간표 붙여 넣기</Label>
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          엑셀이나 학교 시간표에서 머리글(학수번호, 과목명, 학년, 이수구분, 학점, 교수, 강의시간, 강의실,
          비고)까지 복사해 붙여 넣으세요. 열의 순서는 상관없습니다.
        </p>
        <textarea
          id={id}
          aria-describedby={`${id}-hint`}
          value={text}
          rows={7}
          wrap="off"
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value);
            setPartialWanted(false);
          }}
          className="mt-1.5 block w-full rounded-md border border-line-strong bg-surface px-3 py-2 font-mono text-sm"
        />
      </div>
      {stored.isError && !stored.data && (
        <FailedPart
          text={`${where}의 저장된 과목을 불러오지 못했습니다.`}
          onRetry={() => void stored.refetch()}
        />
      )}
      {readText.trim() !== '' && <ImportPreview pasted={pasted} />}
      {bad.length > 0 && subjects.length > 0 && (
        <label className="flex min-h-10 items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isPartialWanted}
            onChange={(event) => setPartialWanted(event.target.checked)}
          />
          잘못된 {bad.length}행을 빼고 저장
        </label>
      )}
      <Button
        disabled={!isReady || isPending || stored.data === undefined}
        onClick={(event) => setAsked({ from: event.currentTarget })}
      >
        {subjects.length}개 과목 저장
      </Button>
      {asked && (
        <ConfirmDialog
          title={`${where} 시간표를 저장할까요?`}
          submitLabel="저장"
          isDestructive={(stored.data?.length ?? 0) > 0}
          returnFocusTo={asked.from}
          onCancel={() => setAsked(undefined)}
          onSubmit={save}
        >
          <p>
            {stored.data === undefined || stored.data.length === 0
              ? `새 과목 ${subjects.length}개를 등록합니다.`
              : `저장된 과목 ${stored.data.length}개가 모두 새 과목 ${subjects.length}개로 바뀝니다.`}
          </p>
          {bad.length > 0 && <p>잘못된 {bad.length}행은 저장되지 않습니다.</p>}
        </ConfirmDialog>
      )}
      <TimetableImports />
    </div>
  );
}
