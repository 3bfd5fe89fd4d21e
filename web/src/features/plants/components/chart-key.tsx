import type { Watering } from '#contract/plants';
import type { ReactNode } from 'react';
import { type ChartLine, plantColour } from '../chart-plot.ts';
import { isFaultyAt } from '../line-points.ts';
import type { TimeSpan } from '../range.ts';

type Props = {
  lines: readonly ChartLine[];
  stretch: TimeSpan;
  waterings: readonly Watering[];
  /** Whether the chart shows percent without the plants' calibrations. */
  isPlain: boolean;
  onPlain: (isPlain: boolean) => void;
};

const scales = [
  { label: '보정 후', isPlain: false },
  { label: '보정 전', isPlain: true },
];

/** Explains the chart's signs. If a plant is calibrated, a switch turns calibrations off and on. */
export function ChartKey({ lines, stretch, waterings, isPlain, onPlain }: Props) {
  const isWatered = waterings.some(
    ({ plant, datetime }) =>
      lines.some((line) => line.plant === plant) &&
      Date.parse(datetime) >= stretch.from &&
      Date.parse(datetime) <= stretch.to,
  );
  const isFaulty = lines.some((line) => line.readings.some(({ time }) => isFaultyAt(line, time)));
  return (
    <div className="mt-1 flex min-h-8 flex-wrap items-center gap-x-5 gap-y-1 text-xs text-ink-soft">
      {isWatered && (
        <Sign text="물 준 시각">
          <path d="M10 0c2 4 4 6 4 8.5a4 4 0 0 1-8 0C6 6 8 4 10 0z" fill="currentColor" />
        </Sign>
      )}
      {lines.some(({ dryAt }) => dryAt) && (
        <Sign text="예상">
          <path d="M0 3L20 8V12z" fill="currentColor" fillOpacity="0.2" />
          <path d="M0 3L20 10" stroke="currentColor" strokeWidth="2" strokeDasharray="5 3" />
        </Sign>
      )}
      {isFaulty && (
        <Sign text="센서 확인">
          <path d="M3 7h.1m6.9 0h.1m6.9 0h.1" stroke="var(--notice)" strokeWidth="4" strokeLinecap="round" />
        </Sign>
      )}
      {lines.some(({ calibration }) => calibration) && (
        <fieldset className="ml-auto flex gap-1">
          <legend className="sr-only">차트의 수분 기준</legend>
          {scales.map((scale) => (
            <label
              key={scale.label}
              className="flex min-h-8 cursor-pointer items-center rounded-md px-2.5 text-sm font-semibold hover:bg-sunken hover:text-ink has-checked:bg-sunken has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent pointer-coarse:min-h-11"
            >
              <input
                type="radio"
                name="scale"
                checked={scale.isPlain === isPlain}
                onChange={() => onPlain(scale.isPlain)}
                className="sr-only"
              />
              {scale.label}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}

function Sign({ text, children }: { text: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg aria-hidden viewBox="0 0 20 14" className="h-3.5 w-5 shrink-0" fill="none">
        {children}
      </svg>
      {text}
    </span>
  );
}

type PlantPickerProps = {
  /** The number of every plant, by the plant's name. */
  numbers: ReadonlyMap<string, number>;
  /** The shown plants; undefined if all are shown. */
  chosen: readonly string[] | undefined;
  /** Selected plants without a reading in the chart. */
  unheard: readonly string[];
  onChange: (plants: string[] | undefined) => void;
};

/** The chart's legend, which also selects plants. */
export function PlantPicker({ numbers, chosen, unheard, onChange }: PlantPickerProps) {
  const all = [...numbers.keys()];
  const isShown = (plant: string) => chosen?.includes(plant) ?? true;
  const toggle = (plant: string) => {
    const next = all.filter((each) => (each === plant ? !isShown(each) : isShown(each)));
    onChange(next.length === all.length ? undefined : next);
  };
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2">
      <legend className="sr-only">표시할 화분</legend>
      {[...numbers].map(([plant, number]) => {
        const { stroke, dash } = plantColour(number);
        return (
          <label
            key={plant}
            className="flex min-h-10 max-w-52 cursor-pointer items-center gap-2.5 rounded-full border border-line px-4 text-sm hover:border-line-strong has-checked:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent not-has-checked:text-ink-soft"
          >
            <input
              type="checkbox"
              checked={isShown(plant)}
              onChange={() => toggle(plant)}
              className="sr-only"
            />
            <svg aria-hidden viewBox="0 0 20 12" className="h-3 w-5 shrink-0">
              {isShown(plant) ? (
                <path d="M1 6h18" stroke={stroke} strokeWidth="3" strokeDasharray={dash} />
              ) : (
                <path d="M1 6h18" stroke="var(--line-strong)" strokeWidth="1.5" strokeDasharray="2 3" />
              )}
            </svg>
            <span title={plant} className={`truncate ${isShown(plant) ? '' : 'line-through'}`}>
              {plant}
            </span>
            {unheard.includes(plant) && <span className="shrink-0 text-ink-soft">기록 없음</span>}
          </label>
        );
      })}
    </fieldset>
  );
}
