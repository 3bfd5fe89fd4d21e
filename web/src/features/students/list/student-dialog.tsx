import type { Student } from '#contract/students';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { StudentPicture } from '../student-picture.tsx';

type Props = {
  student: Student;
  onClose: () => void;
  onEdit: () => void;
  onDelete: () => void;
  /** Ends the enrolment in the chosen class; undefined if no class is chosen. */
  onLeaveClass: (() => void) | undefined;
  onExport: () => void;
  returnFocusTo: HTMLElement | null;
};

export function StudentDialog({
  student,
  onClose,
  onEdit,
  onDelete,
  onLeaveClass,
  onExport,
  returnFocusTo,
}: Props) {
  const facts = [
    ['이름', student.name],
    ['학번', student.id],
    ['학과', student.department],
    ['학년', student.year === null ? '' : `${student.year}학년`],
    ['학적상태', student.type],
    ['연락처', student.tel],
    ['이메일', student.email],
    ['과목', student.subjects.join(', ')],
  ] as const;
  return (
    <DialogFrame title={student.name} onClose={onClose} returnFocusTo={returnFocusTo}>
      <div className="mt-4 flex flex-wrap gap-5">
        <StudentPicture student={student} />
        <dl className="min-w-0 flex-1 basis-56 text-sm tabular-nums">
          {facts.map(([label, value]) => (
            <div key={label} className="flex gap-3 border-b border-line py-1.5">
              <dt className="w-16 shrink-0 text-ink-soft">{label}</dt>
              <dd className="min-w-0 wrap-anywhere">{value === '' ? '없음' : contactOf(label, value)}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className="mt-4 text-sm">
        <Link to="/manage_users" search={{ tab: 'log' }} state={{ row: student.id }} className="underline">
          이 학생의 접속 기록
        </Link>
      </p>
      <DialogFooter className="mt-6 flex-wrap items-center">
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="outline" onClick={onExport}>
            정보 내보내기
          </Button>
          <Button variant="outline" onClick={onClose}>
            닫기
          </Button>
          <Button onClick={onEdit}>수정</Button>
        </div>
        {/* Last in the tab order, so that the dialog does not focus these buttons first. */}
        <div className="order-first mr-auto flex flex-wrap">
          {onLeaveClass && (
            <Button variant="destructive-ghost" onClick={onLeaveClass}>
              수강 삭제
            </Button>
          )}
          <Button variant="destructive-ghost" onClick={onDelete}>
            학생 삭제
          </Button>
        </div>
      </DialogFooter>
    </DialogFrame>
  );
}

/** A phone number or e-mail address as a link. */
function contactOf(label: string, value: string): ReactNode {
  const start = label === '연락처' ? 'tel:' : label === '이메일' ? 'mailto:' : undefined;
  if (start === undefined) return value;
  return (
    <a href={start + value} className="underline">
      {value}
    </a>
  );
}
