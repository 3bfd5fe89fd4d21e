import type { EntryWithBalance } from '#contract/ledger';
import { useCallback, useId, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { copyRows } from '../../../components/copy-rows.ts';
import { useKeepFocus } from '../../../components/keep-focus.ts';
import { useRowWindow, WINDOW_ROW_PX } from '../../../components/row-window.ts';
import { Table, TableCaption, TableHead, TableHeader, TableRow } from '../../../components/ui/table.tsx';
import { cn } from '../../../lib/cn.ts';
import { monthText } from '../labels.ts';
import {
  EntryLine,
  TIMELINE_HEADER_PX,
  MonthLine,
  timelineColumns,
  type EntryActions,
} from './timeline-lines.tsx';
import {
  rowIndexOfEntry,
  shownMonths,
  rowAfterKey,
  STEP_KEYS,
  timelineRows,
  type StepKey,
  type TimelineRow,
} from './timeline-rows.ts';

type Props = EntryActions & {
  /** The entries, newest first. */
  entries: readonly EntryWithBalance[];
  /** Whether a filter hides entries. A month's last balance is then not shown, because it would mislead. */
  isFiltered: boolean;
  /** The ticked entries; undefined while entries cannot be ticked. */
  chosen: ReadonlySet<number> | undefined;
  emptyText: string;
  /** Whether the rows are about to be replaced. */
  isStale: boolean;
  /** Shown above the entries. */
  children: ReactNode;
};

/** From this number of rows on, only visible rows are rendered. */
const WINDOWED_ROWS = 100;

/** Number of rows rendered above the visible ones. */
const ROWS_ABOVE = 8;

/** The entries by month, newest first. Tab reaches one row; the keys of `StepKey` move between rows. */
export function Timeline({ entries, isFiltered, chosen, emptyText, isStale, children, ...actions }: Props) {
  const { today } = actions;
  const keysId = useId();
  const rows = useMemo(() => timelineRows(entries, today), [entries, today]);
  const isWindowed = rows.length > WINDOWED_ROWS;
  const { start, end, onScroll } = useRowWindow(rows.length, isWindowed);
  const { before, months, after } = useMemo(() => shownMonths(rows, start, end), [rows, start, end]);
  const scroller = useKeepFocus<HTMLElement>();
  const [activeId, setActiveId] = useState<number>();
  const active = useMemo(() => rowIndexOfEntry(rows, activeId), [rows, activeId]);
  const wanted = useRef<number>(undefined);
  // A distant row is rendered only after scrolling, so the focus waits until the row exists.
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const row = scroller.ref.current?.querySelector<HTMLElement>(`[data-entry="${wanted.current}"]`);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: isWindowed });
    // The lower end of the list may be below the window, so the window scrolls as well.
    if (isWindowed) row.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  });
  const onStep = useCallback(
    (from: number | undefined, step: StepKey, line: HTMLElement) => {
      // Keys repeat faster than rows render, so the previous row may still have the focus.
      const at = rowAfterKey(rows, rowIndexOfEntry(rows, wanted.current ?? from), step);
      const row = rows[at];
      const box = line.closest('section');
      if (row?.kind !== 'entry' || !box) return;
      wanted.current = row.entry.id;
      setActiveId(row.entry.id);
      if (isWindowed) showRow(box, at);
    },
    [rows, isWindowed],
  );
  const onFocus = useCallback((id: number) => {
    wanted.current = undefined;
    setActiveId(id);
  }, []);
  const showMonth = (month: string) => {
    const at = rows.findIndex((row) => row.month === month);
    scroller.ref.current?.scrollTo({ top: at * WINDOW_ROW_PX });
    const first = rows[at + 1];
    if (first?.kind === 'entry') setActiveId(first.entry.id);
  };
  const columns = useMemo(() => timelineColumns(chosen !== undefined), [chosen]);
  const shown = months.flatMap(({ entries: own }) => own);
  // If the active row has been scrolled out of view, Tab reaches a visible row.
  const reached = shown.find(({ at }) => at === active) ?? shown[Math.min(shown.length - 1, ROWS_ABOVE)];
  return (
    <>
      <div className="mt-4 mb-3 flex flex-wrap items-center justify-end gap-2 print:hidden">
        {children}
        {isWindowed && <MonthSelect rows={rows} onChoose={showMonth} />}
      </div>
      <p id={keysId} className="sr-only">
        위아래 화살표 키로 한 건씩, Page Up과 Page Down 키로 한 달씩 이동하고 Enter 키로 엽니다.
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it passes keys on to its rows */}
      <section
        {...scroller}
        aria-label="랩비 내역"
        aria-describedby={keysId}
        aria-busy={isStale}
        // The section takes the focus when the focused row disappears.
        tabIndex={-1}
        // While the next row is not rendered yet, the section has the focus and handles the keys.
        onKeyDown={(event) => {
          const step = STEP_KEYS.find((each) => each === event.key);
          if (event.target !== event.currentTarget || step === undefined) return;
          event.preventDefault();
          onStep(activeId, step, event.currentTarget);
        }}
        onScroll={onScroll}
        onCopy={copyRows}
        className={cn(
          '@container relative rounded-md border border-line bg-surface transition-opacity',
          isStale && 'opacity-60',
          isWindowed && 'max-h-[70dvh] overflow-y-auto print:max-h-none print:overflow-visible',
        )}
      >
        <Table aria-rowcount={rows.length + 1} className="table-fixed">
          <TableCaption className="sr-only">랩비 내역</TableCaption>
          <colgroup>
            {columns.map(({ header, width }) => (
              <col key={header} className={width} />
            ))}
          </colgroup>
          <TableHeader className={cn(isWindowed && 'sticky top-0 z-20')}>
            <TableRow aria-rowindex={1} className="border-line-strong" style={{ height: TIMELINE_HEADER_PX }}>
              {columns.map(({ header, className }) => (
                <TableHead key={header} className={className}>
                  {header}
                </TableHead>
              ))}
            </TableRow>
          </TableHeader>
          <Gap rows={before} />
          {months.map(({ header, entries: lines }) => (
            <tbody key={header.row.month}>
              <MonthLine
                row={header.row}
                ariaIndex={header.at + 2}
                isChoosing={chosen !== undefined}
                isFiltered={isFiltered}
                isSticky={isWindowed}
              />
              {lines.map(({ row: { entry }, at }) => (
                <EntryLine
                  key={entry.id}
                  {...actions}
                  entry={entry}
                  isActive={at === reached?.at}
                  isChosen={chosen?.has(entry.id)}
                  isFixed={isWindowed}
                  ariaIndex={at + 2}
                  onFocus={onFocus}
                  onStep={onStep}
                />
              ))}
            </tbody>
          ))}
          <Gap rows={after} />
        </Table>
        {rows.length === 0 && <p className="px-3 py-8 text-center text-ink-soft">{emptyText}</p>}
      </section>
    </>
  );
}

/** A native select, because ten years mean 120 options, one for each month. */
function MonthSelect({
  rows,
  onChoose,
}: {
  rows: readonly TimelineRow[];
  onChoose: (month: string) => void;
}) {
  const options = useMemo(
    () =>
      rows.flatMap(({ kind, month }) =>
        kind === 'month' ? [{ value: month, label: monthText(month) }] : [],
      ),
    [rows],
  );
  return (
    <select
      aria-label="월 선택"
      value=""
      onChange={({ target }) => onChoose(target.value)}
      className="min-h-9 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2 text-sm text-ink sm:max-w-40"
    >
      <option value="" disabled>
        월 선택
      </option>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Scrolls only as far as needed to show the row. */
function showRow(box: HTMLElement, at: number): void {
  // The sticky month header covers one row.
  const highest = (at - 1) * WINDOW_ROW_PX;
  const lowest = (at + 1) * WINDOW_ROW_PX + TIMELINE_HEADER_PX - box.clientHeight;
  if (box.scrollTop > highest) box.scrollTo({ top: highest });
  else if (box.scrollTop < lowest) box.scrollTo({ top: lowest });
}

/** An empty space as tall as the rows that are not rendered. */
function Gap({ rows }: { rows: number }) {
  if (rows === 0) return null;
  return (
    <tbody aria-hidden>
      <tr style={{ height: rows * WINDOW_ROW_PX }} />
    </tbody>
  );
}
