import { useMemo, useState } from 'react';
import { copyRows } from './copy-rows.ts';
import { useKeepFocus } from './keep-focus.ts';
import { type Column, sortRowsByColumn, type SortOrder } from './table-column.ts';
import { DataRow, WIDE_SCREENS_ONLY } from './data-row.tsx';
import { useRowWindow, WINDOW_ROW_PX } from './row-window.ts';
import { PrintedList } from './printed.tsx';
import { Table, TableBody, TableCaption, TableHead, TableHeader, TableRow } from './ui/table.tsx';
import { cn } from '../lib/cn.ts';
import { Button } from './ui/button.tsx';
import { SelectField } from './select-field.tsx';

type Props<Row> = {
  /** Title of the table for screen readers. */
  caption: string;
  /** Pass a stable array: all rows render again when the array or `rowKey` changes. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  emptyText: string;
  /** Whether the rows are about to be replaced. */
  isStale?: boolean;
  /** The sort order, for callers that need it, such as an export; pass both props or neither. */
  order?: SortOrder | undefined;
  onOrder?: (order: SortOrder | undefined) => void;
  /** Enables paging. When this text changes, the first page is shown again. */
  pageKey?: string;
  /** Rows per page until the user chooses another number. */
  firstSize?: PageSize;
  /** Called when a row (`from`) is clicked, or when Enter is pressed on it. Pass a stable function. */
  onRowOpen?: (row: Row, from: HTMLElement) => void;
  /** Key of the row that the user looked for; the row is marked and scrolled into view. */
  soughtKey?: string | number | undefined;
  /** Prints the table alone under a title. Without this, the page is printed as it is. */
  printed?: PrintedAs | undefined;
  /** Class names of the scrolling box, for a table beside another element. */
  className?: string;
};

type PrintedAs = {
  title: string;
  /** The counter word for the rows: `명`. */
  unit: string;
  /** Prints all rows, not only the page on screen. */
  isWhole?: boolean;
};

/** With at least this many rows, the page size 'all' renders only the rows that are visible. */
const WINDOWED_ROWS = 100;

/** A shadow on the right edge; a cover that scrolls with the table hides the shadow at the table's end. */
const edgeShade = {
  background: [
    'linear-gradient(to left, var(--surface) 40%, transparent) right / 3rem 100% no-repeat local',
    'linear-gradient(to left, color-mix(in srgb, var(--ink) 25%, transparent), transparent) right / 0.75rem 100% no-repeat',
    'var(--surface)',
  ].join(', '),
};

/** The table of the management screens. Scrolls sideways when it is wider than the screen. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  emptyText,
  isStale = false,
  pageKey,
  firstSize = 10,
  onRowOpen,
  soughtKey,
  printed,
  className,
  ...held
}: Props<Row>) {
  const [ownOrder, setOwnOrder] = useState<SortOrder>();
  const { order = ownOrder, onOrder = setOwnOrder } = held;
  const [size, setSize] = useState<PageSize>(firstSize);
  const [place, setPlace] = useState({ key: pageKey, page: 0 });
  const scroller = useKeepFocus<HTMLElement>();
  const sorted = useMemo(() => sortRowsByColumn(rows, columns, order), [rows, columns, order]);
  const isPaged = pageKey !== undefined;
  const isWhole = printed?.isWhole === true;
  const pageSize = isPaged && size !== 'all' && !isWhole ? size : Math.max(1, sorted.length);
  const lastPage = Math.max(0, Math.ceil(sorted.length / pageSize) - 1);
  const page = place.key === pageKey ? Math.min(place.page, lastPage) : 0;
  const isWindowed = isPaged && !isWhole && pageSize > WINDOWED_ROWS;
  const { start, end, onScroll } = useRowWindow(sorted.length, isWindowed);
  const first = isWindowed ? start : page * pageSize;
  const last = isWindowed ? end : Math.min(sorted.length, first + pageSize);
  const body = useMemo(
    () =>
      sorted.slice(first, last).map((row, index) => (
        <DataRow
          key={rowKey(row)}
          row={row}
          columns={columns}
          onOpen={onRowOpen}
          isSought={rowKey(row) === soughtKey}
          // The header counts as row 1.
          ariaIndex={isPaged ? first + index + 2 : undefined}
        />
      )),
    [sorted, first, last, columns, rowKey, onRowOpen, soughtKey, isPaged],
  );
  const table = (
    <>
      <section
        {...scroller}
        style={edgeShade}
        aria-label={caption}
        // Without a sort button in the header, the table itself can get the focus: the arrow keys scroll it.
        tabIndex={columns.some(({ sortValue }) => sortValue) ? -1 : 0}
        aria-busy={isStale}
        onScroll={onScroll}
        onCopy={copyRows}
        className={cn(
          'relative overflow-x-auto rounded-md border border-line transition-opacity',
          isStale && 'opacity-60',
          isWindowed && 'max-h-[70dvh] overflow-y-auto print:max-h-none print:overflow-visible',
          className,
        )}
      >
        <Table
          aria-rowcount={isPaged ? sorted.length + 1 : undefined}
          className={cn(
            isWindowed &&
              'table-fixed sm:min-w-[60rem] [&_[data-sentence]]:line-clamp-2 [&_td]:truncate [&_th]:truncate max-sm:[&_:is(td,th)]:py-0 [&_[data-aside]]:max-h-4 [&_[data-aside]]:overflow-hidden',
          )}
        >
          <TableCaption className="sr-only">{caption}</TableCaption>
          {isWindowed && (
            <colgroup>
              {columns.map(({ key, width, isOnWide, isControl }) => (
                <col
                  key={key}
                  style={{ width }}
                  className={isOnWide ? 'hidden sm:table-column' : isControl && 'max-sm:min-w-16'}
                />
              ))}
            </colgroup>
          )}
          <TableHeader className={cn((isWindowed || className !== undefined) && 'sticky top-0 z-10')}>
            <TableRow className="border-line-strong">
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} order={order} onOrder={onOrder} />
              ))}
            </TableRow>
          </TableHeader>
          <TableBody>
            {isWindowed && <Gap rows={start} />}
            {body}
            {isWindowed && <Gap rows={sorted.length - end} />}
          </TableBody>
        </Table>
        {rows.length === 0 && (
          <p className="sticky left-0 px-3 py-8 text-center text-ink-soft">{emptyText}</p>
        )}
      </section>
      {isPaged && sorted.length > SIZES[0] && (
        <TablePager
          unit={printed?.unit ?? '개'}
          count={sorted.length}
          size={size}
          onSizeChange={(next) => {
            setSize(next);
            setPlace({ key: pageKey, page: 0 });
            scroller.ref.current?.scrollTo({ top: 0 });
          }}
          page={page}
          onPageChange={(next) => setPlace({ key: pageKey, page: next })}
        />
      )}
    </>
  );
  if (!printed) return table;
  const all = `${sorted.length}${printed.unit}`;
  const counted = last - first === sorted.length ? all : `${all} 중 ${first + 1}–${last}번째`;
  return (
    <PrintedList title={printed.title} counted={counted}>
      {table}
    </PrintedList>
  );
}

/** An empty row as tall as the rows that are not rendered. */
function Gap({ rows }: { rows: number }) {
  return rows === 0 ? null : <tr aria-hidden style={{ height: rows * WINDOW_ROW_PX }} />;
}

/** Sorts by the column: first ascending, then descending, then unsorted. */
function HeaderCell<Row>({
  column,
  order,
  onOrder,
}: {
  column: Column<Row>;
  order: SortOrder | undefined;
  onOrder: (order: SortOrder | undefined) => void;
}) {
  const {
    key,
    header,
    headerNote,
    sortValue,
    align,
    isRowHeader = false,
    isControl = false,
    isOnWide = false,
  } = column;
  const words = (
    <>
      {header}
      {headerNote !== undefined && <span data-aside> ({headerNote})</span>}
    </>
  );
  const className = cn(
    align === 'end' && 'text-right',
    isRowHeader && 'sticky left-0 bg-sunken',
    isControl && 'print:hidden',
    isOnWide && WIDE_SCREENS_ONLY,
  );
  if (!sortValue) {
    return <TableHead className={cn('py-2', className)}>{words}</TableHead>;
  }
  const direction = order?.key === key ? order.direction : undefined;
  const next = { none: 'ascending', ascending: 'descending', descending: undefined } as const;
  const turn = () => {
    const to = next[direction ?? 'none'];
    onOrder(to && { key, direction: to });
  };
  return (
    <TableHead aria-sort={direction ?? 'none'} className={className}>
      <button
        type="button"
        onClick={turn}
        className="-mx-1 inline-flex min-h-10 items-center gap-1.5 rounded-sm px-1 outline-offset-[-2px] hover:text-ink"
      >
        {words}
        <svg width="8" height="12" viewBox="0 0 8 12" aria-hidden fill="currentColor">
          <path d="M4 0.5L7.5 5h-7z" opacity={direction === 'ascending' ? 1 : 0.3} />
          <path d="M4 11.5L0.5 7h7z" opacity={direction === 'descending' ? 1 : 0.3} />
        </svg>
      </button>
    </TableHead>
  );
}

type PageSize = 10 | 20 | 50 | 100 | 'all';

const SIZES = [10, 20, 50, 100, 'all'] as const;

type TablePagerProps = {
  unit: string;
  count: number;
  size: PageSize;
  onSizeChange: (size: PageSize) => void;
  /** Zero-based. */
  page: number;
  onPageChange: (page: number) => void;
};

/** The buttons use aria-disabled, because a disabled button on the last page would lose the focus. */
function TablePager({ unit, count, size, onSizeChange, page, onPageChange }: TablePagerProps) {
  const pages = size === 'all' ? 1 : Math.max(1, Math.ceil(count / size));
  const first = size === 'all' ? 0 : page * size;
  const last = size === 'all' ? count : Math.min(count, first + size);
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3 text-sm tabular-nums print:hidden">
      <SelectField<PageSize>
        className="w-28"
        isLabelHidden
        label="페이지당 행 수"
        size="sm"
        options={SIZES.map((each) => ({ value: each, label: each === 'all' ? '전체' : `${each}${unit}씩` }))}
        value={size}
        onChange={onSizeChange}
      />
      <div className="flex items-center gap-2">
        <span aria-live="polite" className="text-ink-soft">
          {count === 0 ? '0' : `${first + 1}–${last}`} / {count}
        </span>
        <Button
          variant="outline"
          size="sm"
          aria-label="이전 페이지"
          aria-disabled={page === 0}
          onClick={() => onPageChange(Math.max(0, page - 1))}
        >
          이전
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label="다음 페이지"
          aria-disabled={page >= pages - 1}
          onClick={() => onPageChange(Math.min(pages - 1, page + 1))}
        >
          다음
        </Button>
      </div>
    </div>
  );
}
