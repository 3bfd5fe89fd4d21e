import { useId, useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { filterProblem, noFilter, type LogFilter } from '../log-filter.ts';
import { actionLabels, LOG_ACTIONS } from '../labels.ts';

const actionOptions = [
  { value: 'all', label: '전체' },
  ...LOG_ACTIONS.map((action) => ({ value: action, label: actionLabels[action] })),
] as const;

type Props = {
  /** What it begins with. */
  first: LogFilter;
  onSubmit: (filter: LogFilter) => void;
};

/** Searches only on submit, because every search is logged itself. */
export function LogFilterForm({ first, onSubmit }: Props) {
  const id = useId();
  const [draft, setDraft] = useState(first);
  const change = (part: Partial<LogFilter>) => setDraft({ ...draft, ...part });
  const problem = filterProblem(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === undefined) onSubmit(draft);
  };
  return (
    <search>
      <form
        onSubmit={submit}
        className="grid grid-cols-2 items-end gap-3 xl:grid-cols-[minmax(10rem,1fr)_8rem_10rem_10rem_auto]"
      >
        <TextField
          className="col-span-2 xl:col-span-1"
          label="사람"
          value={draft.person}
          placeholder="이름, 이메일, 학번/직번, 요청 번호"
          maxLength={100}
          autoComplete="off"
          onChange={(event) => change({ person: event.target.value })}
        />
        <SelectField
          className="col-span-2 xl:col-span-1"
          label="작업"
          options={actionOptions}
          value={draft.action}
          onChange={(action) => change({ action })}
        />
        <TextField
          label="시작일"
          type="date"
          value={draft.firstDay}
          onChange={(event) => change({ firstDay: event.target.value })}
        />
        <TextField
          label="종료일"
          type="date"
          value={draft.lastDay}
          aria-describedby={`${id}-problem`}
          onChange={(event) => change({ lastDay: event.target.value })}
        />
        <div className="col-span-2 flex gap-2 xl:col-span-1">
          <Button type="submit" disabled={problem !== undefined}>
            조회
          </Button>
          <Button
            variant="ghost"
            onClick={() => {
              setDraft(noFilter);
              onSubmit(noFilter);
            }}
          >
            초기화
          </Button>
        </div>
        {problem !== undefined && (
          <p id={`${id}-problem`} role="alert" className="col-span-full text-sm text-danger">
            {problem}
          </p>
        )}
      </form>
    </search>
  );
}
