import type { BookedEntry } from '#contract/ledger';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { addressOf } from '../address.ts';
import { NO_FILTER } from '../book/entry-filter.ts';
import { categoryText, signedText } from '../labels.ts';
import { totalsByCategory, type Total } from '../totals.ts';

type Row = Total & { category: string };

const columns: Column<Row>[] = [
  {
    key: 'category',
    header: '분류',
    isRowHeader: true,
    className: 'min-w-28 wrap-anywhere',
    cell: ({ category }) => (
      <Link to="." search={addressOf({ ...NO_FILTER, category })} className="text-link">
        {categoryText(category)}
      </Link>
    ),
  },
  { key: 'count', header: '건수', align: 'end', cell: ({ count }) => count },
  {
    key: 'income',
    header: '입금',
    align: 'end',
    className: 'whitespace-nowrap',
    cell: ({ income }) => signedText(income),
  },
  {
    key: 'expense',
    header: '출금',
    align: 'end',
    className: 'whitespace-nowrap',
    cell: ({ expense }) => signedText(-expense),
  },
];

const CAPTION = '분류별 합계';
const categoryKey = ({ category }: Row) => `=${category}`;

/** The sums of all entries by category; each leads to its entries. */
export function CategoryTable({ entries, today }: { entries: readonly BookedEntry[]; today: string }) {
  const rows = useMemo(
    () => totalsByCategory(entries, today).map(([category, total]) => Object.assign({ category }, total)),
    [entries, today],
  );
  return (
    <section className="min-w-0">
      <h2 className="mb-3 text-lg font-bold">{CAPTION}</h2>
      <DataTable
        caption={CAPTION}
        columns={columns}
        rows={rows}
        rowKey={categoryKey}
        emptyText=""
        pageKey={CAPTION}
      />
    </section>
  );
}
