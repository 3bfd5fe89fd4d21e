import type { BookedEntry } from '#contract/ledger';
import { runningTerm } from '#contract/terms';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { payerText } from '../dues/dues-list.ts';
import { duesQuery } from '../queries.ts';
import { serverNow } from '../../../lib/server-time.ts';

/** Names the people whose dues deposits have paid before they are deleted, because they would become unpaid. */
export function PaidDues({ entries }: { entries: readonly BookedEntry[] }) {
  // Each list contains the payments of all semesters; entries of unsupported years have none.
  const [term] = useState(() => runningTerm(serverNow()));
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
