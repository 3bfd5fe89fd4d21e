import type { Column } from '../../../components/table-column.ts';
import { deleteColumn } from '../../../components/delete-column.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { payerText, type ShownDue } from './dues-list.ts';
import { dayText, descriptionText, signedText, wonText } from '../labels.ts';

type Actions = {
  onPay: (due: ShownDue, from: HTMLElement) => void;
  onTakeBack: (due: ShownDue, from: HTMLElement) => void;
  onJoin: (due: ShownDue, from: HTMLElement) => void;
  onDelete: (due: ShownDue, from: HTMLElement) => void;
};

const stateColours = {
  미납: 'bg-notice-wash text-notice',
  납부: 'bg-accent-wash text-accent',
  '이중 사용': 'bg-danger-wash text-danger',
};

export function dueColumns({ onPay, onTakeBack, onJoin, onDelete }: Actions): Column<ShownDue>[] {
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
      cell: ({ state }) => (
        <span className={`rounded-sm px-1.5 py-0.5 text-xs font-semibold ${stateColours[state]}`}>
          {state}
        </span>
      ),
    },
    {
      key: 'entry',
      header: '납부 내역',
      className: 'min-w-40 wrap-anywhere',
      cell: (due) => {
        const { entry, share, others, state } = due;
        if (!entry) return <span>{due.entry_id !== null && `내역 ${due.entry_id}번`}</span>;
        return (
          // The browser's translation takes bare text away from React: money is left alone.
          <div translate="no">
            <span className="whitespace-nowrap">{dayText(entry.datetime)}</span>{' '}
            <span className="whitespace-nowrap">
              {share === entry.amount
                ? signedText(entry.amount)
                : `${wonText(entry.amount)} 중 ${wonText(share ?? 0)}`}
            </span>{' '}
            {descriptionText(entry.description)}
            {state === '이중 사용' && (
              <span className="block text-danger">
                {others.map(payerText).join(', ')} 회비로도 쓰였습니다. 한쪽을 변경하세요.
              </span>
            )}
          </div>
        );
      },
    },
    {
      key: 'change',
      isControl: true,
      header: '변경',
      className: 'whitespace-nowrap',
      cell: (due) => (
        <>
          <Button
            variant="ghost"
            size="sm"
            aria-label={`${due.name} ${due.entry_id === null ? '납부 처리' : '내역 변경'}`}
            onClick={(event) => onPay(due, event.currentTarget)}
          >
            <span key={String(due.entry_id)}>{due.entry_id === null ? '납부 처리' : '변경'}</span>
          </Button>
          {due.entry_id !== null && (
            <Button
              variant="ghost"
              size="sm"
              aria-label={`${due.name} 납부 취소`}
              onClick={(event) => onTakeBack(due, event.currentTarget)}
            >
              납부 취소
            </Button>
          )}
          {due.joinsUser !== undefined && (
            <Button
              variant="ghost"
              size="sm"
              aria-label={`${due.name} 사용자와 합치기`}
              onClick={(event) => onJoin(due, event.currentTarget)}
            >
              합치기
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
