import { RANGES, type RangeName } from '../range.ts';

type Props = { range: RangeName; onChange: (range: RangeName) => void };

export function RangePicker({ range, onChange }: Props) {
  return (
    <fieldset className="flex overflow-hidden rounded-md border border-line-strong">
      <legend className="sr-only">기간</legend>
      {RANGES.map(({ name, label }) => (
        <label
          key={name}
          className="flex min-h-10 cursor-pointer items-center px-3.5 text-sm font-semibold text-ink-soft not-first:border-l not-first:border-line hover:text-ink has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-[-4px] has-focus-visible:outline-current"
        >
          <input
            type="radio"
            name="range"
            value={name}
            checked={name === range}
            onChange={() => onChange(name)}
            className="sr-only"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
