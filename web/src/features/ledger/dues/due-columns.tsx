import type { Column } from '../../../components/table-column.ts';
import { menuColumn } from '../../../components/row-menu.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { payerText, type ShownDue } from './dues-list.ts';
import { dayText, descriptionText, signedWonText, wonText } from '../labels.ts';

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
      className: 'max-sm:w-full wrap-anywhere sm:whitespace-nowrap',
      sortValue: ({ name }) => name,
      cell: (due) => (
        <>
          {due.name}
          <div data-aside className="text-xs text-ink-soft sm:hidden">
            <PaidBy due={due} />
          </div>
        </>
      ),
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
      isOnWide: true,
      cell: (due) => <PaidBy due={due} />,
    },
    {
      key: 'change',
      isControl: true,
      header: '납부',
      className: 'w-px whitespace-nowrap',
      cell: (due) =>
        due.entry_id === null && (
          <Button
            variant="ghost"
            size="sm"
            className="-my-1"
            aria-label={`${due.name} 납부 처리`}
            onClick={(event) => onPay(due, event.currentTarget)}
          >
            납부 처리
          </Button>
        ),
    },
    menuColumn({
      name: ({ name }) => name,
      actions: (due) => [
        ...(due.entry_id === null
          ? []
          : [
              { label: '납부 내역 변경', onChoose: (from: HTMLElement) => onPay(due, from) },
              { label: '납부 취소', onChoose: (from: HTMLElement) => onTakeBack(due, from) },
            ]),
        ...(due.joinsUser === undefined
          ? []
          : [{ label: '사용자와 합치기', onChoose: (from: HTMLElement) => onJoin(due, from) }]),
        ...(due.user_id === null
          ? [
              {
                label: '명단에서 삭제',
                isDestructive: true,
                onChoose: (from: HTMLElement) => onDelete(due, from),
              },
            ]
          : []),
      ],
    }),
  ];
}

function PaidBy({ due }: { due: ShownDue }) {
  const { entry, share, others, state } = due;
  if (!entry) return <span>{due.entry_id !== null && `내역 ${due.entry_id}번`}</span>;
  return (
    // Not translated, because a browser's translation detaches plain text nodes from React.
    <div translate="no">
      <span className="whitespace-nowrap">{dayText(entry.datetime)}</span>{' '}
      <span className="whitespace-nowrap">
        {share === entry.amount
          ? signedWonText(entry.amount)
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
}
