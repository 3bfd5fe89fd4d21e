import type { LedgerEntry } from '#contract/ledger';
import type { ReactNode } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { dayText, descriptionText, signedWonText } from '../labels.ts';
import type { CheckedStatementRow, StatementRow } from './ledger-kind.ts';
import { DIRECTION_MISSING } from './statement-amount.ts';

export function CountNotice({ count, text }: { count: number; text: string }) {
  if (count === 0) return null;
  return (
    <span className="ml-2 rounded-sm bg-notice-wash px-1.5 py-0.5 font-semibold text-notice">
      {text} {count}건
    </span>
  );
}

type SignProps = {
  rows: readonly CheckedStatementRow[];
  chosen: readonly StatementRow[];
  onSpent: () => void;
};

/**
 * Says which amounts have no sign, and offers to read all of them as withdrawals.
 * @param chosen the rows that will be stored
 */
export function SignNotices({ rows, chosen, onSpent }: SignProps) {
  const undirected = rows.filter(({ errors }) =>
    errors.some(({ reason }) => reason === DIRECTION_MISSING),
  ).length;
  const unsigned = chosen.filter(({ isUnsigned }) => isUnsigned).length;
  const signed = chosen.filter(({ entry }) => entry.amount < 0).length;
  const isAll = unsigned + signed === chosen.length;
  return (
    <>
      {undirected > 0 && (
        <SignNotice answer={chosen.length === 0 && '모두 출금으로 읽기'} onSpent={onSpent}>
          입금인지 출금인지 알 수 없는 금액이 {undirected}건 있습니다.
        </SignNotice>
      )}
      {unsigned > 0 && signed === 0 && (
        <SignNotice answer={isAll && '모두 출금으로 읽기'} onSpent={onSpent}>
          부호가 없는 금액 {unsigned}건을 입금으로 읽었습니다.
        </SignNotice>
      )}
      {unsigned > 0 && signed > 0 && (
        <SignNotice answer={isAll && '반대로 읽기'} onSpent={onSpent}>
          부호가 없는 금액 {unsigned}건을 입금, 빼기 기호가 있는 {signed}건을 출금으로 읽었습니다.
        </SignNotice>
      )}
    </>
  );
}

type NoticeProps = { answer: string | false; onSpent: () => void; children: ReactNode };

function SignNotice({ answer, onSpent, children }: NoticeProps) {
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-2 text-sm text-notice">
      {children}
      {answer !== false && (
        <Button variant="outline" size="sm" onClick={onSpent}>
          {answer}
        </Button>
      )}
    </p>
  );
}

/** Names stored entries that a newer copy of the same statement no longer has. */
export function MissingEntries({ missing }: { missing: readonly LedgerEntry[] }) {
  return (
    <details open={missing.length <= 5} className="mb-3 rounded-md border border-line text-sm">
      <summary className="min-h-10 cursor-pointer px-4 py-2 text-notice">
        같은 기간에 저장되어 있지만 이 파일에는 없는 내역이 {missing.length}건 있습니다. 여기서 지우지는
        않습니다.
      </summary>
      <ul className="space-y-1 px-4 pb-3 tabular-nums wrap-anywhere">
        {missing.map(({ id, datetime, description, amount }) => (
          <li key={id}>
            {dayText(datetime)} {descriptionText(description)} {signedWonText(amount)}
          </li>
        ))}
      </ul>
    </details>
  );
}
