import type { Course } from '#contract/courses';
import { currentSemester, seasonText } from '#contract/terms';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { serverNow } from '../../../lib/server-time.ts';
import type { CoursesSearch } from '../search-params.ts';
import { deleteCourseMutation } from '../queries.ts';
import { CopyPanel, type CopySource } from './copy-panel.tsx';
import { targetText } from '#contract/course-target';
import { fieldColumn, type Column } from '../../../components/table-column.ts';
import { menuColumn } from '../../../components/row-menu.tsx';
import { OrphanedDrafts } from '../../../components/draft-note.tsx';
import { courseMergeFields, emptyCourseDraft, semesterLabel } from '../course-draft.ts';

type Props = {
  courses: Course[];
  /** The course that was just edited; the focus returns to its row. */
  edited: number | undefined;
  /** What the user copies: a whole term, or the course with this id. */
  copy: CoursesSearch['copy'];
  onCopy: (copy: CoursesSearch['copy']) => void;
  onEdit: (course: Course) => void;
};
type Asked = { course: Course; from: HTMLElement };

const courseId = ({ id }: Course) => id;

export function ListTab({ courses, edited, copy, onCopy, onEdit }: Props) {
  const [asked, setAsked] = useState<Asked>();
  const [running] = useState(() => currentSemester(serverNow()));
  const copyButton = useRef<HTMLButtonElement>(null);
  const { mutate, isPending } = useMutation(deleteCourseMutation);
  const columns = useMemo(
    () =>
      courseColumns({
        running,
        onEdit,
        onCopy: ({ id }) => onCopy(id),
        onDelete: (course, from) => setAsked({ course, from }),
      }),
    [running, onCopy, onEdit],
  );
  const course = courses.find(({ id }) => id === copy);
  const copied: CopySource | undefined = course ? { course } : copy === 'term' ? copy : undefined;
  return (
    <>
      <DeletedCourses courses={courses} />
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <output className="text-sm text-ink-soft tabular-nums">{courses.length}개 강의</output>
        <span className="flex gap-2">
          <Button
            ref={copyButton}
            variant="outline"
            size="sm"
            disabled={courses.length === 0}
            onClick={() => onCopy('term')}
          >
            학기 복사
          </Button>
          <Button variant="outline" size="sm" disabled={courses.length === 0} onClick={() => print()}>
            인쇄
          </Button>
        </span>
      </div>
      {copied && (
        <CopyPanel
          key={copy}
          of={copied}
          courses={courses}
          onClose={() => {
            onCopy(undefined);
            copyButton.current?.focus();
          }}
        />
      )}
      <div ref={focusSoughtRow}>
        <DataTable
          caption="강의 목록"
          columns={columns}
          rows={courses}
          rowKey={courseId}
          emptyText="등록된 강의가 없습니다. 데이터 입력에서 첫 강의를 추가해 주세요."
          isStale={isPending}
          onRowOpen={onEdit}
          soughtKey={edited}
          printed={{ title: '강의 목록', unit: '개' }}
        />
      </div>
      {asked && (
        <ConfirmDialog
          title={`${asked.course.subject} 강의를 삭제할까요?`}
          submitLabel="삭제"
          isDestructive
          returnFocusTo={asked.from}
          onClose={() => setAsked(undefined)}
          onSubmit={() => mutate(asked.course.id)}
        >
          <p>{seasonText(asked.course)}</p>
          <p>메인 페이지에서도 사라지며 되돌릴 수 없습니다.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

type Actions = {
  /** The current term, which is marked in the list. */
  running: Pick<Course, 'year' | 'semester'>;
  onEdit: (course: Course) => void;
  onCopy: (course: Course) => void;
  onDelete: (course: Course, from: HTMLElement) => void;
};

const focusSoughtRow = (part: HTMLElement | null) =>
  part?.querySelector<HTMLElement>('tr[aria-current]')?.focus();

function courseColumns({ running, onEdit, onCopy, onDelete }: Actions): Column<Course>[] {
  return [
    fieldColumn('year', '연도', { className: 'whitespace-nowrap', isOnWide: true }),
    {
      key: 'semester',
      header: '학기',
      isOnWide: true,
      className: 'whitespace-nowrap',
      sortValue: ({ semester }) => semester,
      cell: ({ year, semester }) => (
        <>
          {semesterLabel(semester)}
          {year === running.year && semester === running.semester && (
            <span
              data-aside
              className="ml-2 rounded-sm bg-accent-wash px-1.5 py-0.5 text-xs font-semibold text-accent"
            >
              이번 학기
            </span>
          )}
        </>
      ),
    },
    {
      key: 'subject',
      header: '과목명',
      isRowHeader: true,
      className: 'min-w-32 sm:max-w-64 wrap-anywhere',
      sortValue: ({ subject }) => subject,
      cell: (course) => (
        <>
          <strong className="font-semibold">{course.subject}</strong>
          <span data-aside className="block text-xs text-ink-soft sm:hidden">
            {seasonText(course)} · {targetText(course)}
            <span lang="en" className="block">
              {course.subject_en}
            </span>
          </span>
        </>
      ),
    },
    {
      key: 'subject_en',
      header: '영문 과목명',
      isOnWide: true,
      className: 'min-w-40 wrap-anywhere',
      sortValue: ({ subject_en }) => subject_en,
      cell: ({ subject_en }) => <span lang="en">{subject_en}</span>,
    },
    {
      key: 'target',
      header: '대상',
      isOnWide: true,
      className: 'min-w-24 wrap-anywhere',
      // Undergraduate years first, then graduate courses, then custom targets.
      sortValue: ({ target, target_etc }) => (target === 0 ? `8 ${target_etc}` : String(target)),
      cell: (course) => targetText(course),
    },
    menuColumn({
      name: ({ subject }) => subject,
      actions: (course) => [
        { label: '수정', onChoose: () => onEdit(course) },
        { label: '다른 해로 복사', onChoose: () => onCopy(course) },
        { label: '삭제', isDestructive: true, onChoose: (from) => onDelete(course, from) },
      ],
    }),
  ];
}

/** Lists unsaved drafts whose courses have been deleted. */
export function DeletedCourses({ courses }: { courses: readonly Course[] }) {
  const [model] = useState(() => emptyCourseDraft(serverNow()));
  return (
    <OrphanedDrafts
      start="courses/"
      what="강의"
      isThere={(name) => !/^\d+$/.test(name) || courses.some(({ id }) => String(id) === name)}
      model={model}
      fields={courseMergeFields}
    />
  );
}
