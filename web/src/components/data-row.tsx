import type { KeyboardEvent, MouseEvent } from 'react';
import { cn } from '../lib/cn.ts';
import type { Column } from './table-column.ts';
import { WINDOW_ROW_PX } from './row-window.ts';
import { TableRow } from './ui/table.tsx';

type Props<Row> = {
  row: Row;
  columns: readonly Column<Row>[];
  onOpen: ((row: Row, from: HTMLElement) => void) | undefined;
  isSought: boolean;
  ariaIndex: number | undefined;
};

export function DataRow<Row>({ row, columns, onOpen, isSought, ariaIndex }: Props<Row>) {
  const open = (event: MouseEvent<HTMLElement>) => {
    const isControl = event.target instanceof Element && event.target.closest('button, a, input') !== null;
    // A click that ends a text selection must not open the row.
    const isSelecting = getSelection()?.isCollapsed === false;
    if (!isControl && !isSelecting) onOpen?.(row, event.currentTarget);
  };
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter') {
      // Otherwise the same key press would activate the element that gets the focus next.
      event.preventDefault();
      onOpen?.(row, event.currentTarget);
    }
    const { nextElementSibling: next, previousElementSibling: previous } = event.currentTarget;
    const target = event.key === 'ArrowDown' ? next : event.key === 'ArrowUp' ? previous : null;
    if (!(target instanceof HTMLElement) || target.tabIndex < 0) return;
    event.preventDefault();
    target.focus();
  };
  return (
    <TableRow
      {...(isSought && { 'aria-current': true, ref: intoView })}
      {...(onOpen && { tabIndex: 0, onClick: open, onKeyDown: onKey })}
      aria-rowindex={ariaIndex}
      className={cn(
        onOpen && 'cursor-pointer outline-offset-[-2px]',
        'border-line hover:bg-sunken',
        isSought && 'outline-2 outline-offset-[-2px] outline-accent',
      )}
      style={{ height: WINDOW_ROW_PX }}
    >
      {columns.map((column) => cellOf(column, row))}
    </TableRow>
  );
}

export const WIDE_SCREENS_ONLY = 'hidden sm:table-cell print:table-cell';

const intoView = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'center' });

/** A row header stays visible while the table scrolls. */
function cellOf<Row>(column: Column<Row>, row: Row) {
  const { key, cell, align, isRowHeader = false, isControl = false, isOnWide = false, className } = column;
  const Cell = isRowHeader ? 'th' : 'td';
  return (
    <Cell
      key={key}
      data-slot="table-cell"
      scope={isRowHeader ? 'row' : undefined}
      translate={align === 'end' ? 'no' : undefined}
      className={cn(
        isRowHeader && 'sticky left-0 bg-surface font-normal in-[tr:hover]:bg-sunken',
        'px-3 py-1.5',
        align === 'end' && 'text-right',
        isControl && 'print:hidden',
        isOnWide && WIDE_SCREENS_ONLY,
        className,
      )}
    >
      {cell(row)}
    </Cell>
  );
}
