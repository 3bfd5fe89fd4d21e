import type { BookedEntry } from '#contract/ledger';
import { useState, type FormEvent } from 'react';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { dayText, descriptionText, wonText } from '../labels.ts';
import { amountCellProblem, readAmount } from '../read-cell.ts';

type Props = {
  name: string;
  entry: BookedEntry;
  /** What is left of the deposit, in won. */
  rest: number;
  /** What one person usually pays. */
  usual: number | undefined;
  onSubmit: (share: number) => void;
  onBack: () => void;
};

/** Why a share cannot be this; undefined when it can. */
export function shareProblem(text: string, rest: number): string | undefined {
  const share = readAmount(text);
  if (share !== undefined && share < 1) return '금액은 0보다 커야 합니다';
  const problem = amountCellProblem(text);
  if (problem !== undefined || share === undefined) return problem;
  return share > rest ? `${wonText(rest)}까지 쓸 수 있습니다` : undefined;
}

const focusOn = (element: HTMLElement | null) => element?.focus();

/** How much of a deposit pays one person's dues. */
export function ShareForm({ name, entry, rest, usual, onSubmit, onBack }: Props) {
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
          다른 입금 고르기
        </Button>
        <Button type="submit">납부 처리</Button>
      </div>
    </form>
  );
}
