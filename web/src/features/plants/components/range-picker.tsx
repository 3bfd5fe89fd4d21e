import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { seoulDayStart } from '../../../lib/seoul-time.ts';
import { moved, RANGES, zoomed, type RangeName, type Stretch } from '../range.ts';
import { seoulDay, stretchText } from '../seoul-time.ts';

type Props = {
  range: RangeName;
  /** The stretch that was chosen in place of a range. */
  chosen: Stretch | undefined;
  /** What the chart shows now. */
  shown: Stretch;
  onRange: (range: RangeName) => void;
  onStretch: (stretch: Stretch) => void;
};

const ZOOM = 2;
const MOVE = 0.5;

export function RangePicker({ range, chosen, shown, onRange, onStretch }: Props) {
  const [isCustom, setCustom] = useState(false);
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">기간</legend>
          {RANGES.map(({ name, label }) => (
            <label
              key={name}
              className="flex min-h-10 cursor-pointer items-center rounded-md px-2.5 text-sm font-semibold text-ink-soft hover:bg-sunken sm:px-3 hover:text-ink has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
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
          <Button
            look="quiet"
            size="small"
            aria-expanded={isCustom}
            onClick={() => setCustom(!isCustom)}
            className="min-h-10"
          >
            기간 지정
          </Button>
        </fieldset>
        <fieldset className="flex gap-1">
          <legend className="sr-only">차트 이동과 확대</legend>
          {[
            { label: '이전', change: () => moved(shown, -MOVE, Date.now()) },
            { label: '다음', change: () => moved(shown, MOVE, Date.now()) },
            { label: '확대', change: () => zoomed(shown, 1 / ZOOM, Date.now()) },
            { label: '축소', change: () => zoomed(shown, ZOOM, Date.now()) },
          ].map(({ label, change }) => (
            <Button
              key={label}
              look="outline"
              size="small"
              onClick={() => onStretch(change())}
              className="min-h-10"
            >
              {label}
            </Button>
          ))}
        </fieldset>
      </div>
      {isCustom && <CustomRange shown={shown} onStretch={onStretch} />}
      {chosen && (
        <p className="flex flex-wrap items-center gap-x-3 text-sm tabular-nums">
          <span data-stretch="">{stretchText(chosen.from, chosen.to)}</span>
          <Button look="quiet" size="small" onClick={() => onRange(range)}>
            구간 해제
          </Button>
        </p>
      )}
    </div>
  );
}

type CustomProps = { shown: Stretch; onStretch: (stretch: Stretch) => void };

function CustomRange({ shown, onStretch }: CustomProps) {
  const [first, setFirst] = useState(() => seoulDay(shown.from));
  const [last, setLast] = useState(() => seoulDay(shown.to));
  const isRight = first !== '' && last !== '' && first <= last;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isRight) return;
    onStretch({ from: Date.parse(seoulDayStart(first)), to: Date.parse(seoulDayStart(last, 1)) });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      {[
        { label: '첫날', value: first, change: setFirst },
        { label: '마지막 날', value: last, change: setLast },
      ].map(({ label, value, change }) => (
        <label key={label} className="text-sm font-semibold">
          {label}
          <input
            type="date"
            value={value}
            onChange={(event) => change(event.target.value)}
            className="mt-1 block min-h-10 rounded-md border border-line-strong bg-surface px-3 font-normal tabular-nums"
          />
        </label>
      ))}
      <Button type="submit" size="small" disabled={!isRight} className="min-h-10">
        보기
      </Button>
    </form>
  );
}
