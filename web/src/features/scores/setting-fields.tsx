import { type ReactNode, useId, useState } from 'react';
import { Label } from '../../components/ui/label.tsx';
import { parseNumber } from '../../lib/form-problems.ts';

type NumberProps = {
  label: string;
  /** Whether the label is hidden, because a heading above has the same text. */
  isLabelHidden?: boolean;
  /** Places the label before the field. */
  isInline?: boolean;
  /** Shown after the number. */
  unit: string;
  /** Undefined if the field is empty. */
  value: number | undefined;
  min: number;
  max: number;
  /** Whether the field may be empty. */
  isOptional?: boolean;
  /** Number of decimal places; unlimited if undefined. */
  places?: 0 | 1;
  /** Returns what the field displays for a value until the user types another value. */
  shownAs?: (value: number) => number;
  /** Only called for numbers within the limits. `visit` changes each time the field gets the focus. */
  onChange: (value: number | undefined, visit: number) => void;
};

/** A number field that applies valid input while typing. Invalid input stays, with a message. */
export function NumberField({
  label,
  isLabelHidden = false,
  isInline = false,
  unit,
  value,
  min,
  max,
  isOptional = false,
  places,
  shownAs,
  onChange,
}: NumberProps) {
  const id = useId();
  const [draft, setDraft] = useState<{ text: string; of: number | undefined }>();
  const [visit, setVisit] = useState(0);
  // An undo changes the number, so the typed text is no longer valid.
  const text =
    draft && Object.is(draft.of, value)
      ? draft.text
      : value === undefined
        ? ''
        : String(shownAs?.(value) ?? value);
  const isRight = (number: number | undefined) =>
    number === undefined
      ? isOptional
      : number >= min && number <= max && (places === undefined || Number(number.toFixed(places)) === number);
  const type = (typed: string) => {
    const number = numberOf(typed);
    const isTaken = isRight(number);
    setDraft({ text: typed, of: isTaken ? number : value });
    if (isTaken && number !== value) onChange(number, visit);
  };
  const number = numberOf(text);
  const isWrong = !isRight(number);
  return (
    <div className={isInline ? 'flex flex-wrap items-center gap-1.5' : undefined}>
      <Label htmlFor={id} className={isLabelHidden ? 'sr-only' : undefined}>
        {label}
      </Label>
      <div className={`flex items-center gap-1.5 ${isLabelHidden || isInline ? '' : 'mt-1'}`}>
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
          {min}에서 {max} 사이의 {numberKinds[places ?? 'any']} 입력하세요.
        </p>
      )}
    </div>
  );
}

const numberKinds = { 0: '정수를', 1: '소수점 아래 한 자리까지의 숫자를', any: '숫자를' };

/** Undefined for an empty field, NaN for invalid input. */
function numberOf(typed: string): number | undefined {
  return typed.trim() === '' ? undefined : parseNumber(typed);
}

export function SettingGroup({
  title,
  note,
  children,
}: {
  title: string;
  note?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 font-bold">
        {title}
      </h2>
      {note !== undefined && <p className="mb-2 text-sm text-ink-soft">{note}</p>}
      {children}
    </section>
  );
}
