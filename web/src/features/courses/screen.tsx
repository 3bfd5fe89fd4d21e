import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ManagementPage, TabbedPart } from '../../components/layout/management-page.tsx';
import { Button } from '../../components/ui/button.tsx';
import { MissingPart } from '../../components/part-state.tsx';
import { readCoursesSearch, type CoursesSearch } from './search-params.ts';
import { CourseFormTab } from './components/course-form-tab.tsx';
import { DeletedCourses, ListTab } from './components/list-tab.tsx';
import { staffCoursesQuery } from './queries.ts';

const tabsFor = (isEdited: boolean) =>
  [
    { name: 'list', label: '강의 목록' },
    { name: 'form', label: isEdited ? '강의 수정' : '데이터 입력' },
  ] as const;

export function CoursesScreen() {
  const place = readCoursesSearch(useSearch({ from: '/_signed-in' }));
  const navigate = useNavigate();
  const onMove = (next: CoursesSearch) => void navigate({ to: '.', search: next, resetScroll: false });
  const tab = place.tab ?? 'list';
  const [edited, setEdited] = useState<number>();
  return (
    <ManagementPage title="강의 관리">
      <TabbedPart<'list' | 'form'>
        label="강의 관리"
        tabs={tabsFor(place.id !== undefined)}
        current={tab}
        onChange={(next) => {
          setEdited(undefined);
          onMove(next === 'form' ? { tab: 'form' } : {});
        }}
      >
        <Panel
          place={place}
          edited={edited}
          onMove={(next) => {
            setEdited(place.id);
            onMove(next);
          }}
        />
      </TabbedPart>
    </ManagementPage>
  );
}

type PanelProps = {
  place: CoursesSearch;
  edited: number | undefined;
  onMove: (place: CoursesSearch) => void;
};

function Panel({ place, edited, onMove }: PanelProps) {
  const courses = useQuery(staffCoursesQuery);
  if (place.tab === undefined) {
    if (!courses.data)
      return <MissingPart of={courses} text="강의를 불러오지 못했습니다." rows={8} className="h-9" />;
    return (
      <ListTab
        courses={courses.data}
        edited={edited}
        copy={place.copy}
        onCopy={(copy) => onMove(copy === undefined ? {} : { copy })}
        onEdit={({ id }) => onMove({ tab: 'form', id })}
      />
    );
  }
  if (place.id === undefined) return <CourseFormTab key="new" courses={courses.data ?? []} onMove={onMove} />;
  if (!courses.data)
    return <MissingPart of={courses} text="강의를 불러오지 못했습니다." rows={5} className="h-11" />;
  const course = courses.data.find(({ id }) => id === place.id);
  if (!course) {
    return (
      <>
        <DeletedCourses courses={courses.data} />
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-line bg-sunken px-5 py-4">
          <p>수정할 강의를 찾을 수 없습니다. 이미 삭제되었을 수 있습니다.</p>
          <Button variant="outline" onClick={() => onMove({})}>
            강의 목록으로
          </Button>
        </div>
      </>
    );
  }
  return <CourseFormTab key={course.id} course={course} courses={courses.data} onMove={onMove} />;
}
