import type { DuesPaymentForm, DuesPayment } from '#contract/dues';
import type { EntryWithBalance } from '#contract/ledger';
import type { Term } from '#contract/terms';
import { useId, useMemo, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { toggleItem } from '../../../lib/collections.ts';
import { dayText, descriptionText, wonText } from '../labels.ts';
import { dueKey, duesPaymentFormOf, type ShownDue } from './dues-list.ts';
import { matchDues } from './match-dues.ts';

type Props = {
  dues: readonly ShownDue[];
  entries: readonly EntryWithBalance[];
  /** The payments of all semesters. */
  payments: readonly DuesPayment[];
  term: Term;
  isPending: boolean;
  onSubmit: (payments: DuesPaymentForm[]) => void;
};

/** Lists deposits that match people who have not paid, to record all at once. Certain matches are ticked. */
export function MatchedDeposits({ dues, entries, payments, term, isPending, onSubmit }: Props) {
  const id = useId();
  const matches = useMemo(() => matchDues(dues, entries, payments, term), [dues, entries, payments, term]);
  const [flipped, setFlipped] = useState<ReadonlySet<string>>(new Set());
  const isChosen = ({ due, isSure }: (typeof matches)[number]) => isSure !== flipped.has(dueKey(due));
  const chosen = matches.filter(isChosen);
  const sum = chosen.reduce((all, { share }) => all + share, 0);
  const unmatched = dues.filter(({ entry_id }) => entry_id === null).length - matches.length;
  if (matches.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mb-4 rounded-md border border-line bg-surface text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2">
        <h2 id={id} className="font-semibold">
          입금 내역 대조
        </h2>
        <p aria-live="polite" className="grow tabular-nums">
          {chosen.length}명 선택 · 합계 {wonText(sum)}
          {unmatched > 0 && (
            <span className="text-ink-soft"> · 일치하는 입금이 없는 미납자 {unmatched}명</span>
          )}
        </p>
        <Button
          size="sm"
          disabled={chosen.length === 0}
          aria-disabled={isPending}
          onClick={() => {
            if (isPending) return;
            onSubmit(
              chosen.map(({ due, entry, share }) =>
                duesPaymentFormOf(due, entry.id, share === entry.amount ? undefined : share),
              ),
            );
          }}
        >
          {chosen.length}명 납부 처리
        </Button>
      </div>
      <ul
        aria-label="이름이 같은 입금"
        className="max-h-72 divide-y divide-line overflow-y-auto border-t border-line tabular-nums"
      >
        {matches.map((match) => {
          const { due, entry, share, isSure, others } = match;
          return (
            <li key={dueKey(due)}>
              <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-1.5 hover:bg-sunken">
                <input
                  type="checkbox"
                  checked={isChosen(match)}
                  onChange={() => setFlipped((before) => toggleItem(before, dueKey(due)))}
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
          );
        })}
      </ul>
    </section>
  );
}
