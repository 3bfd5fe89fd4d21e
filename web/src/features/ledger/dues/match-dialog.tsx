import type { DuesPaymentForm, DuesPayment } from '#contract/dues';
import type { BookedEntry } from '#contract/ledger';
import { termText, type Term } from '#contract/terms';
import { useMemo, useState } from 'react';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { dayText, descriptionText, wonText } from '../labels.ts';
import { duesPaymentFormOf, type ShownDue } from './dues-list.ts';
import { matchDues } from './match-dues.ts';
import { toggleItem } from '../../../lib/collections.ts';

type Props = {
  dues: readonly ShownDue[];
  entries: readonly BookedEntry[];
  /** The payments of all semesters. */
  payments: readonly DuesPayment[];
  term: Term;
  onSubmit: (payments: DuesPaymentForm[]) => void;
  onClose: () => void;
  returnFocusTo: HTMLElement;
};

/** Deposits with the names of people who have not paid, to record all at once. Certain matches are ticked. */
export function MatchDialog({ dues, entries, payments, term, onSubmit, onClose, returnFocusTo }: Props) {
  const matches = useMemo(() => matchDues(dues, entries, payments, term), [dues, entries, payments, term]);
  const [flipped, setFlipped] = useState<ReadonlySet<ShownDue>>(new Set());
  const chosen = matches.filter(({ due, isSure }) => isSure !== flipped.has(due));
  const sum = chosen.reduce((all, { share }) => all + share, 0);
  const unmatched = dues.filter(({ entry_id }) => entry_id === null).length - matches.length;
  return (
    <DialogFrame
      title={`${termText(term)} 회비와 입금 내역 대조`}
      className="max-w-[560px]"
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      {matches.length === 0 ? (
        <p className="mt-4 rounded-md border border-dashed border-line px-4 py-3 text-ink-soft">
          미납자의 이름이 적힌 입금이 없습니다. 명단에서 한 사람씩 납부 처리하세요.
        </p>
      ) : (
        <>
          <p className="mt-1 text-sm text-ink-soft">
            이름이 적힌 입금입니다. 금액이 다르거나 여러 건이 맞는 사람은 확인하고 선택하세요.
          </p>
          <ul
            aria-label="이름이 같은 입금"
            className="mt-4 max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line text-sm tabular-nums"
          >
            {matches.map(({ due, entry, share, isSure, others }) => (
              <li key={`${due.user_id}/${due.id}`}>
                <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-1.5 hover:bg-sunken">
                  <input
                    type="checkbox"
                    checked={isSure !== flipped.has(due)}
                    onChange={() => setFlipped((before) => toggleItem(before, due))}
                    className="size-4 shrink-0 accent-accent"
                  />
                  <span className="min-w-0 grow wrap-anywhere">
                    <span className="font-semibold">{due.name}</span>
                    {!isSure && (
                      <span className="ml-2 rounded-sm bg-notice-wash px-1.5 py-0.5 text-xs font-semibold text-notice">
                        확인 필요
                      </span>
                    )}
                    <span className="block text-ink-soft">
                      {dayText(entry.datetime)} {descriptionText(entry.description)}
                      {others > 0 && ` · 이 이름의 다른 입금 ${others}건`}
                    </span>
                  </span>
                  <span className="text-right whitespace-nowrap">
                    {wonText(share)}
                    {share !== entry.amount && (
                      <span className="block text-xs text-ink-soft">{wonText(entry.amount)} 중</span>
                    )}
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </>
      )}
      <p aria-live="polite" className="mt-3 text-sm tabular-nums">
        {chosen.length}명 선택 · 합계 {wonText(sum)}
        {unmatched > 0 && <span className="text-ink-soft"> · 일치하는 입금이 없는 미납자 {unmatched}명</span>}
      </p>
      <DialogFooter className="mt-4">
        <Button variant="outline" onClick={onClose}>
          닫기
        </Button>
        <Button
          disabled={chosen.length === 0}
          onClick={() =>
            onSubmit(
              chosen.map(({ due, entry, share }) =>
                duesPaymentFormOf(due, entry.id, share === entry.amount ? undefined : share),
              ),
            )
          }
        >
          {chosen.length}명 납부 처리
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}
