import type { Student } from '#contract/students';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { StudentPicture } from '../student-picture.tsx';
import { ContactLink } from './student-columns.tsx';

type Props = {
  student: Student;
  onClose: () => void;
  onEdit: () => void;
  onExport: () => void;
  returnFocusTo: HTMLElement | null;
};

export function StudentDialog({ student, onClose, onEdit, onExport, returnFocusTo }: Props) {
  const facts = [
    ['이름', student.name],
    ['학번', student.id],
    ['학과', student.department],
    ['학년', student.year === null ? '' : `${student.year}학년`],
    ['학적상태', student.type],
    ['연락처', student.tel && <ContactLink key="tel" start="tel:" to={student.tel} />],
    ['이메일', student.email && <ContactLink key="email" start="mailto:" to={student.email} />],
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
              <dd className="min-w-0 wrap-anywhere">{value === '' ? '없음' : value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className="mt-4 text-sm">
        <Link to="/manage_users" search={{ tab: 'log' }} state={{ row: student.id }} className="underline">
          이 학생의 접속 기록
        </Link>
      </p>
      <DialogFooter className="mt-6 flex-wrap">
        {/* First in the tab order, so that the dialog does not focus the export of personal data. */}
        <Button className="order-last" onClick={onEdit}>
          수정
        </Button>
        <Button variant="outline" onClick={onClose}>
          닫기
        </Button>
        <Button variant="ghost" className="order-first mr-auto" onClick={onExport}>
          정보 내보내기
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}
