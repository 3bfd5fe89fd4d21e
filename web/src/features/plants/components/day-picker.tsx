import { seoulDay } from '#contract/time';
import { useId, useRef, useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { seoulDayStart } from '../../../lib/seoul-time.ts';
import { useNow } from '../../../lib/use-now.ts';
import { dayProblem, type Stretch } from '../range.ts';

type Props = { shown: Stretch; onStretch: (stretch: Stretch) => void };

/** Whole days of the calendar, up to today. */
export function DayPicker({ shown, onStretch }: Props) {
  const today = seoulDay(useNow(60_000));
  const [first, setFirst] = useState(() => seoulDay(shown.from));
  const [last, setLast] = useState(() => {
    // Midnight is the end of the day before.
    const day = seoulDay(shown.to - 1);
    return day < today ? day : today;
  });
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const noteId = useId();
  const found = dayProblem(first, last, today);
  const problem = isTried ? found : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(found !== undefined);
    if (found) form.current?.querySelector<HTMLElement>(`[name=${found.field}]`)?.focus();
    else onStretch({ from: Date.parse(seoulDayStart(first)), to: Date.parse(seoulDayStart(last, 1)) });
  };
  return (
    <form ref={form} noValidate onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-2">
        {(
          [
            { name: 'first', label: '첫날', value: first, change: setFirst },
            { name: 'last', label: '마지막 날', value: last, change: setLast },
          ] as const
        ).map(({ name, label, value, change }) => (
          <label key={name} className="text-sm font-semibold">
            {label}
            <input
              type="date"
              name={name}
              value={value}
              max={today}
              aria-invalid={problem?.field === name || undefined}
              aria-describedby={problem?.field === name ? noteId : undefined}
              onChange={(event) => change(event.target.value)}
              className="mt-1 block min-h-10 rounded-md border border-line-strong bg-surface px-3 font-normal tabular-nums aria-invalid:border-danger"
            />
          </label>
        ))}
        <Button type="submit" size="small" className="min-h-10">
          보기
        </Button>
      </div>
      <p id={noteId} aria-live="polite" className={problem && 'mt-1.5 text-sm text-danger'}>
        {problem?.text}
      </p>
    </form>
  );
}
