import { seoulDay } from '#contract/time';
import { useId } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { seoulDayStart } from '../../../lib/seoul-time.ts';
import { useNow } from '../../../lib/server-time.ts';
import { dayProblems, FIRST_DAY, type Days, type Stretch } from '../range.ts';

type Props = { shown: Stretch; onStretch: (stretch: Stretch) => void };

/** Whole calendar days, up to today. */
export function DayPicker({ shown, onStretch }: Props) {
  const today = seoulDay(useNow(60_000));
  const noteId = useId();
  const { form, field } = useDraft<Days>({
    start: () => {
      // Midnight belongs to the day before.
      const last = seoulDay(shown.to - 1);
      return { first: seoulDay(shown.from), last: last < today ? last : today };
    },
    problemsOf: (days) => dayProblems(days, today),
    send: ({ first, last }) => {
      onStretch({ from: Date.parse(seoulDayStart(first)), to: Date.parse(seoulDayStart(last, 1)) });
      return undefined;
    },
  });
  const fields = [
    { label: '시작일', ...field('first') },
    { label: '종료일', ...field('last') },
  ];
  const problem = fields.find(({ error }) => error !== undefined)?.error;
  return (
    <search>
      <form {...form}>
        <div className="flex flex-wrap items-end gap-2">
          {fields.map(({ label, error, ...input }) => (
            <label key={input.name} className="text-sm font-semibold">
              {label}
              <input
                type="date"
                min={FIRST_DAY}
                max={today}
                aria-invalid={error !== undefined || undefined}
                aria-describedby={error === undefined ? undefined : noteId}
                className="mt-1 block min-h-10 rounded-md border border-line-strong bg-surface px-3 font-normal tabular-nums aria-invalid:border-danger"
                {...input}
              />
            </label>
          ))}
          <Button type="submit" size="sm" className="min-h-10">
            보기
          </Button>
        </div>
        <p id={noteId} aria-live="polite" className={problem && 'mt-1.5 text-sm text-danger'}>
          {problem}
        </p>
      </form>
    </search>
  );
}
