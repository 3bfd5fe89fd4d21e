import type { Student } from '#contract/students';
import type { Column } from '../../../components/table-column.ts';
import { menuColumn } from '../../../components/row-menu.tsx';

type Ask = (student: Student, from: HTMLElement) => void;

type Options = {
  /** Whether the rows are of one class, in which each student has a serial number. */
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
  return [
    ...(isClass ? [no] : []),
    {
      key: 'name',
      header: '이름',
      isRowHeader: true,
      width: '11%',
      className: 'min-w-20 max-w-40 wrap-anywhere',
      sortValue: ({ name }) => name,
      cell: ({ name }) => <strong className="font-semibold">{name}</strong>,
    },
    { key: 'id', header: '학번', width: '10%', sortValue: ({ id }) => id, cell: ({ id }) => id },
    {
      key: 'department',
      header: '학과',
      width: '13%',
      className: 'min-w-28',
      sortValue: ({ department }) => department || null,
      cell: ({ department }) => department,
    },
    {
      key: 'year',
      header: '학년',
      align: 'end',
      width: '6%',
      // An empty cell of the roster is stored as 0.
      sortValue: ({ year }) => year || null,
      cell: ({ year }) => year || null,
    },
    {
      key: 'type',
      header: '학적상태',
      width: '8%',
      className: 'whitespace-nowrap',
      sortValue: ({ type }) => type || null,
      cell: ({ type }) => type,
    },
    {
      key: 'contact',
      header: '연락처',
      width: '25%',
      className: 'whitespace-nowrap print:wrap-anywhere',
      sortValue: ({ tel, email }) => tel || email || null,
      cell: ({ tel, email }) => [tel, email].filter((part) => part !== '').join(' · '),
    },
    {
      key: 'subjects',
      header: '과목',
      width: '13%',
      className: 'min-w-32',
      sortValue: ({ subjects }) => subjects.join(', ') || null,
      cell: ({ subjects }) => subjects.join(', '),
    },
    menuColumn({
      name: ({ name }) => name,
      width: '8%',
      isBusy,
      actions: (student) => [
        ...(onLeave ? [{ label: '수강 삭제', onChoose: (from: HTMLElement) => onLeave(student, from) }] : []),
        { label: '수정', onChoose: (from) => onEdit(student, from) },
        { label: '학생 삭제', isDestructive: true, onChoose: (from) => onDelete(student, from) },
      ],
    }),
  ];
}
