import type { Column } from '../../../components/table-column.ts';
import { Button } from '../../../components/ui/button.tsx';
import { DateMark } from '../book/timeline-lines.tsx';
import { dateMark, dayText, descriptionText, entryTypeLabels, signedWonText, wonText } from '../labels.ts';
import type { BalanceGap, Duplicate } from './import-plan.ts';
import type { CheckedStatementRow } from './ledger-kind.ts';

type Remarks = {
  today: string;
  /** The stored entry that a row probably repeats, by line; `gaps` has wrong balances, by line. */
  twins: ReadonlyMap<number, Duplicate>;
  gaps: ReadonlyMap<number, BalanceGap>;
  /** What the comparison of the rows with each other has found, by line. */
  found: ReadonlyMap<number, string>;
  /** The suggested category of each row that has no category, by line. */
  suggested: ReadonlyMap<number, string>;
  onCategory: (line: number, category: string) => void;
};

/** Columns that show what happens to each row and what is unusual about it. */
export function remarkColumns(remarks: Remarks): Column<CheckedStatementRow>[] {
  const { today, twins, gaps, found, suggested, onCategory } = remarks;
  return [
    {
      key: 'entry',
      header: '추가할 내역',
      width: '16%',
      className: 'min-w-40 wrap-anywhere',
      cell: ({ row }) =>
        row && (
          <>
            {dayText(row.entry.datetime)} {entryTypeLabels[row.entry.amount > 0 ? 'deposit' : 'withdraw']}{' '}
            {signedWonText(row.entry.amount)} <DateMark mark={dateMark(row.entry, today)} />
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
            <Remark twin={twins.get(line)} gap={gaps.get(line)} found={found.get(line)} />
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

const TWIN_WORDS: Record<Duplicate['likeness'], string> = {
  deleted: '지운 내역',
  same: '이미 있음',
  corrected: '이미 있음 (그 뒤에 고친 내역)',
  alike: '비슷한 내역',
  revised: '금액이 다른 내역',
  moved: '날짜가 다른 내역',
};

type RemarkProps = { twin: Duplicate | undefined; gap: BalanceGap | undefined; found: string | undefined };

function Remark({ twin, gap, found }: RemarkProps) {
  return (
    <ul className="space-y-1 text-sm text-notice">
      {twin && (
        <li>
          {TWIN_WORDS[twin.likeness]}: {descriptionText(twin.entry.description)}
          {twin.likeness === 'revised' && ` ${signedWonText(twin.entry.amount)}`}
          {twin.likeness === 'moved' && ` ${dayText(twin.entry.datetime)}`}
        </li>
      )}
      {gap && (
        <li>
          앞뒤 행으로 계산한 잔액은 {wonText(gap.expected)}입니다.{' '}
          {gap.isReversed ? '입금과 출금이 바뀐 것으로 보입니다.' : '빠진 행이 있는지 확인하세요.'}
        </li>
      )}
      {found !== undefined && <li>{found}</li>}
    </ul>
  );
}
