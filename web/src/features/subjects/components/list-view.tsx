import { useMemo } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { subjectKey, type ListedSubject } from '../merged.ts';
import type { Column } from '../../../components/table-column.ts';
import { departmentLabels, gradeText } from '../labels.ts';

type Props = {
  /** The term, for paper. */
  title: string;
  subjects: readonly ListedSubject[];
  ticked: ReadonlySet<string>;
  onTicked: (ticked: ReadonlySet<string>) => void;
  emptyText: string;
  isStale: boolean;
  /** Id of the subject that somebody came for. */
  sought: string | undefined;
};

export function ListView({ title, subjects, ticked, onTicked, emptyText, isStale, sought }: Props) {
  const columns = useMemo(
    () => subjectColumns(ticked, (key) => onTicked(new Set([key]).symmetricDifference(ticked))),
    [ticked, onTicked],
  );
  const found = subjects.find(({ id }) => id === sought);
  const soughtKey = found && subjectKey(found);
  return (
    <>
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-2">
        <output className="text-sm text-ink-soft tabular-nums">
          {subjects.length}개 과목{ticked.size > 0 && ` · ${ticked.size}개 선택`}
        </output>
        <span className="flex gap-1">
          <Button
            variant="ghost"
            size="sm"
            disabled={subjects.length === 0}
            onClick={() => onTicked(ticked.union(new Set(subjects.map(subjectKey))))}
          >
            모두 선택
          </Button>
          <Button variant="ghost" size="sm" disabled={ticked.size === 0} onClick={() => onTicked(new Set())}>
            선택 해제
          </Button>
        </span>
      </div>
      <DataTable
        caption="과목 목록"
        columns={columns}
        rows={subjects}
        rowKey={subjectKey}
        emptyText={emptyText}
        isStale={isStale}
        soughtKey={soughtKey}
        paper={{ title: `${title} 과목 목록`, unit: '개' }}
      />
    </>
  );
}

/** @param onTick adds a subject to the week, or removes it */
export function subjectColumns(
  ticked: ReadonlySet<string>,
  onTick: (key: string) => void,
): Column<ListedSubject>[] {
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
      className: 'min-w-28 max-w-56 wrap-anywhere',
      sortValue: ({ name }) => name,
      cell: ({ name }) => <strong className="font-semibold">{name}</strong>,
    },
    {
      key: 'id',
      header: '학수번호',
      className: 'whitespace-nowrap',
      sortValue: ({ id }) => id,
      cell: ({ id }) => id,
    },
    {
      key: 'department',
      header: '학과',
      className: 'whitespace-nowrap',
      sortValue: ({ department }) => department,
      cell: ({ department }) => (
        <abbr className="no-underline" title={departmentLabels[department]}>
          {department}
        </abbr>
      ),
    },
    {
      key: 'year',
      header: '학년',
      className: 'whitespace-nowrap',
      sortValue: ({ year }) => (year === 0 ? 9 : year),
      cell: ({ year }) => gradeText(year),
    },
    {
      key: 'type',
      header: '이수구분',
      className: 'whitespace-nowrap',
      sortValue: ({ type }) => type || null,
      cell: ({ type }) => type,
    },
    {
      key: 'score',
      header: '학점',
      align: 'end',
      sortValue: ({ score }) => score,
      cell: ({ score }) => score,
    },
    {
      key: 'prof',
      header: '교수',
      className: 'min-w-20 wrap-anywhere',
      sortValue: ({ prof }) => prof || null,
      cell: ({ prof }) => prof,
    },
    {
      key: 'time',
      header: '강의시간',
      className: 'min-w-32 wrap-anywhere',
      sortValue: ({ time }) => time || null,
      cell: ({ time }) => time,
    },
    {
      key: 'classroom',
      header: '강의실',
      className: 'min-w-24 wrap-anywhere',
      sortValue: ({ classroom }) => classroom || null,
      cell: ({ classroom }) => classroom,
    },
    {
      key: 'etc',
      header: '비고',
      className: 'min-w-32 wrap-anywhere',
      sortValue: ({ etc }) => etc || null,
      cell: ({ etc }) => etc,
    },
  ];
}
