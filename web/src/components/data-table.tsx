import { useMemo, useState, type ReactNode } from 'react';
import { sortRows, type SortDirection, type SortValue } from './table-order.ts';

export type Column<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** By what the column can be sorted; without it, it cannot. */
  sortValue?: (row: Row) => SortValue;
  align?: 'end';
  /** Names the row: it is read with every cell, and stays in sight when the table is scrolled sideways. */
  isRowHeader?: boolean;
  className?: string;
};

type Props<Row> = {
  /** Read to those who cannot see where the table stands. */
  caption: string;
  /** Keep columns and rowKey the same object from render to render: the rows are drawn anew when they change. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  emptyText: string;
  /** What is shown is being replaced. */
  isStale?: boolean;
};

type Order = { key: string; direction: SortDirection };

/** The table of the management screens. Where it is wider than the screen, it scrolls by itself. */
export function DataTable<Row>({ caption, columns, rows, rowKey, emptyText, isStale = false }: Props<Row>) {
  const [order, setOrder] = useState<Order>();
  const sorted = useMemo(() => {
    const valueOf = columns.find(({ key }) => key === order?.key)?.sortValue;
    return order && valueOf ? sortRows(rows, valueOf, order.direction) : rows;
  }, [rows, columns, order]);
  const body = useMemo(
    () =>
      sorted.map((row) => (
        <tr key={rowKey(row)} className="border-b border-line hover:bg-sunken">
          {columns.map((column) => (
            <Cell key={column.key} column={column} row={row} />
          ))}
        </tr>
      )),
    [sorted, columns, rowKey],
  );
  return (
    <section
      aria-label={caption}
      aria-busy={isStale}
      className={`relative overflow-x-auto rounded-md border border-line bg-surface transition-opacity ${isStale ? 'opacity-60' : ''}`}
    >
      <table className="w-full border-collapse text-left text-sm leading-normal tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-sunken text-ink-soft">
          <tr className="border-b border-line-strong">
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} order={order} onOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>{body}</tbody>
      </table>
      {rows.length === 0 && <p className="sticky left-0 px-3 py-8 text-center text-ink-soft">{emptyText}</p>}
    </section>
  );
}

const headerClass = (column: { align?: 'end' }) =>
  `px-3 font-semibold whitespace-nowrap ${column.align === 'end' ? 'text-right' : ''}`;

/** Sorts by its column: first upwards, then downwards, then not at all. */
function HeaderCell<Row>({
  column,
  order,
  onOrder,
}: {
  column: Column<Row>;
  order: Order | undefined;
  onOrder: (order: Order | undefined) => void;
}) {
  const { key, header, sortValue, isRowHeader = false } = column;
  const stuck = isRowHeader ? 'sticky left-0 bg-sunken' : '';
  if (!sortValue) {
    return (
      <th scope="col" className={`py-2 ${headerClass(column)} ${stuck}`}>
        {header}
      </th>
    );
  }
  const direction = order?.key === key ? order.direction : undefined;
  const next = { none: 'ascending', ascending: 'descending', descending: undefined } as const;
  const turn = () => {
    const to = next[direction ?? 'none'];
    onOrder(to && { key, direction: to });
  };
  return (
    <th scope="col" aria-sort={direction ?? 'none'} className={`${headerClass(column)} ${stuck}`}>
      <button
        type="button"
        onClick={turn}
        className="-mx-1 inline-flex min-h-10 items-center gap-1.5 rounded-sm px-1 outline-offset-[-2px] hover:text-ink"
      >
        {header}
        <svg width="8" height="12" viewBox="0 0 8 12" aria-hidden fill="currentColor">
          <path d="M4 0.5L7.5 5h-7z" opacity={direction === 'ascending' ? 1 : 0.3} />
          <path d="M4 11.5L0.5 7h7z" opacity={direction === 'descending' ? 1 : 0.3} />
        </svg>
      </button>
    </th>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { cell, align, isRowHeader = false, className = '' } = column;
  const classes = `px-3 py-1.5 ${align === 'end' ? 'text-right' : ''} ${className}`;
  if (!isRowHeader) return <td className={classes}>{cell(row)}</td>;
  return (
    <th scope="row" className={`sticky left-0 bg-surface font-normal in-[tr:hover]:bg-sunken ${classes}`}>
      {cell(row)}
    </th>
  );
}
