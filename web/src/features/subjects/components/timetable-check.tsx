import type { Department } from '#contract/subjects';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { CheckTable } from '../../../components/import/check-table.tsx';
import { ColumnChoice } from '../../../components/import/column-choice.tsx';
import { chosenRows, useCheckedTable } from '../../../components/import/use-checked-table.ts';
import type { GivenTable } from '../../../components/import/use-given-table.ts';
import { Button } from '../../../components/ui/button.tsx';
import { departmentLabels, isGraduate, termText, type Term } from '../labels.ts';
import { saveSubjectsMutation } from '../queries.ts';
import { timetableKind } from '../timetable-kind.ts';

type Props = {
  term: Term & { department: Department };
  table: GivenTable;
  /** How many subjects the term has now; undefined while unknown. */
  stored: number | undefined;
  onCancel: () => void;
  onStored: () => void;
};

/** How a timetable was understood, and the question before it replaces the term. */
export function TimetableCheck({ term, table, stored, onCancel, onStored }: Props) {
  const check = useCheckedTable(timetableKind(isGraduate(term.department)), table);
  const { mutateAsync, isPending } = useMutation(saveSubjectsMutation);
  const [asked, setAsked] = useState<{ from: HTMLElement }>();
  const subjects = chosenRows(check);
  const others = (check.rows?.length ?? 0) - subjects.length;
  const where = `${departmentLabels[term.department]} ${termText(term)}`;
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
          onCancel={() => setAsked(undefined)}
          onSubmit={() => {
            setAsked(undefined);
            mutateAsync({ ...term, subjects }).then(onStored, () => undefined);
          }}
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
