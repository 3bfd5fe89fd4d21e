import { studentRecordSchema, type ClassKey, type Student, type StudentRecord } from '#contract/students';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RecordDialog } from '../../../components/record-dialog.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { classText, courseName } from '../../../lib/chosen-class.ts';
import { currentRecordOf } from '../../../lib/merge.ts';
import { rosterFieldLabel, type SuspiciousContact } from '../import/roster-kind.ts';
import { saveStudentMutation } from '../queries.ts';
import {
  studentDraftDoubts,
  studentDraftOf,
  draftOfRecord,
  studentDraftProblems,
  emptyStudentDraft,
  studentIdOf,
  personMergeFields,
  studentFormOf,
  studentMergeFields,
  type StudentDraft,
} from './student-draft.ts';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { StudentPicture } from '../student-picture.tsx';
import { ContactLink } from './student-columns.tsx';

type StudentDialogProps = {
  student: Student;
  onClose: () => void;
  onEdit: () => void;
  onExport: () => void;
  returnFocusTo: HTMLElement | null;
};

export function StudentDialog({ student, onClose, onEdit, onExport, returnFocusTo }: StudentDialogProps) {
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

type Props = {
  /** Absent for a new student. */
  student?: Student;
  /** The students on screen, for the next serial number. */
  students: readonly Student[];
  /** The class whose enrolment is edited as well. */
  course: ClassKey | undefined;
  onClose: () => void;
  returnFocusTo: HTMLElement | null;
};

/** Adds or corrects one student, and the student's enrolment in the chosen class. */
export function StudentFormDialog({ student, students, course, onClose, returnFocusTo }: Props) {
  const { mutateAsync, isPending, error, reset } = useMutation(saveStudentMutation);
  const state = useDraft<StudentDraft>({
    place: `students/${student?.id ?? 'new'}/${course ? classText(course) : 'all'}`,
    start: () => (student ? studentDraftOf(student) : emptyStudentDraft(students, course)),
    problemsOf: studentDraftProblems,
    send: (each) =>
      mutateAsync({ id: student?.id ?? studentIdOf(each), form: studentFormOf(each, course, student?.id) }),
    onSaved: onClose,
    isPending,
  });
  const { draft, base, resend, field, change } = state;
  const doubts = studentDraftDoubts(draft);
  const doubtOf = (of: 'tel' | 'email') => (
    <ContactDoubt
      doubt={doubts.find((doubt) => doubt.field === of)}
      onRepair={(name, text) => change({ [name]: text })}
    />
  );
  const current = currentRecordOf(error, studentRecordSchema);
  /** Adds an existing student to the class. */
  const join = (record: StudentRecord) => {
    reset();
    const known = draftOfRecord(record, draft);
    resend(known, known);
  };
  return (
    <RecordDialog
      title={student ? `${student.name} 수정` : '학생 추가'}
      submitLabel={student ? '저장' : '추가'}
      form={state}
      isPending={isPending}
      merge={
        student &&
        current && {
          title: `${current.name} 학생을 다른 사람도 수정했습니다`,
          fields: course ? studentMergeFields : personMergeFields,
          theirs: draftOfRecord(current, base),
          reset,
        }
      }
      returnFocusTo={returnFocusTo}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <TextField label="학번" required maxLength={20} autoComplete="off" {...field('id')} />
        <TextField label="이름" required maxLength={100} autoComplete="off" {...field('name')} />
        <TextField
          className="col-span-2"
          label="학과"
          maxLength={100}
          autoComplete="off"
          {...field('department')}
        />
        {student && studentIdOf(draft) !== student.id && (
          <p className="col-span-2 text-sm text-notice">
            수강, 사진, 가져오기 이력을 모두 새 학번으로 옮깁니다. 접속 기록에 {student.id}에서 바뀐 것이
            남습니다.
          </p>
        )}
        <div>
          <TextField label="연락처" type="tel" maxLength={50} autoComplete="off" {...field('tel')} />
          {doubtOf('tel')}
        </div>
        <div>
          <TextField
            label="이메일"
            inputMode="email"
            maxLength={200}
            autoComplete="off"
            {...field('email')}
          />
          {doubtOf('email')}
        </div>
      </div>
      {course && (
        <fieldset>
          <legend className="text-sm font-semibold">{courseName(course)}</legend>
          <div className="mt-2 grid grid-cols-3 gap-3">
            <TextField label="순번" inputMode="numeric" autoComplete="off" {...field('no')} />
            <TextField label="학년" inputMode="numeric" autoComplete="off" {...field('year')} />
            <TextField label="학적상태" maxLength={50} autoComplete="off" {...field('type')} />
          </div>
        </fieldset>
      )}
      {!student && !course && (
        <p className="text-sm text-ink-soft">위에서 강의를 먼저 선택하면 그 강의의 수강생으로 추가합니다.</p>
      )}
      {!student && current && <Taken record={current} course={course} onJoin={() => join(current)} />}
    </RecordDialog>
  );
}

type TakenProps = { record: StudentRecord; course: ClassKey | undefined; onJoin: () => void };

/** Says that the number is taken: the student may be in another class, or the number may be mistyped. */
function Taken({ record, course, onJoin }: TakenProps) {
  const { id, name, department, enrolment } = record;
  const who = [name, id, department].filter((part) => part !== '').join(' · ');
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-notice-wash px-4 py-3 text-notice"
    >
      <p className="min-w-0 wrap-anywhere">
        {enrolment ? '이미 이 강의의 수강생입니다' : '이미 등록된 학생입니다'}: {who}
      </p>
      {course && !enrolment && (
        <Button variant="outline" size="sm" onClick={onJoin}>
          이 강의에 추가
        </Button>
      )}
    </div>
  );
}

type ContactDoubtProps = {
  doubt: SuspiciousContact | undefined;
  onRepair: (field: SuspiciousContact['field'], text: string) => void;
};

/** Shows a suspicious contact, as an import would flag it. The contact can be saved unchanged. */
function ContactDoubt({ doubt, onRepair }: ContactDoubtProps) {
  const { field, reason, repair } = doubt ?? {};
  return (
    <div aria-live="polite" className="mt-1.5 flex flex-wrap items-center gap-x-2 text-sm text-notice">
      {reason}
      {field !== undefined && repair !== undefined && (
        <Button
          variant="outline"
          size="sm"
          aria-label={`${rosterFieldLabel(field)} ${repair}로 변경`}
          onClick={() => onRepair(field, repair)}
        >
          {repair}
        </Button>
      )}
    </div>
  );
}
