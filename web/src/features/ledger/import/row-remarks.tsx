import type { CheckedRow } from '../../../components/import/import-kind.ts';
import type { Column } from '../../../components/table-column.ts';
import { Button } from '../../../components/ui/button.tsx';
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
  /** Categories of earlier entries like rows without one, by line. */
  suggested: ReadonlyMap<number, string>;
  onCategory: (line: number, category: string) => void;
};

/** What becomes of each row, and what is remarkable about it. */
export function remarkColumns({ today, twins, gaps, suggested, onCategory }: Remarks): Column<Row>[] {
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
      cell: ({ line }) => {
        const category = suggested.get(line);
        return (
          <>
            <Remark twin={twins.get(line)} expected={gaps.get(line)} />
            {category !== undefined && (
              <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
                비슷한 내역의 분류
                <Button
                  variant="outline"
                  size="sm"
                  aria-label={`${line}행 분류 ${category} 넣기`}
                  onClick={() => onCategory(line, category)}
                >
                  {category}
                </Button>
              </p>
            )}
          </>
        );
      },
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
        <li>앞뒤 행으로 계산한 잔액은 {wonText(expected)}입니다. 빠진 행이 있는지 확인하세요.</li>
      )}
    </ul>
  );
}
