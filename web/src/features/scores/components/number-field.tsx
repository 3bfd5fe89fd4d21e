import { useId, useState } from 'react';
import { Label } from '../../../components/ui/label.tsx';
import { numberIn } from '../../../lib/form-problems.ts';

type Props = {
  label: string;
  /** Follows the number. */
  unit: string;
  /** Undefined if the field is empty. */
  value: number | undefined;
  min: number;
  max: number;
  /** Whether it may be empty. */
  isOptional?: boolean;
  isWhole?: boolean;
  /** Only called for numbers within the limits. `visit` changes each time the field gets the focus. */
  onChange: (value: number | undefined, visit: number) => void;
};

/** Applies a number while it is typed. Invalid input stays in the field with a message. */
export function NumberField({
  label,
  unit,
  value,
  min,
  max,
  isOptional = false,
  isWhole = false,
  onChange,
}: Props) {
  const id = useId();
  const [draft, setDraft] = useState<{ text: string; of: number | undefined }>();
  const [visit, setVisit] = useState(0);
  // An undo changes the number, which invalidates the draft.
  const text = draft && Object.is(draft.of, value) ? draft.text : value === undefined ? '' : String(value);
  const isRight = (number: number | undefined) =>
    number === undefined
      ? isOptional
      : number >= min && number <= max && (!isWhole || Number.isInteger(number));
  const type = (typed: string) => {
    const number = numberOf(typed);
    const isTaken = isRight(number);
    setDraft({ text: typed, of: isTaken ? number : value });
    if (isTaken && number !== value) onChange(number, visit);
  };
  const number = numberOf(text);
  const isWrong = !isRight(number);
  return (
    <div>
      <Label htmlFor={id}>{label}</Label>
      <div className="mt-1 flex items-center gap-1.5">
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? `${id}-note` : undefined}
          onChange={(event) => type(event.target.value)}
          onFocus={() => setVisit(visit + 1)}
          onBlur={() => setDraft(undefined)}
          className="block min-h-9 w-16 rounded-md border border-line-strong bg-surface px-2 text-right tabular-nums aria-invalid:border-danger"
        />
        <span className="text-sm text-ink-soft">{unit}</span>
      </div>
      {isWrong && (
        <p id={`${id}-note`} aria-live="polite" className="mt-1 text-sm text-danger">
          {min}에서 {max} 사이의 {isWhole ? '정수를' : '숫자를'} 입력하세요.
        </p>
      )}
    </div>
  );
}

/** Undefined for an empty field, NaN for invalid input. */
function numberOf(typed: string): number | undefined {
  return typed.trim() === '' ? undefined : numberIn(typed);
}
