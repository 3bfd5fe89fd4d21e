import type { AccessLogEntry } from '#contract/access-log';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState, useId } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { cn } from '../../../lib/cn.ts';
import { Button } from '../../../components/ui/button.tsx';
import { MissingPart } from '../../../components/part-state.tsx';
import { useOpenedRow } from '../../../lib/navigation.ts';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { emptyLogFilter, type LogFilter, logFilterProblem } from '../log-filter.ts';
import { actionLabels, actorName, detailText, subjectName, LOG_ACTIONS } from '../labels.ts';
import { accessLogQuery } from '../queries.ts';
import { MailText } from './users-tab.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';

const entryId = ({ id }: AccessLogEntry) => id;

const columns: Column<AccessLogEntry>[] = [
  {
    key: 'at',
    header: '시각',
    className: 'whitespace-nowrap',
    isRowHeader: true,
    cell: (entry) => (
      <>
        <time dateTime={entry.at}>{seoulDateTime(Date.parse(entry.at))}</time>
        <span data-aside className="block text-xs whitespace-normal text-ink-soft sm:hidden">
          {actorName(entry)} · {actionLabels[entry.action]}
          <span className="block">{entry.address}</span>
        </span>
      </>
    ),
  },
  {
    key: 'actor',
    isOnWide: true,
    header: '처리자',
    className: 'min-w-32 wrap-anywhere',
    cell: (entry) => <PersonText name={actorName(entry)} email={entry.actor?.email ?? null} />,
  },
  {
    key: 'address',
    isOnWide: true,
    header: '접속 IP',
    className: 'whitespace-nowrap',
    cell: ({ address, request }) => (
      <>
        {address || '없음'}
        {request !== null && <span className="block font-mono text-xs text-ink-soft">{request}</span>}
      </>
    ),
  },
  {
    key: 'action',
    isOnWide: true,
    header: '작업',
    className: 'whitespace-nowrap',
    cell: ({ action }) => actionLabels[action],
  },
  {
    key: 'subject',
    isOnWide: true,
    header: '정보주체',
    className: 'min-w-32 wrap-anywhere',
    cell: (entry) => <PersonText name={subjectName(entry)} email={entry.person?.email ?? null} />,
  },
  {
    key: 'detail',
    header: '내용',
    className: 'sm:min-w-56 wrap-anywhere',
    cell: (entry) => (
      <>
        <span data-aside className="block font-semibold sm:hidden">
          {subjectName(entry)}
        </span>
        {detailText(entry.detail)}
      </>
    ),
  },
];

/** The log of accesses and changes. The log is read-only: no API call changes or deletes an entry. */
export function LogTab() {
  const { row: person = '' } = useOpenedRow();
  const [first] = useState({ ...emptyLogFilter, person });
  const [asked, setAsked] = useState({ filter: first, turn: 0 });
  const log = useInfiniteQuery(accessLogQuery(asked.filter, asked.turn));
  const entries = useMemo(() => log.data?.pages.flat(), [log.data]);
  const ask = (filter: LogFilter) => setAsked(({ turn }) => ({ filter, turn: turn + 1 }));
  return (
    <>
      <LogFilterForm first={first} onSubmit={ask} />
      <div className="mt-4">
        {!entries && (
          <MissingPart of={log} text="접속 기록을 불러오지 못했습니다." rows={8} className="h-9" />
        )}
        {entries && (
          <>
            <div className="mb-3 flex flex-wrap justify-between gap-x-6 text-sm text-ink-soft tabular-nums">
              <output>
                {entries.length}건{log.hasNextPage ? '까지 표시' : ''}
              </output>
              <p>ID와 내역 번호는 이 사이트가 붙인 번호입니다.</p>
            </div>
            <DataTable
              caption="접속 기록"
              columns={columns}
              rows={entries}
              rowKey={entryId}
              emptyText="조건에 맞는 기록이 없습니다."
              isStale={log.isPlaceholderData}
              printed={{ title: '접속 기록', unit: '건' }}
            />
            <div className="mt-4 flex min-h-11 justify-center">
              {log.hasNextPage && (
                <Button
                  variant="outline"
                  aria-disabled={log.isFetching}
                  onClick={() => {
                    if (!log.isFetching) void log.fetchNextPage();
                  }}
                >
                  더 보기
                </Button>
              )}
            </div>
          </>
        )}
      </div>
    </>
  );
}

function PersonText({ name, email }: { name: string; email: string | null }) {
  return (
    <>
      {name}
      {email !== null && email !== name && (
        <span className="block text-xs text-ink-soft">
          <MailText address={email} />
        </span>
      )}
    </>
  );
}

const actionOptions = [
  { value: 'all', label: '전체' },
  ...LOG_ACTIONS.map((action) => ({ value: action, label: actionLabels[action] })),
] as const;

type Props = {
  /** The initial values of the form. */
  first: LogFilter;
  onSubmit: (filter: LogFilter) => void;
};

/** Searches only on submit, because each search adds an entry to the log. */
function LogFilterForm({ first, onSubmit }: Props) {
  const id = useId();
  const [draft, setDraft] = useState(first);
  const change = (part: Partial<LogFilter>) => setDraft({ ...draft, ...part });
  const problem = logFilterProblem(draft);
  const chosen = [draft.action !== 'all', draft.firstDay, draft.lastDay].filter(Boolean).length;
  const [isOpen, setOpen] = useState(false);
  const folded = cn(!isOpen && 'max-sm:hidden');
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === undefined) onSubmit(draft);
        }}
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
          className={cn('col-span-2 xl:col-span-1', folded)}
          label="작업"
          options={actionOptions}
          value={draft.action}
          onChange={(action) => change({ action })}
        />
        {(['firstDay', 'lastDay'] as const).map((day) => (
          <TextField
            key={day}
            className={folded}
            label={day === 'firstDay' ? '시작일' : '종료일'}
            type="date"
            value={draft[day]}
            aria-describedby={`${id}-problem`}
            onChange={({ target }) => change({ [day]: target.value })}
          />
        ))}
        <div className="col-span-2 flex gap-2 xl:col-span-1">
          <Button type="submit" disabled={problem !== undefined}>
            조회
          </Button>
          <Button
            variant="outline"
            className="sm:hidden"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            필터 {chosen > 0 && chosen}
          </Button>
          <Button
            variant="ghost"
            onClick={() => {
              setDraft(emptyLogFilter);
              onSubmit(emptyLogFilter);
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
