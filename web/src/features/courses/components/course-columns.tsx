import { targetText } from '#contract/course-target';
import type { Course } from '#contract/courses';
import type { Column } from '../../../components/table-column.ts';
import { deleteColumn } from '../../../components/delete-column.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { semesterLabels } from '../labels.ts';

type Actions = {
  /** The course whose button has the focus on the first render. */
  focused: number | undefined;
  /** The term that is marked as the running one. */
  running: Pick<Course, 'year' | 'semester'>;
  onEdit: (id: number) => void;
  onCopy: (course: Course) => void;
  onDelete: (course: Course, from: HTMLElement) => void;
};

const takeFocus = (button: HTMLElement | null) => button?.focus();

export function courseColumns({ focused, running, onEdit, onCopy, onDelete }: Actions): Column<Course>[] {
  return [
    {
      key: 'year',
      header: '연도',
      className: 'whitespace-nowrap',
      sortValue: ({ year }) => year,
      cell: ({ year }) => year,
    },
    {
      key: 'semester',
      header: '학기',
      className: 'whitespace-nowrap',
      sortValue: ({ semester }) => semester,
      cell: ({ year, semester }) => (
        <>
          {semesterLabels[semester]}
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
      className: 'min-w-32 max-w-64 wrap-anywhere',
      sortValue: ({ subject }) => subject,
      cell: ({ subject }) => <strong className="font-semibold">{subject}</strong>,
    },
    {
      key: 'subject_en',
      header: '영문 과목명',
      className: 'min-w-40 wrap-anywhere',
      sortValue: ({ subject_en }) => subject_en,
      cell: ({ subject_en }) => <span lang="en">{subject_en}</span>,
    },
    {
      key: 'target',
      header: '대상',
      className: 'min-w-24 wrap-anywhere',
      // Undergraduate years first, then graduate courses, then custom targets.
      sortValue: ({ target, target_etc }) => (target === 0 ? `8 ${target_etc}` : String(target)),
      cell: (course) => targetText(course),
    },
    {
      key: 'change',
      isControl: true,
      header: '변경',
      className: 'whitespace-nowrap',
      cell: (course) => (
        <>
          <Button
            ref={course.id === focused ? takeFocus : undefined}
            variant="ghost"
            size="sm"
            aria-label={`${course.subject} 수정`}
            onClick={() => onEdit(course.id)}
          >
            수정
          </Button>
          <Button
            variant="ghost"
            size="sm"
            aria-label={`${course.subject} 다른 해로 복사`}
            onClick={() => onCopy(course)}
          >
            복사
          </Button>
        </>
      ),
    },
    deleteColumn({ label: ({ subject }) => `${subject} 삭제`, onDelete }),
  ];
}
