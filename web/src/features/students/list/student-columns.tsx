import type { Student } from '#contract/students';
import { type Column, fieldColumn } from '../../../components/table-column.ts';
import { menuColumn } from '../../../components/row-menu.tsx';

type Ask = (student: Student, from: HTMLElement) => void;

type Options = {
  /** Whether the rows are of one class, in which each student has a serial number and the same subject. */
  isClass: boolean;
  isBusy: boolean;
  onEdit: Ask;
  onDelete: Ask;
  /** Ends the enrolment in the class; undefined if no class is chosen. */
  onLeave: Ask | undefined;
};

export function studentColumns({ isClass, isBusy, onEdit, onDelete, onLeave }: Options): Column<Student>[] {
  const no: Column<Student> = {
    key: 'no',
    header: '순번',
    align: 'end',
    width: '6%',
    sortValue: (student) => student.no || null,
    cell: (student) => student.no || null,
  };
  const subjects: Column<Student> = {
    key: 'subjects',
    header: '과목',
    width: '13%',
    isOnWide: true,
    className: 'min-w-32',
    sortValue: (student) => student.subjects.join(', ') || null,
    cell: (student) => student.subjects.join(', '),
  };
  return [
    ...(isClass ? [no] : []),
    {
      key: 'name',
      header: '이름',
      isRowHeader: true,
      width: '11%',
      className: 'min-w-20 sm:max-w-40 wrap-anywhere',
      sortValue: ({ name }) => name,
      cell: (student) => (
        <>
          <strong className="font-semibold">{student.name}</strong>
          <span data-aside className="flex flex-wrap gap-x-2 text-xs leading-4 text-ink-soft sm:hidden">
            <span className="whitespace-nowrap">{phoneText(student)}</span>
            <span>{student.department}</span>
            <ContactLink start="tel:" to={student.tel} />
            <ContactLink start="mailto:" to={student.email} />
          </span>
        </>
      ),
    },
    fieldColumn('id', '학번', { width: '10%', isOnWide: true }),
    fieldColumn('department', '학과', { width: '13%', isOnWide: true, className: 'min-w-28' }),
    {
      key: 'year',
      header: '학년',
      align: 'end',
      width: '6%',
      isOnWide: true,
      // An empty cell of the roster is stored as 0.
      sortValue: ({ year }) => year || null,
      cell: ({ year }) => year || null,
    },
    fieldColumn('type', '학적상태', { width: '8%', isOnWide: true, className: 'whitespace-nowrap' }),
    {
      key: 'contact',
      header: '연락처',
      width: '25%',
      isOnWide: true,
      className: 'whitespace-nowrap print:wrap-anywhere',
      sortValue: ({ tel, email }) => tel || email || null,
      cell: ({ tel, email }) => (
        <>
          <ContactLink start="tel:" to={tel} />
          {tel !== '' && email !== '' && ' · '}
          <ContactLink start="mailto:" to={email} />
        </>
      ),
    },
    ...(isClass ? [] : [subjects]),
    menuColumn({
      name: ({ name }) => name,
      width: '8%',
      isBusy,
      actions: (student) => [
        { label: '수정', onChoose: (from) => onEdit(student, from) },
        ...deletion('수강 삭제', onLeave, student),
        ...deletion('학생 삭제', onDelete, student),
      ],
    }),
  ];
}

const deletion = (label: string, ask: Ask | undefined, student: Student) =>
  ask ? [{ label, isDestructive: true, onChoose: (from: HTMLElement) => ask(student, from) }] : [];

/** The text below the name on a phone. The usual status 재학 (enrolled) is left out. */
const phoneText = ({ id, year, type }: Student) =>
  [id, !!year && `${year}학년`, type !== '재학' && type].filter(Boolean).join(' · ');

/** A phone number or e-mail address as a link; nothing if there is none. */
export const ContactLink = ({ start, to }: { start: 'tel:' | 'mailto:'; to: string }) =>
  to !== '' && (
    <a href={start + to} className="underline-offset-4 hover:underline">
      {to}
    </a>
  );
