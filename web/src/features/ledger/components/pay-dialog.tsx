import type { BookedEntry } from '#contract/ledger';
import { useMemo } from 'react';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { candidatesFor, names } from '../dues-list.ts';
import { termText, type Term } from '../totals.ts';
import { dayText, signedText } from '../words.ts';

type Props = {
  name: string;
  entries: readonly BookedEntry[];
  term: Term;
  onChoose: (entryId: number) => void;
  onClose: () => void;
  returnFocusTo: HTMLElement;
};

/** Asks by which deposit somebody has paid. One deposit may pay for several people. */
export function PayDialog({ name, entries, term, onChoose, onClose, returnFocusTo }: Props) {
  const candidates = useMemo(() => candidatesFor(name, entries, term), [name, entries, term]);
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
          {candidates.map((entry) => (
            <li key={entry.id}>
              <button
                type="button"
                onClick={() => onChoose(entry.id)}
                className="flex min-h-11 w-full flex-wrap items-center justify-between gap-x-3 px-3 py-1.5 text-left text-sm tabular-nums outline-offset-[-2px] hover:bg-sunken"
              >
                <span>
                  {dayText(entry.datetime)} {entry.description}
                  {names(entry, name) && (
                    <span className="ml-2 rounded-sm bg-accent-wash px-1.5 py-0.5 text-xs font-semibold text-accent">
                      이름 일치
                    </span>
                  )}
                </span>
                <span className="font-semibold">{signedText(entry.amount)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-6 flex justify-end">
        <Button look="outline" onClick={onClose}>
          닫기
        </Button>
      </div>
    </DialogFrame>
  );
}
