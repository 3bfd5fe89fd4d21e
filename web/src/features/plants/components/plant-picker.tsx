import { plantColour } from '../chart-plot.ts';

type Props = {
  /** All plants with their numbers, by name. */
  numbers: ReadonlyMap<string, number>;
  /** The shown plants; undefined if all are shown. */
  chosen: readonly string[] | undefined;
  /** Shown plants without a reading in the chart. */
  unheard: readonly string[];
  onChange: (plants: string[] | undefined) => void;
};

/** The chart's legend, which also selects plants. */
export function PlantPicker({ numbers, chosen, unheard, onChange }: Props) {
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
