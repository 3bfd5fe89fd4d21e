import { useMemo } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column } from '../../../components/table-column.ts';
import type { Total } from '../totals.ts';
import { signedText, wonText } from '../labels.ts';

type Row = Total & { name: string };
type Props = { caption: string; totals: ReadonlyMap<string, Total>; nameOf: (key: string) => string };

const countText = ({ count, planned }: Row) => (planned === 0 ? count : `${count} (예정 ${planned})`);

const columns: Column<Row>[] = [
  {
    key: 'name',
    header: '기간',
    width: '22%',
    isRowHeader: true,
    className: 'whitespace-nowrap',
    cell: ({ name }) => name,
  },
  { key: 'count', header: '건수', width: '12%', align: 'end', cell: countText },
  {
    key: 'income',
    header: '입금',
    width: '22%',
    align: 'end',
    className: 'whitespace-nowrap',
    cell: ({ income }) => signedText(income),
  },
  {
    key: 'expense',
    header: '출금',
    width: '22%',
    align: 'end',
    className: 'whitespace-nowrap',
    cell: ({ expense }) => signedText(-expense),
  },
  {
    key: 'balance',
    header: '기말 잔액',
    width: '22%',
    align: 'end',
    className: 'whitespace-nowrap font-semibold',
    cell: ({ balance }) => wonText(balance),
  },
];

const rowName = ({ name }: Row) => name;

/** Totals by period, newest first. */
export function TotalsTable({ caption, totals, nameOf }: Props) {
  const rows = useMemo(
    () => [...totals].map(([key, total]) => Object.assign({ name: nameOf(key) }, total)),
    [totals, nameOf],
  );
  return (
    <section className="min-w-0">
      <h2 className="mb-3 text-lg font-bold">{caption}</h2>
      <DataTable
        caption={caption}
        columns={columns}
        rows={rows}
        rowKey={rowName}
        emptyText=""
        pageKey={caption}
      />
    </section>
  );
}
