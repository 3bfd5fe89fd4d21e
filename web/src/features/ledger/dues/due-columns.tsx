import type { Column } from '../../../components/table-column.ts';
import { menuColumn } from '../../../components/row-menu.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { payerText, type ShownDue } from './dues-list.ts';
import { dayText, descriptionText, signedWonText, wonText } from '../labels.ts';

/** Actions on a row of the dues; each opens a question. */
export type DueAction = 'pay' | 'takeBack' | 'join' | 'delete';

const stateColours = {
  미납: 'bg-notice-wash text-notice',
  납부: 'bg-accent-wash text-accent',
  '이중 사용': 'bg-danger-wash text-danger',
};

export function dueColumns(
  ask: (kind: DueAction, due: ShownDue, from: HTMLElement) => void,
): Column<ShownDue>[] {
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
            <State {...due} /> <PaidBy due={due} />
          </div>
        </>
      ),
    },
    {
      key: 'state',
      header: '상태',
      className: 'whitespace-nowrap',
      isOnWide: true,
      sortValue: ({ entry_id }) => (entry_id === null ? 1 : 0),
      cell: State,
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
            variant="outline"
            size="sm"
            className="-my-1"
            aria-label={`${due.name} 납부 처리`}
            onClick={({ currentTarget }) => ask('pay', due, currentTarget)}
          >
            납부 처리
          </Button>
        ),
    },
    menuColumn({
      name: ({ name }) => name,
      actions: (due) => {
        const action = (kind: DueAction, label: string) => ({
          label,
          ...(kind === 'delete' && { isDestructive: true }),
          onChoose: (from: HTMLElement) => ask(kind, due, from),
        });
        return [
          ...(due.entry_id === null
            ? []
            : [action('pay', '납부 내역 변경'), action('takeBack', '납부 취소')]),
          ...(due.joinsUser === undefined ? [] : [action('join', '사용자와 합치기')]),
          ...(due.user_id === null ? [action('delete', '명단에서 삭제')] : []),
        ];
      },
    }),
  ];
}

const State = ({ state }: ShownDue) => (
  <span className={`rounded-sm px-1.5 py-0.5 text-xs font-semibold ${stateColours[state]}`}>{state}</span>
);

function PaidBy({ due }: { due: ShownDue }) {
  const { entry, share, others, state } = due;
  if (!entry) return <span>{due.entry_id !== null && `내역 ${due.entry_id}번`}</span>;
  return (
    // A browser's translation would replace text nodes that React updates later.
    <span translate="no">
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
    </span>
  );
}
