import type { ReactNode } from 'react';
import type { SortValue } from './table-order.ts';

/** A column of a DataTable. */
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
  /** Its share of the table while 'all' rows are drawn in a window: the columns then keep their widths. */
  width?: string;
};
