import type { PlantSeries } from '../chart-series.ts';
import { plantColour } from './plant-colour.ts';

type Props = {
  series: PlantSeries[];
  hidden: ReadonlySet<string>;
  onChange: (hidden: ReadonlySet<string>) => void;
};

/** The chart's legend, in which plants can be hidden. */
export function PlantPicker({ series, hidden, onChange }: Props) {
  const toggle = (plant: string) => onChange(new Set([plant]).symmetricDifference(hidden));
  return (
    <fieldset className="mt-4 flex flex-wrap gap-2">
      <legend className="sr-only">표시할 화분</legend>
      {series.map(({ plant, number }) => (
        <label
          key={plant}
          className="flex min-h-10 cursor-pointer items-center gap-2.5 rounded-md px-3 hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="checkbox"
            checked={!hidden.has(plant)}
            onChange={() => toggle(plant)}
            className="size-4 "
            style={{ accentColor: plantColour(number).stroke }}
          />
          {plant}
        </label>
      ))}
    </fieldset>
  );
}
