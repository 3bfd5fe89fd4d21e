import type { Column } from './table-column.ts';
import { Button } from './ui/button.tsx';

type Options<Row> = {
  /** The button's label; it names the row. */
  label: (row: Row) => string;
  /** `from` gets the focus back after the confirmation. */
  onDelete: (row: Row, from: HTMLElement) => void;
  header?: string;
  width?: string;
  isBusy?: boolean;
  /** Rows for which this returns false have no button. */
  isOffered?: (row: Row) => boolean;
};

/** The last column, with a button that deletes the row. */
export function deleteColumn<Row>({
  label,
  onDelete,
  header = '삭제',
  width,
  isBusy = false,
  isOffered = () => true,
}: Options<Row>): Column<Row> {
  return {
    key: 'delete',
    header,
    align: 'end',
    isControl: true,
    className: 'border-l border-line',
    ...(width !== undefined && { width }),
    cell: (row) =>
      isOffered(row) && (
        <Button
          variant="destructive-ghost"
          size="sm"
          className="-my-1"
          disabled={isBusy}
          aria-label={label(row)}
          onClick={(event) => onDelete(row, event.currentTarget)}
        >
          삭제
        </Button>
      ),
  };
}
