import type { BookedEntry } from '#contract/ledger';
import { memo, type KeyboardEvent, type MouseEvent } from 'react';
import { WINDOW_ROW_PX } from '../../../components/row-window.ts';
import { Button } from '../../../components/ui/button.tsx';
import { TableCell, TableRow } from '../../../components/ui/table.tsx';
import { cn } from '../../../lib/cn.ts';
import { categoryText, dateMark, dayText, descriptionText, signedText, wonText } from '../labels.ts';
import { categoryOf } from '../totals.ts';
import { DateMark, Description, TypeBadge } from './entry-marks.tsx';
import { ON_SCREEN, ON_WIDE, ON_WIDEST } from './timeline-columns.ts';
import { STEPS, type Step } from './timeline-rows.ts';

/** What can be done with an entry. Pass stable functions. */
export type EntryActions = {
  today: string;
  /** Number of receipts by entry. */
  counts: ReadonlyMap<number, number>;
  onOpen: (entry: BookedEntry, from: HTMLElement) => void;
  onReceipts: (entry: BookedEntry, from: HTMLElement) => void;
  onDelete: (entry: BookedEntry, from: HTMLElement) => void;
  onFlip: (entry: BookedEntry) => void;
};

type Props = EntryActions & {
  entry: BookedEntry;
  /** The one row that Tab reaches, with its buttons. */
  isActive: boolean;
  /** Undefined while entries cannot be ticked. */
  isChosen: boolean | undefined;
  /** Of one height, for a table that renders only some of its rows. */
  isFixed: boolean;
  ariaIndex: number;
  onFocus: (id: number) => void;
  onStep: (from: number, step: Step, line: HTMLElement) => void;
};

/** A row of the timeline. A click on it, or Enter, opens the entry. */
export const EntryLine = memo(function EntryLine(props: Props) {
  const { entry, today, counts, isActive, isChosen, isFixed, ariaIndex, onFocus, onStep, ...actions } = props;
  const { onOpen, onReceipts, onDelete, onFlip } = actions;
  const { id, datetime, type, description, amount, balance } = entry;
  const name = descriptionText(description);
  const category = categoryOf(entry);
  const receipts = counts.get(id) ?? 0;
  const tabIndex = isActive ? 0 : -1;
  const open = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    const isControl = target instanceof Element && target.closest('button, input, label') !== null;
    // The click ends a text selection.
    if (isControl || getSelection()?.isCollapsed === false) return;
    if (isChosen === undefined) onOpen(entry, currentTarget);
    else onFlip(entry);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget, key, ctrlKey, metaKey, altKey } = event;
    const step = STEPS.find((each) => each === key);
    if (target !== currentTarget || ctrlKey || metaKey || altKey) return;
    if (step === undefined && key !== 'Enter' && key !== ' ') return;
    // Otherwise the same key press would scroll, or activate whatever gets the focus next.
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
      style={{ height: isFixed ? WINDOW_ROW_PX : undefined }}
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
        <time dateTime={datetime} className="hidden sm:inline">
          {dayText(datetime)}
        </time>
        <span data-aside aria-hidden className="block text-xs leading-4 sm:hidden">
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
        <span className="hidden sm:inline">
          <TypeBadge type={type} />
        </span>{' '}
        <Description text={description} />
        {category !== '' && (
          <span data-aside className="block truncate text-xs leading-4 text-ink-soft lg:hidden">
            {category}
          </span>
        )}
      </th>
      <TableCell className="text-right whitespace-nowrap">
        <span className={type === 'deposit' ? 'text-accent' : ''}>{signedText(amount)}</span>
        <span data-aside className={cn('block text-xs leading-4 sm:hidden', balanceColour)}>
          {wonText(balance)}
        </span>
      </TableCell>
      <TableCell className={cn(ON_WIDE, 'text-right whitespace-nowrap', balanceColour)}>
        {wonText(balance)}
      </TableCell>
      <TableCell className={cn(ON_WIDEST, 'truncate')}>
        {category === '' ? <span className="sr-only">{categoryText('')}</span> : category}
      </TableCell>
      <TableCell className={cn(ON_WIDE, ON_SCREEN)}>
        <Button
          variant="ghost"
          size="sm"
          className="-my-1 px-2"
          tabIndex={tabIndex}
          aria-label={`${name} 영수증 ${receipts === 0 ? '추가' : `${receipts}개`}`}
          onClick={({ currentTarget }) => onReceipts(entry, currentTarget)}
        >
          <span className={receipts === 0 ? 'text-ink-soft' : ''}>
            {receipts === 0 ? '추가' : `${receipts}개`}
          </span>
        </Button>
      </TableCell>
      <TableCell className={cn(ON_WIDE, ON_SCREEN, 'border-l border-line text-right whitespace-nowrap')}>
        <Button
          variant="ghost"
          size="sm"
          className="-my-1 px-2"
          tabIndex={tabIndex}
          aria-label={`${name} 수정`}
          onClick={({ currentTarget }) => onOpen(entry, currentTarget)}
        >
          수정
        </Button>
        <Button
          variant="destructive-ghost"
          size="sm"
          className="-my-1 px-2"
          tabIndex={tabIndex}
          aria-label={`${name} 삭제`}
          onClick={({ currentTarget }) => onDelete(entry, currentTarget)}
        >
          삭제
        </Button>
      </TableCell>
    </TableRow>
  );
});
