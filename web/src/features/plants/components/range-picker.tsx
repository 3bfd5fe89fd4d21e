import { seoulDay } from '#contract/time';
import { useId, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { seoulDayStart } from '../../../lib/seoul-time.ts';
import { serverNow, useNow } from '../../../lib/server-time.ts';
import { endsAtNow } from '../chart-plot.ts';
import {
  dayProblems,
  EARLIEST_DAY,
  moveRange,
  RANGES,
  zoomRange,
  type Days,
  type RangeName,
  type TimeSpan,
} from '../range.ts';
import { useRoundedNow } from '../use-live.ts';

type Props = {
  range: RangeName;
  /** The time range that the user selected instead of a named range; undefined for a named range. */
  chosen: TimeSpan | undefined;
  /** The time range in the chart. */
  shown: TimeSpan;
  onRange: (range: RangeName) => void;
  onStretch: (stretch: TimeSpan) => void;
};

const ZOOM = 2;
const MOVE = 0.5;

export function RangePicker({ range, chosen, shown, onRange, onStretch }: Props) {
  const [isCustom, setCustom] = useState(false);
  const now = useRoundedNow(shown.to - shown.from);
  const isAtNow = !chosen || endsAtNow(chosen, now);
  const isEverything = !chosen && range === 'all';
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 xl:ml-auto">
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">기간</legend>
          {RANGES.map(({ name, label }) => (
            <label
              key={name}
              className="flex min-h-10 cursor-pointer items-center rounded-md px-2.5 text-sm font-semibold text-ink-soft hover:bg-sunken hover:text-ink has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="range"
                value={name}
                checked={!chosen && name === range}
                onChange={() => onRange(name)}
                className="sr-only"
              />
              {label}
            </label>
          ))}
        </fieldset>
        <div className="flex flex-wrap gap-1">
          <Button
            variant="outline"
            size="sm"
            aria-expanded={isCustom}
            onClick={() => setCustom(!isCustom)}
            className="min-h-10"
          >
            기간 지정
          </Button>
          <fieldset className="flex gap-1">
            <legend className="sr-only">차트 이동과 확대</legend>
            {[
              { label: '이전', change: () => moveRange(shown, -MOVE, serverNow()) },
              { label: '다음', change: () => moveRange(shown, MOVE, serverNow()), isOver: isAtNow },
              { label: '확대', change: () => zoomRange(shown, 1 / ZOOM, serverNow()) },
              { label: '축소', change: () => zoomRange(shown, ZOOM, serverNow()), isOver: isEverything },
            ].map(({ label, change, isOver = false }) => (
              <Button
                key={label}
                variant="outline"
                size="sm"
                aria-disabled={isOver}
                onClick={() => !isOver && onStretch(change())}
                className="min-h-10"
              >
                {label}
              </Button>
            ))}
          </fieldset>
        </div>
      </div>
      {isCustom && <DayPicker shown={shown} onStretch={onStretch} />}
    </>
  );
}

type DayProps = { shown: TimeSpan; onStretch: (stretch: TimeSpan) => void };

/** Whole calendar days, up to today. */
function DayPicker({ shown, onStretch }: DayProps) {
  const today = seoulDay(useNow(60_000));
  const noteId = useId();
  const { form, field } = useDraft<Days>({
    start: () => {
      // If a range ends at midnight, its last day is the day before.
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
    <search className="order-last w-full">
      <form {...form}>
        <div className="flex flex-wrap items-end gap-2">
          {fields.map(({ label, error, ...input }) => (
            <label key={input.name} className="text-sm font-semibold">
              {label}
              <input
                type="date"
                min={EARLIEST_DAY}
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
