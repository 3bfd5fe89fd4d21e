import type { Column } from './table-column.ts';
import { Button } from './ui/button.tsx';

type Options<Row> = {
  /** Of the button; it names the row. */
  label: (row: Row) => string;
  /** `from` is what the focus returns to after the question. */
  onDelete: (row: Row, from: HTMLElement) => void;
  header?: string;
  width?: string;
  isBusy?: boolean;
  /** Rows without the button: those for which this says no. */
  isOffered?: (row: Row) => boolean;
};

/** The last column of a table whose rows can be deleted, apart from the rest. */
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
