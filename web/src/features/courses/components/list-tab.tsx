import type { Course } from '#contract/courses';
import { runningSemester } from '#contract/terms';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { serverNow } from '../../../lib/server-time.ts';
import type { CoursesAddress } from '../address.ts';
import { deleteCourseMutation } from '../queries.ts';
import { termText } from '../labels.ts';
import { CopyPanel, type CopyOf } from './copy-panel.tsx';
import { GoneCourses } from './gone-courses.tsx';
import { courseColumns } from './course-columns.tsx';

type Props = {
  courses: Course[];
  /** The course that was just edited; the focus returns to its row. */
  edited: number | undefined;
  /** What is being copied: a whole term, or a course by its id. */
  copy: CoursesAddress['copy'];
  onCopy: (copy: CoursesAddress['copy']) => void;
  onEdit: (id: number) => void;
};
type Asked = { course: Course; from: HTMLElement };

const courseId = ({ id }: Course) => id;

export function ListTab({ courses, edited, copy, onCopy, onEdit }: Props) {
  const [asked, setAsked] = useState<Asked>();
  const [running] = useState(() => runningSemester(serverNow()));
  const copyButton = useRef<HTMLButtonElement>(null);
  const { mutate, isPending } = useMutation(deleteCourseMutation);
  const columns = useMemo(
    () =>
      courseColumns({
        focused: edited,
        running,
        onEdit,
        onCopy: ({ id }) => onCopy(id),
        onDelete: (course, from) => setAsked({ course, from }),
      }),
    [edited, running, onCopy, onEdit],
  );
  const course = courses.find(({ id }) => id === copy);
  const copied: CopyOf | undefined = course ? { course } : copy === 'term' ? copy : undefined;
  return (
    <>
      <GoneCourses courses={courses} />
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
      <DataTable
        caption="강의 목록"
        columns={columns}
        rows={courses}
        rowKey={courseId}
        emptyText="등록된 강의가 없습니다. 강의 추가에서 첫 강의를 추가해 주세요."
        isStale={isPending}
        paper={{ title: '강의 목록', unit: '개' }}
      />
      {asked && (
        <ConfirmDialog
          title={`${asked.course.subject} 강의를 삭제할까요?`}
          submitLabel="삭제"
          isDestructive
          returnFocusTo={asked.from}
          onCancel={() => setAsked(undefined)}
          onSubmit={() => {
            mutate(asked.course.id);
            setAsked(undefined);
          }}
        >
          <p>{termText(asked.course)}</p>
          <p>메인 페이지에서도 사라지며 되돌릴 수 없습니다.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
