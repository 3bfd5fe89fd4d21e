import type { Payment } from '#contract/dues';
import type { BookedEntry } from '#contract/ledger';
import { termText, type Term } from '#contract/terms';
import { useMemo } from 'react';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { candidatesFor, names, payerText, paymentsByEntry, type ShownDue } from './dues-list.ts';
import { dayText, descriptionText, signedText } from '../labels.ts';

type Props = {
  due: ShownDue;
  entries: readonly BookedEntry[];
  /** Of every semester. */
  payments: readonly Payment[];
  term: Term;
  onChoose: (entryId: number) => void;
  onClose: () => void;
  returnFocusTo: HTMLElement;
};

const LINE =
  'flex min-h-11 w-full flex-wrap items-center justify-between gap-x-3 px-3 py-1.5 text-left text-sm tabular-nums';

/** Asks which deposit somebody has paid with. Deposits that have already paid dues are shown but cannot be chosen. */
export function PayDialog({ due, entries, payments, term, onChoose, onClose, returnFocusTo }: Props) {
  const { name } = due;
  const paid = useMemo(() => paymentsByEntry(payments), [payments]);
  const candidates = useMemo(() => {
    const all = candidatesFor(name, entries, term);
    return [...all.filter(({ id }) => !paid.has(id)), ...all.filter(({ id }) => paid.has(id))];
  }, [name, entries, term, paid]);
  return (
    <DialogFrame title={`${name} 님의 납부 내역을 고르세요`} onClose={onClose} returnFocusTo={returnFocusTo}>
      <p className="mt-1 text-sm text-ink-soft">{termText(term)} 앞뒤의 입금 내역입니다.</p>
      {candidates.length === 0 ? (
        <p className="mt-4 rounded-md border border-dashed border-line px-4 py-3 text-ink-soft">
          입금 내역이 없습니다. 내역 탭에서 먼저 추가하세요.
        </p>
      ) : (
        <ul
          aria-label="입금 내역"
          className="mt-4 max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line"
        >
          {candidates.map((entry) => {
            const payers = paid.get(entry.id);
            return (
              <li key={entry.id}>
                {payers ? (
                  <div className={`${LINE} bg-sunken text-ink-soft`}>
                    <Deposit entry={entry} />
                    <span className="w-full text-xs">{payers.map(payerText).join(', ')} 회비로 쓰임</span>
                  </div>
                ) : (
                  <button
                    type="button"
                    onClick={() => onChoose(entry.id)}
                    className={`${LINE} outline-offset-[-2px] hover:bg-sunken`}
                  >
                    <Deposit entry={entry} isNamed={names(entry, name)} />
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      <DialogFooter className="mt-6">
        <Button variant="outline" onClick={onClose}>
          닫기
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}

function Deposit({ entry, isNamed = false }: { entry: BookedEntry; isNamed?: boolean }) {
  return (
    <>
      <span>
        {dayText(entry.datetime)} {descriptionText(entry.description)}
        {isNamed && (
          <span className="ml-2 rounded-sm bg-accent-wash px-1.5 py-0.5 text-xs font-semibold text-accent">
            이름 일치
          </span>
        )}
      </span>
      <span className="font-semibold">{signedText(entry.amount)}</span>
    </>
  );
}
