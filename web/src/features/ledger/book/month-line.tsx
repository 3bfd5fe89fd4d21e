import { WINDOW_ROW_PX } from '../../../components/row-window.ts';
import { cn } from '../../../lib/cn.ts';
import { monthText, signedText, wonText } from '../labels.ts';
import { ON_SCREEN, ON_WIDE, ON_WIDEST } from './timeline-columns.ts';
import type { MonthRow } from './timeline-rows.ts';

/** Height of the timeline's own header, below which a month's stays. */
export const HEAD_PX = 37;

type Props = {
  row: MonthRow;
  ariaIndex: number;
  /** There is a column more, to tick entries. */
  isChoosing: boolean;
  isFiltered: boolean;
  /** Stays on top while the month's entries pass by. */
  isSticky: boolean;
};

/** A month with its sums below the columns that they sum up. Not copied with the entries. */
export function MonthLine({ row: { month, total }, ariaIndex, isChoosing, isFiltered, isSticky }: Props) {
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
        {income > 0n && <span className="block text-accent">입금 {signedText(income)}</span>}
        {expense > 0n && <span className="block">출금 {signedText(-expense)}</span>}
      </td>
      <td className={cn(cell, ON_WIDE, 'text-right font-semibold whitespace-nowrap')}>
        {!isFiltered && (
          <>
            <span className="sr-only">월말 잔액</span> {wonText(balance)}
          </>
        )}
      </td>
      <td aria-hidden className={cn(cell, ON_WIDEST)} />
      <td aria-hidden className={cn(cell, ON_WIDE, ON_SCREEN)} />
      <td aria-hidden className={cn(cell, ON_WIDE, ON_SCREEN)} />
    </tr>
  );
}
