import { ENTRY_TEXT_FIELDS } from '#contract/ledger';

/** On phones the balance stands below the amount, and an entry's dialog has what the last columns have. */
export const ON_WIDE = 'hidden sm:table-cell';
export const ON_WIDEST = 'hidden lg:table-cell';

/** What is there to be pressed. */
export const ON_SCREEN = 'print:hidden';

type Column = { header: string; width: string; className?: string };

export function timelineColumns(isChoosing: boolean): Column[] {
  return [
    ...(isChoosing ? [{ header: '선택', width: 'w-12' }] : []),
    { header: '날짜', width: 'w-16 sm:w-40' },
    { header: ENTRY_TEXT_FIELDS.description.label, width: '' },
    { header: '금액', width: 'w-32', className: 'text-right' },
    { header: '잔액', width: 'hidden w-36 sm:table-column', className: `${ON_WIDE} text-right` },
    {
      header: ENTRY_TEXT_FIELDS.category.label,
      width: 'hidden w-32 lg:table-column',
      className: ON_WIDEST,
    },
    { header: '영수증', width: 'hidden w-20 sm:table-column', className: `${ON_WIDE} ${ON_SCREEN}` },
    {
      header: '변경',
      width: 'hidden w-36 sm:table-column',
      className: `${ON_WIDE} ${ON_SCREEN} border-l border-line text-right`,
    },
  ];
}
