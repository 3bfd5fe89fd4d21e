import type { ReactNode } from 'react';

export type Column<Row> = {
  key: string;
  header: string;
  /** Shown after the header; not included when the header is copied. */
  headerNote?: string | undefined;
  cell: (row: Row) => ReactNode;
  /** The value to sort by; without this function the column cannot be sorted. */
  sortValue?: (row: Row) => SortValue;
  align?: 'end' | undefined;
  /** The row's header: announced with every cell, and visible while the table scrolls sideways. */
  isRowHeader?: boolean | undefined;
  className?: string;
  /** A column of buttons and other controls, which are not printed. */
  isControl?: true;
  /** Hidden on phones, where another cell shows the same value. */
  isOnWide?: true;
  /** Fixed width while the table is windowed. */
  width?: string;
};

/** The value by which a cell is sorted; null for an empty cell. */
type SortValue = string | number | null;
type SortDirection = 'ascending' | 'descending';

export type SortOrder = { key: string; direction: SortDirection };

type Sortable<Row> = { key: string; sortValue?: (row: Row) => SortValue };

/** A column that shows a field's value unchanged and sorts by it. */
export function fieldColumn<Row extends Record<Key, SortValue>, Key extends string>(
  key: Key,
  header: string,
  more: Partial<Column<Row>> = {},
): Column<Row> {
  return {
    key,
    header,
    sortValue: (row) => (row[key] === '' ? null : row[key]),
    cell: (row) => row[key],
    ...more,
  };
}

/** The rows in the order in which a table with these columns shows them. */
export function sortRowsByColumn<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  order: SortOrder | undefined,
): readonly Row[] {
  const valueOf = columns.find(({ key }) => key === order?.key)?.sortValue;
  return order && valueOf ? sortRowsByValue(rows, valueOf, order.direction) : rows;
}

const words = new Intl.Collator('ko', { numeric: true });

/** Sorts by a value. The sort is stable, and empty values come last in both directions. */
export function sortRowsByValue<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  direction: SortDirection,
): Row[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return rows
    .map((row) => ({ row, value: valueOf(row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      return sign * compare(a.value, b.value);
    })
    .map(({ row }) => row);
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b));
}
