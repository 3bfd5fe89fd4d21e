import {
  type EntryWithBalance,
  type Receipt,
  RECEIPT_BYTES_MAX,
  RECEIPT_TYPES,
  RECEIPTS_PER_ENTRY,
} from '#contract/ledger';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { Label } from '../../../components/ui/label.tsx';
import { MissingPart } from '../../../components/part-state.tsx';
import { addReceiptMutation, deleteReceiptMutation, receiptsQuery, receiptUrl } from '../queries.ts';
import { dayText, descriptionText, signedWonText } from '../labels.ts';

type Props = { entry: EntryWithBalance; onClose: () => void; returnFocusTo: HTMLElement };

export function ReceiptsDialog({ entry, onClose, returnFocusTo }: Props) {
  const receipts = useQuery(receiptsQuery);
  const own = (receipts.data ?? []).filter(({ entry_id }) => entry_id === entry.id);
  return (
    <DialogFrame
      title={`${descriptionText(entry.description)} 영수증`}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      <p className="mt-1 text-sm text-ink-soft tabular-nums">
        {dayText(entry.datetime)} · {signedWonText(entry.amount)}
      </p>
      <div className="mt-4 space-y-4">
        {!receipts.data && (
          <MissingPart of={receipts} text="영수증을 불러오지 못했습니다." rows={1} className="h-20" />
        )}
        {receipts.data && own.length === 0 && <p className="text-ink-soft">영수증이 없습니다.</p>}
        {own.length > 0 && (
          <ul className="space-y-3">
            {own.map((receipt) => (
              <ReceiptItem key={receipt.id} receipt={receipt} />
            ))}
          </ul>
        )}
        {receipts.data && own.length < RECEIPTS_PER_ENTRY && <AddReceipt entryId={entry.id} />}
      </div>
      <DialogFooter className="mt-6">
        <Button variant="outline" onClick={onClose}>
          닫기
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}

function ReceiptItem({ receipt: { id, name, type, size } }: { receipt: Receipt }) {
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending } = useMutation(deleteReceiptMutation);
  const url = receiptUrl(id);
  return (
    <li className="rounded-md border border-line p-3">
      {type !== 'application/pdf' && (
        <a href={url} target="_blank" rel="noreferrer" className="mb-3 block">
          <img src={url} alt={name} className="max-h-64 w-full rounded-sm bg-sunken object-contain" />
          <span className="text-sm">(새 창)</span>
        </a>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <a href={url} download={name} className="text-link min-w-0 wrap-anywhere">
          {name}
        </a>
        <span className="text-sm text-ink-soft tabular-nums">{sizeText(size)}</span>
        {isAsked ? (
          <span className="flex gap-1">
            <Button variant="ghost" size="sm" onClick={() => setAsked(false)}>
              취소
            </Button>
            <Button variant="destructive" size="sm" aria-disabled={isPending} onClick={() => mutate(id)}>
              삭제 확인
            </Button>
          </span>
        ) : (
          <Button
            variant="destructive-ghost"
            size="sm"
            aria-label={`${name} 삭제`}
            onClick={() => setAsked(true)}
          >
            삭제
          </Button>
        )}
      </div>
    </li>
  );
}

function AddReceipt({ entryId }: { entryId: number }) {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending } = useMutation(addReceiptMutation);
  const choose = (file: File | undefined) => {
    if (!file || isPending) return;
    const isTooLarge = file.size > RECEIPT_BYTES_MAX;
    setProblem(isTooLarge ? '10 MB까지 올릴 수 있습니다.' : undefined);
    if (!isTooLarge) mutate({ entryId, file });
  };
  return (
    <div>
      <Label htmlFor={id}>영수증 추가</Label>
      <input
        id={id}
        type="file"
        accept={RECEIPT_TYPES.join(',')}
        aria-describedby={`${id}-hint`}
        disabled={isPending}
        onChange={(event) => {
          choose(event.currentTarget.files?.[0]);
          // Without this reset, choosing the same file again fires no event.
          event.currentTarget.value = '';
        }}
        className="mt-1.5 block w-full text-sm file:mr-3 file:min-h-9 file:cursor-pointer file:rounded-md file:border file:border-solid file:border-line-strong file:bg-surface file:px-3 file:font-semibold file:text-ink"
      />
      <p
        id={`${id}-hint`}
        aria-live="polite"
        className={`mt-1.5 text-sm ${problem === undefined ? 'text-ink-soft' : 'text-danger'}`}
      >
        {problem ??
          (isPending ? '올리는 중입니다.' : `JPEG, PNG, WebP, PDF · 10 MB까지 · ${RECEIPTS_PER_ENTRY}개까지`)}
      </p>
    </div>
  );
}

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
