import type { DuesPayment } from '#contract/dues';
import type { EntryWithBalance } from '#contract/ledger';
import { termText, type Term } from '#contract/terms';
import { useMemo, useState, type FormEvent } from 'react';
import { DialogFrame } from '../../../components/dialog-frame.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { DialogFooter } from '../../../components/ui/dialog.tsx';
import { dayText, descriptionText, signedWonText, wonText } from '../labels.ts';
import { amountCellProblem, readAmount } from '../read-cell.ts';
import { candidateDeposits, mentionsName } from './match-dues.ts';
import {
  payerText,
  paymentsByEntry,
  unusedDeposit,
  paymentShare,
  mostFrequentShare,
  type ShownDue,
} from './dues-list.ts';

type Props = {
  due: ShownDue;
  dues: readonly ShownDue[];
  entries: readonly EntryWithBalance[];
  /** The payments of all semesters. */
  payments: readonly DuesPayment[];
  term: Term;
  /** Without a share, the whole deposit is used. */
  onChoose: (entryId: number, share?: number) => void;
  onClose: () => void;
  returnFocusTo: HTMLElement;
};

/** A deposit, the payments that use it, and its unused rest in won. */
type Offer = { entry: EntryWithBalance; takers: DuesPayment[]; rest: number };

const LINE =
  'flex min-h-11 flex-wrap items-center justify-between gap-x-3 px-3 py-1.5 text-left text-sm tabular-nums';

/**
 * Asks which deposit paid a person's dues. Shows other payments from each deposit; a used-up deposit cannot
 * be chosen. If a deposit exceeds the usual dues, asks how much of the deposit to use.
 */
export function PayDialog({ due, dues, entries, payments, term, onChoose, onClose, returnFocusTo }: Props) {
  const { id, name } = due;
  const [divided, setDivided] = useState<Offer>();
  const offers = useMemo(() => {
    const paid = paymentsByEntry(payments);
    const all = candidateDeposits(name, entries, term).map((entry): Offer => {
      const takers = (paid.get(entry.id) ?? []).filter(({ due_id }) => due_id !== id);
      return { entry, takers, rest: unusedDeposit(entry, takers) };
    });
    return [...all.filter(({ rest }) => rest > 0), ...all.filter(({ rest }) => rest <= 0)];
  }, [id, name, entries, term, payments]);
  const usual = mostFrequentShare(dues);
  const choose = (offer: Offer) => {
    const { entry, takers, rest } = offer;
    if (usual !== undefined && rest > usual) setDivided(offer);
    else if (takers.length > 0) onChoose(entry.id, rest);
    else onChoose(entry.id);
  };
  return (
    <DialogFrame
      title={`${name} 님의 납부 내역을 선택하세요`}
      isChoice
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      {divided ? (
        <ShareForm
          name={name}
          entry={divided.entry}
          rest={divided.rest}
          usual={usual}
          onSubmit={(share) => onChoose(divided.entry.id, share === divided.entry.amount ? undefined : share)}
          onBack={() => setDivided(undefined)}
        />
      ) : (
        <>
          <p className="mt-1 text-sm text-ink-soft">
            {termText(term)} 앞뒤의 입금 내역입니다. 여러 사람이 한 번에 보낸 입금은 나누어 처리합니다.
          </p>
          {offers.length === 0 ? (
            <p className="mt-4 rounded-md border border-dashed border-line px-4 py-3 text-ink-soft">
              입금 내역이 없습니다. 내역 탭에서 먼저 추가하세요.
            </p>
          ) : (
            <ul
              aria-label="입금 내역"
              className="mt-4 max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line"
            >
              {offers.map((offer) => (
                <OfferLine
                  key={offer.entry.id}
                  offer={offer}
                  isNamed={mentionsName(offer.entry, name)}
                  onChoose={() => choose(offer)}
                  onDivide={() => setDivided(offer)}
                />
              ))}
            </ul>
          )}
          <DialogFooter className="mt-6">
            <Button variant="outline" onClick={onClose}>
              닫기
            </Button>
          </DialogFooter>
        </>
      )}
    </DialogFrame>
  );
}

type LineProps = { offer: Offer; isNamed: boolean; onChoose: () => void; onDivide: () => void };

function OfferLine({ offer: { entry, takers, rest }, isNamed, onChoose, onDivide }: LineProps) {
  const words = `${dayText(entry.datetime)} ${descriptionText(entry.description)}`;
  const taken = takers.map((payment) =>
    paymentShare(payment, entry) === entry.amount
      ? payerText(payment)
      : `${payerText(payment)} ${wonText(paymentShare(payment, entry))}`,
  );
  const text = (
    <>
      <span>
        {words}
        {isNamed && rest > 0 && (
          <span className="ml-2 rounded-sm bg-accent-wash px-1.5 py-0.5 text-xs font-semibold text-accent">
            이름 일치
          </span>
        )}
      </span>
      <span className="font-semibold">{signedWonText(entry.amount)}</span>
      {taken.length > 0 && (
        <span className="w-full text-xs text-ink-soft">
          {taken.join(', ')} 회비로 쓰임{rest > 0 && ` · ${wonText(rest)} 남음`}
        </span>
      )}
    </>
  );
  if (rest <= 0) return <li className={`${LINE} bg-sunken text-ink-soft`}>{text}</li>;
  return (
    <li className="flex items-center">
      <button
        type="button"
        onClick={onChoose}
        className={`${LINE} min-w-0 grow outline-offset-[-2px] hover:bg-sunken`}
      >
        {text}
      </button>
      <Button
        variant="ghost"
        size="sm"
        className="mr-1"
        aria-label={`${words} 나누어 쓰기`}
        onClick={onDivide}
      >
        나누기
      </Button>
    </li>
  );
}

type ShareFormProps = {
  name: string;
  entry: EntryWithBalance;
  /** The unused rest of the deposit, in won. */
  rest: number;
  /** The usual payment of one person, in won. */
  usual: number | undefined;
  onSubmit: (share: number) => void;
  onBack: () => void;
};

/** Why the share is invalid; undefined if it is valid. */
export function shareProblem(text: string, rest: number): string | undefined {
  const share = readAmount(text);
  if (share !== undefined && share < 1) return '금액은 0보다 커야 합니다';
  const problem = amountCellProblem(text);
  if (problem !== undefined || share === undefined) return problem;
  return share > rest ? `${wonText(rest)}까지 쓸 수 있습니다` : undefined;
}

const focusOn = (element: HTMLElement | null) => element?.focus();

/** Asks for the share of a deposit that pays one person's dues. */
function ShareForm({ name, entry, rest, usual, onSubmit, onBack }: ShareFormProps) {
  const [text, setText] = useState(String(Math.min(usual ?? rest, rest)));
  const [isTold, setTold] = useState(false);
  const problem = shareProblem(text, rest);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTold(true);
    const share = readAmount(text);
    if (problem === undefined && share !== undefined) onSubmit(share);
  };
  return (
    <form noValidate onSubmit={submit} className="mt-4 space-y-4">
      <p className="text-sm text-ink-soft tabular-nums">
        {dayText(entry.datetime)} {descriptionText(entry.description)} · {wonText(entry.amount)} 중{' '}
        {wonText(rest)} 남음
      </p>
      <TextField
        label={`${name} 님의 회비 (원)`}
        inputMode="numeric"
        autoComplete="off"
        ref={focusOn}
        value={text}
        error={isTold ? problem : undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={onBack}>
          다른 입금 선택
        </Button>
        <Button type="submit">납부 처리</Button>
      </div>
    </form>
  );
}
