import { DataTable } from '../../../components/data-table.tsx';
import type { Column } from '../../../components/table-column.ts';
import type { BadRow } from './roster-paste.ts';

const columns: Column<BadRow>[] = [
  { key: 'row', header: '행', align: 'end', width: '10%', cell: ({ row }) => row },
  { key: 'reason', header: '이유', isRowHeader: true, width: '40%', cell: ({ reason }) => reason },
  {
    key: 'cells',
    header: '내용',
    width: '50%',
    className: 'text-ink-soft wrap-anywhere',
    cell: ({ cells }) => cells.join(' · '),
  },
];

/** Rows left out of the import, counted from 1 below the header. */
export function BadRows({ rows }: { rows: BadRow[] }) {
  return (
    <section className="mt-6">
      <h3 className="mb-2 font-semibold text-danger">가져올 수 없는 행 {rows.length}개</h3>
      <DataTable
        caption="가져올 수 없는 행"
        columns={columns}
        rows={rows}
        rowKey={rowNumber}
        emptyText=""
        pageKey="bad"
      />
    </section>
  );
}

const rowNumber = ({ row }: BadRow) => row;
