import type { KeyboardEvent, MouseEvent } from 'react';
import type { Column } from './table-column.ts';

type Props<Row> = {
  row: Row;
  columns: readonly Column<Row>[];
  onOpen: ((row: Row, from: HTMLElement) => void) | undefined;
  ariaIndex: number | undefined;
  height: number | undefined;
};

export function TableRow<Row>({ row, columns, onOpen, ariaIndex, height }: Props<Row>) {
  const open = (event: MouseEvent<HTMLElement>) => {
    const isControl = event.target instanceof Element && event.target.closest('button, a, input') !== null;
    // A click that ends a selection of text is meant for the text.
    const isSelecting = getSelection()?.isCollapsed === false;
    if (!isControl && !isSelecting) onOpen?.(row, event.currentTarget);
  };
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter') {
      // Or what has the focus next would be pressed by the same key.
      event.preventDefault();
      onOpen?.(row, event.currentTarget);
    }
    const { nextElementSibling: next, previousElementSibling: previous } = event.currentTarget;
    const target = event.key === 'ArrowDown' ? next : event.key === 'ArrowUp' ? previous : null;
    if (!(target instanceof HTMLElement) || target.tabIndex < 0) return;
    event.preventDefault();
    target.focus();
  };
  const cells = columns.map((column) => <Cell key={column.key} column={column} row={row} />);
  const className = 'border-b border-line hover:bg-sunken';
  if (!onOpen) {
    return (
      <tr aria-rowindex={ariaIndex} className={className} style={{ height }}>
        {cells}
      </tr>
    );
  }
  return (
    <tr
      aria-rowindex={ariaIndex}
      tabIndex={0}
      onClick={open}
      onKeyDown={onKey}
      className={`cursor-pointer outline-offset-[-2px] ${className}`}
      style={{ height }}
    >
      {cells}
    </tr>
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
