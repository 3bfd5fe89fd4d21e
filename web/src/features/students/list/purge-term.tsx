import type { TermPurgeCount, RosterCourse } from '#contract/students';
import { termText } from '#contract/terms';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import type { ChosenClass } from '../../../lib/chosen-class.ts';
import { countTermMutation, purgeTermMutation, termsQuery, type StoredTerm } from '../queries.ts';

type Asked = { term: StoredTerm; count: TermPurgeCount & { courses: RosterCourse[] }; from: HTMLElement };

/** Deletes a whole term's roster. The part is collapsed, and separate from the other parts of the page. */
export function PurgeTerm({ chosen: chosenClass }: { chosen: ChosenClass | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const stored = useQuery({ ...termsQuery, enabled: isOpen });
  const [chosen, setChosen] = useState<string>();
  const [asked, setAsked] = useState<Asked>();
  const [typed, setTyped] = useState('');
  const count = useMutation({
    ...countTermMutation,
    onSuccess: (answer, { term, from }) => {
      setTyped('');
      setAsked({ term, from, count: answer });
    },
  });
  const purge = useMutation(purgeTermMutation);
  const terms = (stored.data ?? []).map((term) => ({
    value: `${term.year}-${term.semester}`,
    label: termText(term),
    term,
  }));
  const current = terms.find(({ value }) => value === chosen);
  return (
    <details
      className="mt-10 rounded-md border border-line px-4 py-2"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer py-1 text-sm text-ink-soft">학기 명단 삭제</summary>
      <div className="flex flex-wrap items-center gap-3 py-3">
        {stored.isError && <p className="text-sm">학기를 불러오지 못했습니다.</p>}
        {stored.data?.length === 0 && <p className="text-sm">저장된 학기가 없습니다.</p>}
        {terms.length > 0 && (
          <>
            <SelectField
              className="w-40"
              isLabelHidden
              label="삭제할 학기"
              size="sm"
              options={terms}
              value={current?.value ?? ''}
              placeholder="학기 선택"
              onChange={setChosen}
            />
            <Button
              variant="destructive-ghost"
              size="sm"
              disabled={!current || count.isPending || purge.isPending}
              onClick={(event) => current && count.mutate({ term: current.term, from: event.currentTarget })}
            >
              이 학기 삭제
            </Button>
          </>
        )}
      </div>
      {asked && (
        <ConfirmDialog
          title={`${termText(asked.term)} 수강 기록 ${asked.count.enrolments}건을 삭제할까요?`}
          submitLabel="삭제"
          isDestructive
          isHeld={plain(typed) !== plain(termText(asked.term))}
          returnFocusTo={asked.from}
          onClose={() => setAsked(undefined)}
          onSubmit={() => purge.mutate({ term: asked.term, enrolments: asked.count.enrolments })}
        >
          {purgeWarningText(asked.count, asked.term, chosenClass).map((line) => (
            <p key={line} className="wrap-anywhere tabular-nums">
              {line}
            </p>
          ))}
          <p>되돌릴 수 없습니다. 이 학기 학생이 있는 가져오기도 되돌릴 수 없게 됩니다.</p>
          <TextField
            className="mt-3 text-ink"
            label={`확인하려면 ‘${termText(asked.term)}’를 입력하세요`}
            value={typed}
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
          />
        </ConfirmDialog>
      )}
    </details>
  );
}

const plain = (text: string) => text.replace(/\s/g, '');

/** Lists the classes and students deleted with a term; warns if the term has more than the chosen class. */
export function purgeWarningText(
  { courses, students: people, left }: Omit<Asked['count'], 'enrolments'>,
  { year, semester }: StoredTerm,
  chosen: ChosenClass | undefined,
): string[] {
  const going = courses.filter((course) => course.year === year && course.semester === semester);
  const isChosen = (subject: string) =>
    typeof chosen === 'object' &&
    chosen.year === year &&
    chosen.semester === semester &&
    chosen.subject === subject;
  const others = going.filter(({ subject }) => !isChosen(subject)).length;
  const names = going.map(({ subject, students }) => `${subject} ${students}명`).join(', ');
  return [
    ...(others > 0 && others < going.length
      ? [`선택한 강의만이 아니라 이 학기의 강의 ${going.length}개가 모두 삭제됩니다.`]
      : []),
    ...(names === '' ? [] : [`삭제되는 강의: ${names}`]),
    `다른 학기 기록이 없는 학생 ${people}명은 사진과 함께 삭제됩니다.${left > 0 ? ` 그 가운데 ${left}명은 수강이 먼저 삭제되어 위의 강의에 없습니다.` : ''}`,
  ];
}
