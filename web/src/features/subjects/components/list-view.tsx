import { useMemo } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { subjectKey, type ListedSubject } from '../merged.ts';
import { subjectColumns } from './subject-columns.tsx';

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
