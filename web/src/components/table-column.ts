import type { ReactNode } from 'react';
import type { SortValue } from './table-order.ts';

/** A column of a DataTable. */
export type Column<Row> = {
  key: string;
  header: string;
  /** Stands behind the header, and is not copied with it. */
  headerNote?: string | undefined;
  cell: (row: Row) => ReactNode;
  /** The value to sort by; a column without it cannot be sorted. */
  sortValue?: (row: Row) => SortValue;
  align?: 'end' | undefined;
  /** The row's header: announced with every cell, and visible while the table scrolls sideways. */
  isRowHeader?: boolean | undefined;
  className?: string;
  /** Holds nothing but buttons and the like, which do not go on paper. */
  isControl?: true;
  /** Fixed width while the table is windowed. */
  width?: string;
};
