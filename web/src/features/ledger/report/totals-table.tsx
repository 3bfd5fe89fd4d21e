import { useMemo, type ReactNode } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { signedText, wonText } from '../labels.ts';
import type { Total } from '../totals.ts';

/** One period or category: its key, and how it is shown. */
type TotalRow = Total & { key: string; name: ReactNode };

const countText = ({ count, planned }: TotalRow) => (planned === 0 ? count : `${count} (예정 ${planned})`);

const amount = { align: 'end', className: 'whitespace-nowrap' } as const;
const sums: readonly Column<TotalRow>[] = [
  { key: 'count', header: '건수', width: '12%', align: 'end', cell: countText },
  { key: 'income', header: '입금', width: '22%', ...amount, cell: ({ income }) => signedText(income) },
  { key: 'expense', header: '출금', width: '22%', ...amount, cell: ({ expense }) => signedText(-expense) },
];

const name = (header: string, className: string): Column<TotalRow> => ({
  key: 'name',
  header,
  width: '22%',
  isRowHeader: true,
  className,
  cell: (row) => row.name,
});

const columns: Record<'period' | 'category', readonly Column<TotalRow>[]> = {
  period: [
    name('기간', 'whitespace-nowrap'),
    ...sums,
    {
      key: 'balance',
      header: '기말 잔액',
      width: '22%',
      ...amount,
      className: 'whitespace-nowrap font-semibold',
      cell: ({ balance }) => wonText(balance),
    },
  ],
  category: [name('분류', 'min-w-28 wrap-anywhere'), ...sums],
};

const rowKey = ({ key }: TotalRow) => `=${key}`;

type Props = {
  caption: string;
  by: keyof typeof columns;
  totals: Iterable<readonly [string, Total]>;
  /** A stable function. */
  nameOf: (key: string) => ReactNode;
};

/** Totals by period or by category, in the order given. */
export function TotalsTable({ caption, by, totals, nameOf }: Props) {
  const rows = useMemo(
    () => Array.from(totals, ([key, total]) => Object.assign({ key, name: nameOf(key) }, total)),
    [totals, nameOf],
  );
  return (
    <section className="min-w-0">
      <h2 className="mb-3 text-lg font-bold">{caption}</h2>
      <DataTable
        caption={caption}
        columns={columns[by]}
        rows={rows}
        rowKey={rowKey}
        emptyText=""
        pageKey={caption}
      />
    </section>
  );
}
