import { BIN_DAYS, type BookedEntry } from '#contract/ledger';
import { currentTerm } from '#contract/terms';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { serverNow } from '../../../lib/server-time.ts';
import { payerText } from '../dues/dues-list.ts';
import { dayText, descriptionText, signedWonText, entryTypeLabels } from '../labels.ts';
import { duesQuery } from '../queries.ts';

type Props = {
  entries: readonly BookedEntry[];
  returnFocusTo: HTMLElement;
  onClose: () => void;
  onSubmit: () => void;
};

/** Asks before entries are deleted: shows the text of a single entry, or the number and sum of several. */
export function DeleteEntriesDialog({ entries, ...asked }: Props) {
  const [first] = entries;
  if (!first) return null;
  const { datetime, type, amount, description } = first;
  const title =
    entries.length === 1
      ? `${descriptionText(description)} 내역을 삭제할까요?`
      : `내역 ${entries.length}건을 삭제할까요?`;
  return (
    <ConfirmDialog title={title} submitLabel="삭제" isDestructive {...asked}>
      {entries.length === 1 ? (
        <p className="tabular-nums">
          {dayText(datetime)} · {entryTypeLabels[type]} {signedWonText(amount)}
        </p>
      ) : (
        <Sums entries={entries} />
      )}
      <PaidDues entries={entries} />
      <p>영수증, 수정 이력과 함께 휴지통으로 옮기며 {BIN_DAYS}일 안에 복원할 수 있습니다.</p>
    </ConfirmDialog>
  );
}

function Sums({ entries }: { entries: readonly BookedEntry[] }) {
  const lines = (['deposit', 'withdraw'] as const).flatMap((type) => {
    const own = entries.filter((entry) => entry.type === type);
    return own.length === 0
      ? []
      : [`${entryTypeLabels[type]} ${own.length}건 ${signedWonText(sumOfEntries(own))}`];
  });
  return (
    <>
      <p className="font-semibold tabular-nums">합계 {signedWonText(sumOfEntries(entries))}</p>
      <p className="tabular-nums">{lines.join(' · ')}</p>
    </>
  );
}

export const sumOfEntries = (entries: readonly BookedEntry[]) =>
  entries.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** Lists the people whose dues were paid by these deposits, because deleting would make the dues unpaid. */
function PaidDues({ entries }: { entries: readonly BookedEntry[] }) {
  // Any semester's list will do, because each list contains the payments of all semesters.
  const [term] = useState(() => currentTerm(serverNow()));
  const deposits = new Set(entries.flatMap(({ type, id }) => (type === 'deposit' ? [id] : [])));
  const dues = useQuery({ ...duesQuery(term), enabled: deposits.size > 0 });
  if (deposits.size === 0) return null;
  if (dues.isPending) return <p>회비로 쓰인 입금인지 확인하고 있습니다.</p>;
  if (!dues.data) return <p>회비로 쓰인 입금인지 확인하지 못했습니다.</p>;
  const paid = dues.data.payments.filter(({ entry_id }) => deposits.has(entry_id));
  return paid.map((payment) => (
    <p key={payment.due_id} className="font-semibold text-danger">
      {payerText(payment)} 회비로 쓰인 입금입니다. 삭제하면 미납으로 바뀝니다.
    </p>
  ));
}
