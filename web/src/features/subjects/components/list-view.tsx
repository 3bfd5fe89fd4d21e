import { useMemo } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import { useKeepFocus } from '../../../components/keep-focus.ts';
import { Button } from '../../../components/ui/button.tsx';
import { subjectKey, type ListedSubject } from '../merged.ts';
import { fieldColumn, type Column } from '../../../components/table-column.ts';
import { departmentLabels, gradeText } from '../labels.ts';
import { toggleItem } from '../../../lib/collections.ts';

type Props = {
  /** The term, as the title for printing. */
  title: string;
  subjects: readonly ListedSubject[];
  ticked: ReadonlySet<string>;
  onTicked: (ticked: ReadonlySet<string>) => void;
  emptyText: string;
  isStale: boolean;
  /** Id of the subject that the user looked for. */
  sought: string | undefined;
};

export function ListView({ title, subjects, ticked, onTicked, emptyText, isStale, sought }: Props) {
  const columns = useMemo(
    () => subjectColumns(ticked, (key) => onTicked(toggleItem(ticked, key))),
    [ticked, onTicked],
  );
  const buttons = useKeepFocus<HTMLElement>();
  const found = subjects.find(({ id }) => id === sought);
  return (
    <>
      <div className="mb-2 flex min-h-9 flex-wrap items-center justify-between gap-2">
        <output className="text-sm text-ink-soft tabular-nums">
          {subjects.length}개 과목{ticked.size > 0 && ` · ${ticked.size}개 선택`}
        </output>
        <span {...buttons} tabIndex={-1} className="flex gap-1">
          <Button
            variant="ghost"
            size="sm"
            disabled={subjects.length === 0}
            onClick={() => onTicked(new Set([...ticked, ...subjects.map(subjectKey)]))}
          >
            모두 선택
          </Button>
          {ticked.size > 0 && (
            <Button variant="ghost" size="sm" onClick={() => onTicked(new Set())}>
              선택 해제
            </Button>
          )}
        </span>
      </div>
      <DataTable
        caption="과목 목록"
        columns={columns}
        rows={subjects}
        rowKey={subjectKey}
        emptyText={emptyText}
        isStale={isStale}
        soughtKey={found && subjectKey(found)}
        printed={{ title: `${title} 과목 목록`, unit: '개' }}
        className="sm:[&_:is(td,th)]:px-2"
      />
    </>
  );
}

/** @param onTick adds a subject to the week, or removes it */
function subjectColumns(ticked: ReadonlySet<string>, onTick: (key: string) => void): Column<ListedSubject>[] {
  return [
    {
      key: 'tick',
      isControl: true,
      header: '선택',
      className: 'w-12',
      cell: (subject) => (
        <label className="-m-1.5 flex size-10 items-center justify-center">
          <span className="sr-only">{subject.name} 시간표에 넣기</span>
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={ticked.has(subjectKey(subject))}
            onChange={() => onTick(subjectKey(subject))}
          />
        </label>
      ),
    },
    {
      key: 'name',
      header: '과목명',
      isRowHeader: true,
      className: 'min-w-28 sm:max-w-56 wrap-anywhere',
      sortValue: ({ name }) => name,
      cell: (subject) => (
        <>
          <strong className="font-semibold">{subject.name}</strong>
          <span data-aside className="block text-xs text-ink-soft sm:hidden">
            {[
              subject.id,
              departmentLabels[subject.department],
              gradeText(subject.year),
              subject.type,
              subject.score === 0 ? '' : `${subject.score}학점`,
              subject.prof,
              subject.time,
              subject.classroom,
              subject.etc,
            ]
              .filter((text) => text !== '')
              .join(' · ')}
          </span>
        </>
      ),
    },
    fieldColumn('id', '학수번호', { isOnWide: true, className: 'whitespace-nowrap' }),
    {
      key: 'department',
      header: '학과',
      isOnWide: true,
      className: 'whitespace-nowrap',
      sortValue: ({ department }) => departmentLabels[department],
      cell: ({ department }) => departmentLabels[department],
    },
    {
      key: 'year',
      header: '학년',
      isOnWide: true,
      className: 'whitespace-nowrap',
      sortValue: ({ year }) => (year === 0 ? 9 : year),
      cell: ({ year }) => gradeText(year),
    },
    fieldColumn('type', '이수구분', { isOnWide: true, className: 'whitespace-nowrap' }),
    fieldColumn('score', '학점', { isOnWide: true, align: 'end', cell: ({ score }) => score || '' }),
    fieldColumn('prof', '교수', { isOnWide: true, className: 'min-w-20 wrap-anywhere' }),
    fieldColumn('time', '강의시간', { isOnWide: true, className: 'min-w-24 wrap-anywhere' }),
    fieldColumn('classroom', '강의실', { isOnWide: true, className: 'min-w-24 wrap-anywhere' }),
    fieldColumn('etc', '비고', { isOnWide: true, className: 'wrap-anywhere' }),
  ];
}
