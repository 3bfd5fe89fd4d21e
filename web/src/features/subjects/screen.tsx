import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { TabbedPart } from '../../components/layout/tabbed-page.tsx';
import { Button } from '../../components/ui/button.tsx';
import { useOpenedRow } from '../../lib/navigation.ts';
import { EmptyPart, FailedPart, LoadingPart } from '../../components/part-state.tsx';
import { type Choice, type View, useChoice } from './address.ts';
import { ChoiceForm } from './components/choice-form.tsx';
import { ImportView } from './components/import-view.tsx';
import { ListView } from './components/list-view.tsx';
import { WeekView } from './components/week-view.tsx';
import { mergeSubjects, ofGrades, subjectKey } from './merged.ts';
import { subjectsQuery } from './queries.ts';
import { departmentLabels, termText } from './labels.ts';

const tabs = [
  { name: 'list', label: '과목 목록' },
  { name: 'week', label: '주간 시간표' },
  { name: 'input', label: '가져오기' },
] as const;

const NOTHING_TICKED: ReadonlySet<string> = new Set();

export function SubjectsScreen() {
  const [choice, choose] = useChoice();
  // Selections belong to one term.
  const term = `${choice.year} ${choice.semester}`;
  const [ticks, setTicks] = useState({ term, keys: NOTHING_TICKED });
  const change = (part: Partial<Choice>) => choose({ ...choice, ...part });
  return (
    <ManagementPage title="과목 목록">
      {/* Beside the heading. */}
      <div className="-mt-18 mb-8 flex h-10 items-end justify-end print:hidden">
        <Button asChild variant="outline" size="sm">
          <Link to="/manage_courses">강의 관리</Link>
        </Button>
      </div>
      <TabbedPart<View>
        label="과목 목록"
        tabs={tabs}
        current={choice.view}
        onChange={(view) => change({ view })}
      >
        <ChoiceForm choice={choice} onChange={change} />
        {choice.view === 'input' ? (
          <ImportView
            key={term}
            year={choice.year}
            semester={choice.semester}
            first={choice.departments[0] ?? 'aics'}
          />
        ) : (
          <TermSubjects
            choice={choice}
            ticked={ticks.term === term ? ticks.keys : NOTHING_TICKED}
            onTicked={(keys) => setTicks({ term, keys })}
          />
        )}
      </TabbedPart>
    </ManagementPage>
  );
}

type TermProps = {
  choice: Choice;
  /** Includes subjects that are currently hidden. */
  ticked: ReadonlySet<string>;
  onTicked: (ticked: ReadonlySet<string>) => void;
};

/** The selected departments' subjects. If one department cannot be loaded, the others are still shown. */
function TermSubjects({ choice, ticked: keys, onTicked }: TermProps) {
  const { departments, year, semester, grades } = choice;
  const { row } = useOpenedRow();
  const queries = useQueries({
    queries: departments.map((department) => subjectsQuery({ department, year, semester })),
  });
  const lists = departments.flatMap((department, index) => {
    const subjects = queries[index]?.data;
    return subjects ? [{ department, subjects }] : [];
  });
  const merged = ofGrades(mergeSubjects(lists), grades);
  const shown = new Set(merged.map(subjectKey));
  const ticked = keys.intersection(shown);

  if (departments.length === 0) return <EmptyPart text="학과를 하나 이상 선택하세요." />;
  const isLoading = queries.some(({ isPending }) => isPending);
  const failed = departments.flatMap((department, index) => {
    const query = queries[index];
    return query?.isError && !query.data ? [{ department, retry: () => void query.refetch() }] : [];
  });
  return (
    <>
      <div className="mb-3 space-y-2 empty:hidden">
        {failed.map(({ department, retry }) => (
          <FailedPart
            key={department}
            text={`${departmentLabels[department]}(${department}) 과목을 불러오지 못했습니다.`}
            onRetry={retry}
          />
        ))}
      </div>
      {isLoading && lists.length === 0 && <LoadingPart rows={8} className="h-9" />}
      {lists.length > 0 && choice.view === 'list' && (
        <ListView
          title={termText(choice)}
          subjects={merged}
          ticked={ticked}
          onTicked={onTicked}
          emptyText={
            grades.length > 0
              ? '선택한 학년의 과목이 없습니다.'
              : `${termText(choice)} 시간표가 아직 등록되지 않았습니다.`
          }
          isStale={isLoading}
          sought={row}
        />
      )}
      {lists.length > 0 && choice.view === 'week' && (
        <WeekView
          title={termText(choice)}
          subjects={ticked.size > 0 ? merged.filter((subject) => ticked.has(subjectKey(subject))) : merged}
          isTicked={ticked.size > 0}
        />
      )}
    </>
  );
}
