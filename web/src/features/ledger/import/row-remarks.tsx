import type { CheckedRow } from '../../../components/import/import-kind.ts';
import type { Column } from '../../../components/table-column.ts';
import { DateMark } from '../book/entry-marks.tsx';
import { dateMark, dayText, descriptionText, signedText, typeLabels, wonText } from '../labels.ts';
import type { StatementField } from './bank-profiles.ts';
import type { Twin } from './import-plan.ts';
import type { StatementRow } from './ledger-kind.ts';

type Row = CheckedRow<StatementField, StatementRow>;
type Remarks = {
  today: string;
  /** Stored entries that rows probably repeat, and balances that rows should have, by line. */
  twins: ReadonlyMap<number, Twin>;
  gaps: ReadonlyMap<number, number>;
};

/** What becomes of each row, and what is remarkable about it. */
export function remarkColumns({ today, twins, gaps }: Remarks): Column<Row>[] {
  return [
    {
      key: 'entry',
      header: '추가할 내역',
      width: '16%',
      className: 'min-w-40 wrap-anywhere',
      cell: ({ row }) =>
        row && (
          <>
            {dayText(row.entry.datetime)} {typeLabels[row.entry.amount > 0 ? 'deposit' : 'withdraw']}{' '}
            {signedText(row.entry.amount)} <DateMark mark={dateMark(row.entry, today)} />
            <span className="block text-sm text-ink-soft">{descriptionText(row.entry.description)}</span>
          </>
        ),
    },
    {
      key: 'remark',
      header: '비교',
      width: '16%',
      className: 'min-w-40 wrap-anywhere',
      cell: ({ line }) => <Remark twin={twins.get(line)} expected={gaps.get(line)} />,
    },
  ];
}

function Remark({ twin, expected }: { twin: Twin | undefined; expected: number | undefined }) {
  return (
    <ul className="space-y-1 text-sm text-notice">
      {twin && (
        <li>
          {twin.likeness === 'same' ? '이미 있음' : '비슷한 내역'}: {descriptionText(twin.entry.description)}
        </li>
      )}
      {expected !== undefined && (
        <li>앞뒤 행으로는 잔액이 {wonText(expected)}이어야 합니다. 빠진 행이 있는지 보세요.</li>
      )}
    </ul>
  );
}
