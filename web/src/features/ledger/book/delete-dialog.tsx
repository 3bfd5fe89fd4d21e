import type { BookedEntry } from '#contract/ledger';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { dayText, descriptionText, signedText, typeLabels } from '../labels.ts';
import { PaidDues } from './paid-dues.tsx';

type Props = {
  /** One or several. */
  entries: readonly BookedEntry[];
  returnFocusTo: HTMLElement;
  onClose: () => void;
  onSubmit: () => void;
};

/** Asks before entries are deleted: of one it names the words, of several the number and the sum. */
export function DeleteDialog({ entries, ...asked }: Props) {
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
          {dayText(datetime)} · {typeLabels[type]} {signedText(amount)}
        </p>
      ) : (
        <Sums entries={entries} />
      )}
      <PaidDues entries={entries} />
      <p>영수증과 수정 이력도 함께 삭제되며 되돌릴 수 없습니다.</p>
    </ConfirmDialog>
  );
}

function Sums({ entries }: { entries: readonly BookedEntry[] }) {
  const lines = (['deposit', 'withdraw'] as const).flatMap((type) => {
    const own = entries.filter((entry) => entry.type === type);
    return own.length === 0 ? [] : [`${typeLabels[type]} ${own.length}건 ${signedText(sumOf(own))}`];
  });
  return (
    <>
      <p className="font-semibold tabular-nums">합계 {signedText(sumOf(entries))}</p>
      <p className="tabular-nums">{lines.join(' · ')}</p>
    </>
  );
}

export const sumOf = (entries: readonly BookedEntry[]) =>
  entries.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
