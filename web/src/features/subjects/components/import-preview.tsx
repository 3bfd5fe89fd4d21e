import type { Subject } from '#contract/subjects';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { gradeText } from '../labels.ts';
import { fieldLabels, type BadRow, type PastedTimetable } from '../timetable-paste.ts';

const rowId = ({ id }: Subject) => id;
const badRowId = ({ row }: BadRow) => row;

const textColumns = (['type', 'prof', 'time', 'classroom', 'etc'] as const).map((field): Column<Subject> => ({
  key: field,
  header: fieldLabels[field],
  className: 'min-w-20 wrap-anywhere',
  cell: (subject) => subject[field],
}));

const columns: Column<Subject>[] = [
  { key: 'id', header: '학수번호', className: 'whitespace-nowrap', isRowHeader: true, cell: ({ id }) => id },
  { key: 'name', header: '과목명', className: 'min-w-28 wrap-anywhere', cell: ({ name }) => name },
  { key: 'year', header: '학년', className: 'whitespace-nowrap', cell: ({ year }) => gradeText(year) },
  { key: 'score', header: '학점', align: 'end', cell: ({ score }) => score },
  ...textColumns,
];

const badColumns: Column<BadRow>[] = [
  { key: 'row', header: '행', align: 'end', isRowHeader: true, cell: ({ row }) => row },
  { key: 'reason', header: '이유', className: 'min-w-48 text-danger', cell: ({ reason }) => reason },
  { key: 'text', header: '내용', className: 'min-w-56 wrap-anywhere', cell: ({ text }) => text },
];

/** How a pasted timetable was understood, and which rows were not. */
export function ImportPreview({ pasted }: { pasted: PastedTimetable }) {
  const { problem, columns: found, ignored, subjects, bad } = pasted;
  return (
    <section aria-label="미리 보기" className="space-y-3">
      {problem !== undefined && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      {found.length > 0 && (
        <p className="text-sm text-ink-soft">
          찾은 열: {found.map(({ field, label }) => columnText(fieldLabels[field], label)).join(', ')}
          {ignored.length > 0 && ` · 쓰지 않는 열: ${ignored.join(', ')}`}
        </p>
      )}
      {problem === undefined && (
        <output className="block text-sm tabular-nums">
          읽은 과목 {subjects.length}개
          {bad.length > 0 && <strong className="text-danger"> · 잘못된 행 {bad.length}개</strong>}
        </output>
      )}
      {bad.length > 0 && (
        <>
          <DataTable caption="잘못된 행" columns={badColumns} rows={bad} rowKey={badRowId} emptyText="" />
          <p className="text-sm text-ink-soft">
            행 번호는 머리글 다음 줄부터 셉니다. 원본을 고쳐 다시 붙여 넣으면 새로 읽습니다.
          </p>
        </>
      )}
      {subjects.length > 0 && (
        <DataTable caption="등록될 과목" columns={columns} rows={subjects} rowKey={rowId} emptyText="" />
      )}
    </section>
  );
}

function columnText(field: string, label: string): string {
  return field === label ? field : `${field}(${label})`;
}
