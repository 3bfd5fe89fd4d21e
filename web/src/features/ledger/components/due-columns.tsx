import type { Due } from '#contract/dues';
import type { BookedEntry } from '#contract/ledger';
import type { Column } from '../../../components/data-table.tsx';
import { deleteColumn } from '../../../components/delete-column.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { dayText, signedText } from '../words.ts';

type Actions = {
  onPay: (due: Due, from: HTMLElement) => void;
  onTakeBack: (due: Due, from: HTMLElement) => void;
  onDelete: (due: Due, from: HTMLElement) => void;
};

export function dueColumns(
  entries: ReadonlyMap<number, BookedEntry>,
  { onPay, onTakeBack, onDelete }: Actions,
): Column<Due>[] {
  const entryOf = ({ entry_id }: Due) => (entry_id === null ? undefined : entries.get(entry_id));
  return [
    {
      key: 'name',
      header: '이름',
      isRowHeader: true,
      className: 'whitespace-nowrap',
      sortValue: ({ name }) => name,
      cell: ({ name }) => name,
    },
    {
      key: 'state',
      header: '상태',
      className: 'whitespace-nowrap',
      sortValue: ({ entry_id }) => (entry_id === null ? 1 : 0),
      cell: ({ entry_id }) =>
        entry_id === null ? (
          <span className="rounded-sm bg-notice-wash px-1.5 py-0.5 text-xs font-semibold text-notice">
            미납
          </span>
        ) : (
          <span className="rounded-sm bg-accent-wash px-1.5 py-0.5 text-xs font-semibold text-accent">
            납부
          </span>
        ),
    },
    {
      key: 'entry',
      header: '납부 내역',
      className: 'min-w-40 wrap-anywhere',
      cell: (due) => {
        const entry = entryOf(due);
        if (!entry) return due.entry_id === null ? '' : `내역 ${due.entry_id}번`;
        return (
          <>
            <span className="whitespace-nowrap">{dayText(entry.datetime)}</span>{' '}
            <span className="whitespace-nowrap">{signedText(entry.amount)}</span> {entry.description}
          </>
        );
      },
    },
    {
      key: 'change',
      header: '변경',
      className: 'whitespace-nowrap',
      cell: (due) => (
        <>
          <Button
            look="quiet"
            size="small"
            aria-label={`${due.name} ${due.entry_id === null ? '납부 처리' : '내역 변경'}`}
            onClick={(event) => onPay(due, event.currentTarget)}
          >
            {due.entry_id === null ? '납부 처리' : '변경'}
          </Button>
          {due.entry_id !== null && (
            <Button
              look="quiet"
              size="small"
              aria-label={`${due.name} 납부 취소`}
              onClick={(event) => onTakeBack(due, event.currentTarget)}
            >
              납부 취소
            </Button>
          )}
        </>
      ),
    },
    deleteColumn({
      label: ({ name }) => `${name} 명단에서 삭제`,
      onDelete,
      isOffered: ({ user_id }) => user_id === null,
    }),
  ];
}
