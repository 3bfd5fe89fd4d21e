import { BIN_DAYS, type BinnedEntry, type LedgerEntry, type EntryWithBalance } from '#contract/ledger';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { currentTerm } from '#contract/terms';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { MissingPart } from '../../../components/part-state.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { dayText, descriptionText, signedWonText, entryTypeLabels } from '../labels.ts';
import { findDuplicates } from '../import/import-plan.ts';
import {
  binQuery,
  entriesQuery,
  removeFromBinMutation,
  restoreEntryMutation,
  duesQuery,
} from '../queries.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { serverNow } from '../../../lib/server-time.ts';
import { payerText } from '../dues/dues-list.ts';

type DeleteEntriesDialogProps = {
  entries: readonly EntryWithBalance[];
  returnFocusTo: HTMLElement;
  onClose: () => void;
  onSubmit: () => void;
};

/** Asks before entries are deleted. Shows a single entry's text, or the number and sum of several entries. */
export function DeleteEntriesDialog({ entries, ...asked }: DeleteEntriesDialogProps) {
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

function Sums({ entries }: { entries: readonly EntryWithBalance[] }) {
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

export const sumOfEntries = (entries: readonly EntryWithBalance[]) =>
  entries.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** Lists the people whose dues these deposits paid: deleting a deposit makes its dues unpaid again. */
function PaidDues({ entries }: { entries: readonly EntryWithBalance[] }) {
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

const NONE: readonly LedgerEntry[] = [];

type Props = { onClose: () => void; returnFocusTo: HTMLElement };

/** The deleted entries that can be restored. */
export function BinDialog({ onClose, returnFocusTo }: Props) {
  const bin = useQuery(binQuery);
  const { data: entries = NONE } = useQuery(entriesQuery);
  return (
    <DialogFrame title="휴지통" onClose={onClose} returnFocusTo={returnFocusTo}>
      <p className="mt-1 text-sm text-ink-soft">
        삭제한 내역을 영수증, 수정 이력과 함께 {BIN_DAYS}일 동안 보관합니다. 회비 납부는 복원되지 않습니다.
      </p>
      {!bin.data && <MissingPart of={bin} text="휴지통을 불러오지 못했습니다." rows={3} className="h-12" />}
      {bin.data?.length === 0 && <p className="mt-4">휴지통이 비어 있습니다.</p>}
      <ul className="mt-3 divide-y divide-line">
        {bin.data?.map((entry) => (
          <BinItem key={entry.id} entry={entry} entries={entries} />
        ))}
      </ul>
      <DialogFooter className="mt-6">
        <Button variant="outline" onClick={onClose}>
          닫기
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}

function BinItem({ entry, entries }: { entry: BinnedEntry; entries: readonly LedgerEntry[] }) {
  const [asked, setAsked] = useState<'restore' | 'remove'>();
  const restoring = useMutation(restoreEntryMutation);
  const removing = useMutation(removeFromBinMutation);
  const isPending = restoring.isPending || removing.isPending;
  const name = descriptionText(entry.description);
  const twin = findDuplicates([{ line: 1, entry }], entries, []).get(1);
  const press = (what: typeof asked, isSure: boolean, { mutate }: typeof restoring) => {
    if (!isSure && asked !== what) setAsked(what);
    else if (!isPending) mutate(entry.id);
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2 text-sm tabular-nums">
      <div className="min-w-0 grow basis-48">
        <p className="wrap-anywhere">
          {dayText(entry.datetime)} {name}{' '}
          <span className="whitespace-nowrap">{signedWonText(entry.amount)}</span>
        </p>
        <p className="text-xs text-ink-soft">
          {seoulDateTime(Date.parse(entry.deleted_at))} 삭제
          {entry.receipts > 0 && ` · 영수증 ${entry.receipts}개`}
        </p>
        {twin && (
          <p className="text-xs text-notice">
            {twin.likeness === 'same' ? '같은' : '같은 날짜와 금액의'} 내역이 이미 있습니다. 복원하면 두 건이
            됩니다.
          </p>
        )}
      </div>
      <Button
        variant="outline"
        size="sm"
        aria-label={`${name} 복원${asked === 'restore' ? ' 확인' : ''}`}
        aria-disabled={isPending}
        onClick={() => press('restore', twin === undefined, restoring)}
      >
        {asked === 'restore' ? '복원 확인' : '복원'}
      </Button>
      <Button
        variant="destructive-ghost"
        size="sm"
        aria-label={`${name} 완전 삭제${asked === 'remove' ? ' 확인' : ''}`}
        aria-disabled={isPending}
        onClick={() => press('remove', false, removing)}
      >
        {asked === 'remove' ? '완전 삭제 확인' : '완전 삭제'}
      </Button>
    </li>
  );
}
