import { ENTRY_TEXT_FIELDS, type EntryWithBalance } from '#contract/ledger';
import { memo, type KeyboardEvent, type MouseEvent } from 'react';
import { RowMenu } from '../../../components/row-menu.tsx';
import { WINDOW_ROW_PX } from '../../../components/row-window.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Paperclip } from '../../../components/ui/icons.tsx';
import { TableCell, TableRow } from '../../../components/ui/table.tsx';
import { cn } from '../../../lib/cn.ts';
import {
  categoryText,
  dateMark,
  dayText,
  descriptionText,
  monthText,
  signedWonText,
  entryTypeLabels,
  wonText,
} from '../labels.ts';
import { categoryOf } from '../totals.ts';
import { STEP_KEYS, type MonthRow, type StepKey } from './timeline-rows.ts';

/**
 * Shows a cell only in a wide table, because the window's width includes the side bar. In a narrow table, the
 * balance is below the amount, category and receipts are below the text, and only the dialog has the actions.
 */
const ON_WIDE = 'hidden @2xl:table-cell';
const ON_WIDEST = 'hidden @4xl:table-cell';

/** Interactive controls are not printed. */
const ON_SCREEN = 'print:hidden';

type Column = { header: string; width: string; className?: string };

export function timelineColumns(isChoosing: boolean): Column[] {
  return [
    ...(isChoosing ? [{ header: '선택', width: 'w-12' }] : []),
    { header: '날짜', width: 'w-16 @2xl:w-36' },
    { header: ENTRY_TEXT_FIELDS.description.label, width: '' },
    { header: '금액', width: 'w-32', className: 'text-right' },
    { header: '잔액', width: 'hidden w-36 @2xl:table-column', className: `${ON_WIDE} text-right` },
    {
      header: ENTRY_TEXT_FIELDS.category.label,
      width: 'hidden w-32 @4xl:table-column',
      className: ON_WIDEST,
    },
    { header: '영수증', width: 'hidden w-20 @4xl:table-column', className: `${ON_WIDEST} ${ON_SCREEN}` },
    {
      header: '작업',
      width: 'hidden w-16 @2xl:table-column',
      className: `${ON_WIDE} ${ON_SCREEN} text-right`,
    },
  ];
}

/** What the user can do with an entry. Pass the same functions at every render, or all rows render again. */
export type EntryActions = {
  today: string;
  /** Number of receipts by entry. */
  counts: ReadonlyMap<number, number>;
  onOpen: (entry: EntryWithBalance, from: HTMLElement) => void;
  onReceipts: (entry: EntryWithBalance, from: HTMLElement) => void;
  onDelete: (entry: EntryWithBalance, from: HTMLElement) => void;
  onFlip: (entry: EntryWithBalance) => void;
};

type Props = EntryActions & {
  entry: EntryWithBalance;
  /** Whether Tab reaches this row and its buttons. */
  isActive: boolean;
  /** Undefined while entries cannot be ticked. */
  isChosen: boolean | undefined;
  /** Whether the row has a fixed height, as in a table that renders only some of its rows. */
  isFixed: boolean;
  ariaIndex: number;
  onFocus: (id: number) => void;
  onStep: (from: number, step: StepKey, line: HTMLElement) => void;
};

/** A row of the timeline. A click on it, or Enter, opens the entry. */
export const EntryLine = memo(function EntryLine(props: Props) {
  const { entry, today, counts, isActive, isChosen, isFixed, ariaIndex, onFocus, onStep, ...actions } = props;
  const { onOpen, onReceipts, onDelete, onFlip } = actions;
  const { id, datetime, type, description, amount, balance } = entry;
  const name = descriptionText(description);
  const category = categoryOf(entry);
  const receipts = counts.get(id) ?? 0;
  const aside = [category, receipts > 0 ? `영수증 ${receipts}개` : '']
    .filter((text) => text !== '')
    .join(' · ');
  const tabIndex = isActive ? 0 : -1;
  const open = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    const isControl = target instanceof Element && target.closest('button, input, label') !== null;
    // A click that ends a text selection must not open the entry.
    if (isControl || getSelection()?.isCollapsed === false) return;
    if (isChosen === undefined) onOpen(entry, currentTarget);
    else onFlip(entry);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget, key, ctrlKey, metaKey, altKey } = event;
    const step = STEP_KEYS.find((each) => each === key);
    if (target !== currentTarget || ctrlKey || metaKey || altKey) return;
    if (step === undefined && key !== 'Enter' && key !== ' ') return;
    // Otherwise the key press would also scroll, or activate the element that gets the focus next.
    event.preventDefault();
    if (step !== undefined) onStep(id, step, currentTarget);
    else if (key === 'Enter') onOpen(entry, currentTarget);
    else if (isChosen !== undefined) onFlip(entry);
  };
  const balanceColour = cn('font-semibold', balance < 0n && 'text-danger');
  return (
    <TableRow
      data-entry={id}
      aria-rowindex={ariaIndex}
      tabIndex={tabIndex}
      onClick={open}
      onKeyDown={onKeyDown}
      onFocus={() => onFocus(id)}
      className="cursor-pointer border-line outline-offset-[-2px] hover:bg-sunken"
      style={{ height: WINDOW_ROW_PX }}
    >
      {isChosen !== undefined && (
        <TableCell>
          <label className="flex min-h-8 cursor-pointer items-center">
            <input
              type="checkbox"
              tabIndex={tabIndex}
              aria-label={`${dayText(datetime)} ${name} 선택`}
              checked={isChosen}
              onChange={() => onFlip(entry)}
              className="size-4 accent-accent"
            />
          </label>
        </TableCell>
      )}
      <TableCell className="whitespace-nowrap">
        <time dateTime={datetime} className="hidden @2xl:inline">
          {dayText(datetime)}
        </time>
        <span data-aside aria-hidden className="block text-xs leading-4 @2xl:hidden">
          {dayText(datetime).slice(5)}
        </span>{' '}
        <DateMark mark={dateMark(entry, today)} />
      </TableCell>
      <th
        data-slot="table-cell"
        scope="row"
        title={isFixed ? name : undefined}
        className={cn('px-3 py-1.5 text-left font-normal wrap-anywhere', isFixed && 'truncate')}
      >
        <span className="hidden @2xl:inline">
          <TypeBadge type={type} />
        </span>{' '}
        <Description text={description} />
        {aside !== '' && (
          <span data-aside className="block truncate text-xs leading-4 text-ink-soft @4xl:hidden">
            {aside}
          </span>
        )}
      </th>
      <TableCell translate="no" className="text-right whitespace-nowrap">
        <span className={type === 'deposit' ? 'text-accent' : ''}>{signedWonText(amount)}</span>
        <span data-aside className={cn('block text-xs leading-4 @2xl:hidden', balanceColour)}>
          {wonText(balance)}
        </span>
      </TableCell>
      <TableCell translate="no" className={cn(ON_WIDE, 'text-right whitespace-nowrap', balanceColour)}>
        {wonText(balance)}
      </TableCell>
      <TableCell className={cn(ON_WIDEST, 'truncate')}>
        {category === '' ? <span className="sr-only">{categoryText('')}</span> : category}
      </TableCell>
      <TableCell className={cn(ON_WIDEST, ON_SCREEN)}>
        <Button
          variant="ghost"
          size="sm"
          className="-my-1 px-2"
          tabIndex={tabIndex}
          title={receipts === 0 ? '영수증 추가' : undefined}
          aria-label={`${name} 영수증 ${receipts === 0 ? '추가' : `${receipts}개`}`}
          onClick={({ currentTarget }) => onReceipts(entry, currentTarget)}
        >
          <span className={receipts === 0 ? 'text-ink-soft' : ''}>
            {receipts === 0 ? <Paperclip size={16} /> : `${receipts}개`}
          </span>
        </Button>
      </TableCell>
      <TableCell className={cn(ON_WIDE, ON_SCREEN, 'text-right whitespace-nowrap')}>
        <RowMenu
          name={name}
          tabIndex={tabIndex}
          actions={[
            { label: '수정', onChoose: (from) => onOpen(entry, from) },
            { label: '영수증', onChoose: (from) => onReceipts(entry, from) },
            { label: '삭제', isDestructive: true, onChoose: (from) => onDelete(entry, from) },
          ]}
        />
      </TableCell>
    </TableRow>
  );
});

/** Height of the timeline's header; a month's header sticks below it. */
export const TIMELINE_HEADER_PX = 37;

type MonthLineProps = {
  row: MonthRow;
  ariaIndex: number;
  /** Whether there is an additional column of checkboxes. */
  isChoosing: boolean;
  isFiltered: boolean;
  /** Whether the month's header sticks to the top while the month's entries scroll. */
  isSticky: boolean;
};

/** A month's header with the month's sums. Copying the entries leaves the header out. */
export function MonthLine({
  row: { month, total },
  ariaIndex,
  isChoosing,
  isFiltered,
  isSticky,
}: MonthLineProps) {
  const { income, expense, count, planned, balance } = total;
  const cell = cn('bg-sunken px-3 py-1 text-xs leading-4', isSticky && 'sticky top-[37px] z-10');
  return (
    <tr
      data-aside
      aria-rowindex={ariaIndex}
      className="border-b border-line"
      style={{ height: WINDOW_ROW_PX }}
    >
      <th scope="rowgroup" colSpan={isChoosing ? 3 : 2} className={cn(cell, 'text-left font-normal')}>
        <span className="text-sm font-bold">{monthText(month)}</span>{' '}
        <span className="text-ink-soft">
          {count}건{planned > 0 && ` (예정 ${planned})`}
        </span>
      </th>
      <td className={cn(cell, 'text-right whitespace-nowrap')}>
        {income > 0n && <span className="block text-accent">입금 {signedWonText(income)}</span>}
        {expense > 0n && <span className="block">출금 {signedWonText(-expense)}</span>}
      </td>
      <td className={cn(cell, ON_WIDE, 'text-right font-semibold whitespace-nowrap')}>
        {!isFiltered && (
          <>
            <span className="sr-only">월말 잔액</span> {wonText(balance)}
          </>
        )}
      </td>
      <td aria-hidden className={cn(cell, ON_WIDEST)} />
      <td aria-hidden className={cn(cell, ON_WIDEST, ON_SCREEN)} />
      <td aria-hidden className={cn(cell, ON_WIDE, ON_SCREEN)} />
    </tr>
  );
}

function Description({ text }: { text: string }) {
  const shown = descriptionText(text);
  if (shown === text) return <span>{shown}</span>;
  return (
    <span data-aside className="text-ink-soft">
      {shown}
    </span>
  );
}

export function DateMark({ mark }: { mark: ReturnType<typeof dateMark> }) {
  if (mark === undefined) return null;
  const colours = mark === '예정' ? 'bg-notice-wash text-notice' : 'bg-danger-wash text-danger';
  return (
    <span data-aside className={`rounded-sm px-1.5 py-0.5 text-xs font-semibold ${colours}`}>
      {mark}
    </span>
  );
}

function TypeBadge({ type }: Pick<EntryWithBalance, 'type'>) {
  // The minus sign already shows a withdrawal; only screen readers need the word.
  const look =
    type === 'deposit'
      ? 'mr-1 rounded-sm bg-accent-wash px-1.5 py-0.5 text-xs font-semibold text-accent'
      : 'sr-only';
  return (
    <span data-aside className={look}>
      {entryTypeLabels[type]}
    </span>
  );
}
