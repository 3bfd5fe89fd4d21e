import { ENTRY_TEXT_FIELDS, type BookedEntry, type EntryText } from '#contract/ledger';
import type { Column } from '../../../components/table-column.ts';
import { deleteColumn } from '../../../components/delete-column.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { dateMark, dayText, descriptionText, signedText, typeLabels, wonText } from '../labels.ts';

type Actions = {
  today: string;
  /** Number of receipts by entry. */
  counts: ReadonlyMap<number, number>;
  onReceipts: (entry: BookedEntry, from: HTMLElement) => void;
  onDelete: (entry: BookedEntry, from: HTMLElement) => void;
};

const textColumns: Record<EntryText, Column<BookedEntry>> = {
  description: {
    key: 'description',
    header: ENTRY_TEXT_FIELDS.description.label,
    width: '38%',
    isRowHeader: true,
    className: 'min-w-32 wrap-anywhere',
    cell: ({ type, description }) => (
      <>
        <TypeBadge type={type} /> <Description text={description} />
      </>
    ),
  },
};

export function entryColumns({ today, counts, onReceipts, onDelete }: Actions): Column<BookedEntry>[] {
  return [
    {
      key: 'date',
      header: '날짜',
      width: '14%',
      className: 'whitespace-nowrap',
      cell: ({ datetime }) => (
        <>
          <time dateTime={datetime}>{dayText(datetime)}</time>{' '}
          <DateMark mark={dateMark({ datetime }, today)} />
        </>
      ),
    },
    ...Object.values(textColumns),
    {
      key: 'amount',
      header: '금액',
      width: '14%',
      align: 'end',
      className: 'whitespace-nowrap',
      cell: ({ amount, type }) => (
        <span className={type === 'deposit' ? 'text-accent' : ''}>{signedText(amount)}</span>
      ),
    },
    {
      key: 'balance',
      header: '잔액',
      width: '14%',
      align: 'end',
      className: 'whitespace-nowrap font-semibold',
      cell: ({ balance }) => <span className={balance < 0n ? 'text-danger' : ''}>{wonText(balance)}</span>,
    },
    {
      key: 'receipts',
      header: '영수증',
      width: '11%',
      className: 'whitespace-nowrap',
      cell: (entry) => {
        const count = counts.get(entry.id) ?? 0;
        const words = count === 0 ? '추가' : `${count}개`;
        return (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`${descriptionText(entry.description)} 영수증 ${words}`}
            onClick={(event) => onReceipts(entry, event.currentTarget)}
          >
            <span className={count === 0 ? 'text-ink-soft' : ''}>{words}</span>
          </Button>
        );
      },
    },
    deleteColumn({
      label: ({ description }) => `${descriptionText(description)} 삭제`,
      onDelete,
      width: '9%',
    }),
  ];
}

/** The description, which may be empty. */
export function Description({ text }: { text: string }) {
  const shown = descriptionText(text);
  if (shown === text) return shown;
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

function TypeBadge({ type }: Pick<BookedEntry, 'type'>) {
  const colours = type === 'deposit' ? 'bg-accent-wash text-accent' : 'bg-sunken text-ink-soft';
  return (
    <span data-aside className={`mr-1 rounded-sm px-1.5 py-0.5 text-xs font-semibold ${colours}`}>
      {typeLabels[type]}
    </span>
  );
}
