import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Department } from '#contract/subjects';
import { ChevronDown } from '../../components/ui/icons.tsx';
import { ManagementPage, TabbedPart } from '../../components/layout/management-page.tsx';
import { useOpenedRow } from '../../lib/navigation.ts';
import { EmptyPart, FailedPart, LoadingPart } from '../../components/part-state.tsx';
import {
  type SubjectFilters,
  type SubjectsView,
  useFilters,
  FILTER_GRADES,
  selectableYears,
} from './search-params.ts';
import { ImportView } from './components/import-view.tsx';
import { ListView } from './components/list-view.tsx';
import { WeekView } from './components/week-view.tsx';
import { mergeSubjects, filterByGrades, subjectKey } from './merged.ts';
import { subjectsQuery } from './queries.ts';
import { departmentLabels, DEPARTMENTS, gradeText, semesterOptions } from './labels.ts';
import { courseSemester, seasonOf, seasonText } from '#contract/terms';
import { serverNow } from '../../lib/server-time.ts';
import { TermChoice } from '../../components/term-offer.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { toggleItem } from '../../lib/collections.ts';

const tabs = [
  { name: 'list', label: '과목 목록' },
  { name: 'week', label: '주간 시간표' },
  { name: 'input', label: '가져오기' },
] as const;

const NOTHING_TICKED: ReadonlySet<string> = new Set();

export function SubjectsScreen() {
  const [choice, choose] = useFilters();
  // The ticks belong to one term. Another term begins without ticks.
  const term = `${choice.year} ${choice.semester}`;
  const [ticks, setTicks] = useState({ term, keys: NOTHING_TICKED });
  const change = (part: Partial<SubjectFilters>) => choose({ ...choice, ...part });
  return (
    <ManagementPage title="과목 목록">
      <TabbedPart<SubjectsView>
        label="과목 목록"
        tabs={tabs}
        current={choice.view}
        onChange={(view) => change({ view })}
      >
        <ChoiceForm choice={choice} onChange={change} />
        {choice.view === 'input' ? (
          <ImportView
            year={choice.year}
            semester={choice.semester}
            first={choice.departments[0] ?? 'aics'}
            onTerm={change}
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
  choice: SubjectFilters;
  /** Keys of the ticked subjects, including subjects that are hidden at the moment. */
  ticked: ReadonlySet<string>;
  onTicked: (ticked: ReadonlySet<string>) => void;
};

/** The selected departments' subjects. If one department cannot be loaded, the others are still shown. */
function TermSubjects({ choice, ticked: keys, onTicked }: TermProps) {
  const { departments, year, semester, grades } = choice;
  const { row } = useOpenedRow();
  const [isDrawn, setDrawn] = useState(false);
  const queries = useQueries({
    queries: departments.map((department) => subjectsQuery({ department, year, semester })),
  });
  const lists = departments.flatMap((department, index) => {
    const subjects = queries[index]?.data;
    return subjects ? [{ department, subjects }] : [];
  });
  const merged = filterByGrades(mergeSubjects(lists), grades);
  const shown = new Set(merged.map(subjectKey));
  const ticked = new Set([...keys].filter((key) => shown.has(key)));

  if (departments.length === 0) return <EmptyPart text="학과를 하나 이상 선택하세요." />;
  const isLoading = queries.some(({ isPending }) => isPending);
  // Rows that load later would move the other rows, so the first list waits for all departments.
  if (!isLoading && !isDrawn) setDrawn(true);
  const isShown = isDrawn && lists.length > 0;
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
            text={`${departmentLabels[department]} 과목을 불러오지 못했습니다.`}
            onRetry={retry}
          />
        ))}
      </div>
      {isLoading && !isShown && <LoadingPart rows={8} className="h-9" />}
      {isShown && choice.view === 'list' && (
        <ListView
          title={seasonText(choice)}
          subjects={merged}
          ticked={ticked}
          onTicked={onTicked}
          emptyText={
            grades.length > 0
              ? '선택한 학년의 과목이 없습니다.'
              : `${seasonText(choice)} 시간표가 아직 등록되지 않았습니다.`
          }
          isStale={isLoading}
          sought={row}
        />
      )}
      {isShown && choice.view === 'week' && (
        <WeekView
          title={seasonText(choice)}
          subjects={ticked.size > 0 ? merged.filter((subject) => ticked.has(subjectKey(subject))) : merged}
          isTicked={ticked.size > 0}
        />
      )}
    </>
  );
}

type Props = { choice: SubjectFilters; onChange: (part: Partial<SubjectFilters>) => void };

function ChoiceForm({ choice, onChange }: Props) {
  const [yearOptions] = useState(() =>
    selectableYears(serverNow()).map((year) => ({ value: year, label: `${year}년` })),
  );
  return (
    <form
      onSubmit={(event) => event.preventDefault()}
      className="mb-3 flex flex-wrap items-center gap-2 print:hidden"
    >
      <SelectField
        className="w-28"
        isLabelHidden
        label="연도"
        size="sm"
        options={yearOptions}
        value={choice.year}
        onChange={(year) => onChange({ year })}
      />
      <SelectField
        className="w-28"
        isLabelHidden
        label="학기"
        size="sm"
        options={semesterOptions}
        value={choice.semester}
        onChange={(semester) => onChange({ semester })}
      />
      {choice.view !== 'input' && (
        <>
          <DepartmentChoice
            chosen={choice.departments}
            onChange={(departments) => onChange({ departments })}
          />
          <fieldset className="flex grow gap-1.5 sm:grow-0">
            <legend className="sr-only">학년</legend>
            {FILTER_GRADES.map((value) => (
              <label
                key={value}
                className="flex min-h-9 grow cursor-pointer items-center justify-center gap-1.5 rounded-md border border-line-strong bg-surface px-2 text-sm whitespace-nowrap has-checked:border-accent has-checked:bg-accent-wash has-checked:font-semibold has-checked:text-accent-strong hover:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent sm:px-3 pointer-coarse:min-h-11"
              >
                <input
                  type="checkbox"
                  className="accent-accent max-sm:sr-only"
                  checked={choice.grades.includes(value)}
                  onChange={() => onChange({ grades: toggled(FILTER_GRADES, choice.grades, value) })}
                />
                {gradeText(value)}
              </label>
            ))}
          </fieldset>
        </>
      )}
      <TermChoice
        onChoose={({ year, semester }) => onChange({ year, semester: seasonOf(courseSemester(semester)) })}
      />
    </form>
  );
}

type DepartmentsProps = { chosen: readonly Department[]; onChange: (chosen: Department[]) => void };

/** A button that opens the list of departments. Escape, or a click elsewhere, closes the list. */
function DepartmentChoice({ chosen, onChange }: DepartmentsProps) {
  const part = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (part.current && target instanceof Node && !part.current.contains(target)) part.current.open = false;
    };
    const over = new AbortController();
    for (const event of ['pointerdown', 'focusin']) addEventListener(event, leave, { signal: over.signal });
    const close = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') {
        part.current?.removeAttribute('open');
        part.current?.querySelector('summary')?.focus();
      }
    };
    part.current?.addEventListener('keydown', close, { signal: over.signal });
    return () => over.abort();
  }, []);
  const [first] = chosen;
  return (
    <details ref={part} className="relative grow sm:grow-0">
      <summary className="flex min-h-9 cursor-pointer items-center justify-between gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-sm whitespace-nowrap hover:border-accent sm:w-60 pointer-coarse:min-h-11">
        <span className="sr-only">학과: </span>
        {chosen.length === 1 && first ? departmentLabels[first] : `${chosen.length}개 학과`}
        <ChevronDown size={15} />
      </summary>
      <fieldset className="absolute z-40 mt-1 right-0 min-w-full rounded-md border border-line-strong bg-surface p-1 shadow-lg">
        <legend className="sr-only">학과</legend>
        {DEPARTMENTS.map((department) => (
          <label
            key={department}
            className="flex min-h-10 cursor-pointer items-center gap-2.5 rounded-sm px-3 text-sm whitespace-nowrap hover:bg-sunken pointer-coarse:min-h-11"
          >
            <input
              type="checkbox"
              className="accent-accent"
              checked={chosen.includes(department)}
              onChange={() => onChange(toggled(DEPARTMENTS, chosen, department))}
            />
            {departmentLabels[department]}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

/** The chosen values after `value` is added or removed, in the order of `all`. */
function toggled<Value>(all: readonly Value[], chosen: readonly Value[], value: Value): Value[] {
  const next = toggleItem(new Set(chosen), value);
  return all.filter((each) => next.has(each));
}
