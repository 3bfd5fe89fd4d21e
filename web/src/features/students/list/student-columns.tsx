import type { Student } from '#contract/students';
import type { Column } from '../../../components/table-column.ts';
import { deleteColumn } from '../../../components/delete-column.tsx';

type Ask = (student: Student, from: HTMLElement) => void;

export function studentColumns(onDelete: Ask, isBusy: boolean): Column<Student>[] {
  return [
    {
      key: 'name',
      header: '이름',
      isRowHeader: true,
      width: '12%',
      className: 'min-w-20 max-w-40 wrap-anywhere',
      sortValue: ({ name }) => name,
      cell: ({ name }) => <strong className="font-semibold">{name}</strong>,
    },
    { key: 'id', header: '학번', width: '12%', sortValue: ({ id }) => id, cell: ({ id }) => id },
    {
      key: 'department',
      header: '학과',
      width: '16%',
      className: 'min-w-28',
      sortValue: ({ department }) => department || null,
      cell: ({ department }) => department,
    },
    {
      key: 'contact',
      header: '연락처',
      width: '28%',
      className: 'whitespace-nowrap',
      sortValue: ({ tel, email }) => tel || email || null,
      cell: ({ tel, email }) => [tel, email].filter((part) => part !== '').join(' · '),
    },
    {
      key: 'subjects',
      header: '과목',
      width: '22%',
      className: 'min-w-32',
      sortValue: ({ subjects }) => subjects.join(', ') || null,
      cell: ({ subjects }) => subjects.join(', '),
    },
    deleteColumn({ label: ({ name }) => `${name} 삭제`, onDelete, header: '작업', width: '10%', isBusy }),
  ];
}
