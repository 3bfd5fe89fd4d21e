import type { Watering } from '#contract/plants';
import { memo } from 'react';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { placeOf, PLOT } from '../chart-plot.ts';
import type { Stretch } from '../range.ts';
import { plantColour } from './plant-colour.ts';

type Props = {
  waterings: readonly Watering[];
  /** Numbers of the plants that are shown. */
  numbers: ReadonlyMap<string, number>;
  stretch: Stretch;
};

/** Drops of one plant that would stand closer than this, in parts of the plot, are one. */
const CLOSEST = 0.015;

/** A drop above the plot for each watering in sight. */
export const WateringMarks = memo(function WateringMarks({ waterings, numbers, stretch }: Props) {
  const lastPlace = new Map<string, number>();
  return waterings.map(({ plant, datetime }) => {
    const number = numbers.get(plant);
    const time = Date.parse(datetime);
    const place = placeOf(time, stretch);
    if (number === undefined || place < 0 || place > 1) return null;
    if (place - (lastPlace.get(plant) ?? -1) < CLOSEST) return null;
    lastPlace.set(plant, place);
    const words = `${plant} 물 줌 ${seoulDateTime(time).slice(0, 16)}`;
    return (
      <span
        key={`${plant} ${datetime}`}
        data-watering={plant}
        title={words}
        className="absolute h-4 w-3 -translate-x-1/2"
        style={{
          top: PLOT.top - 19,
          left: `calc(${PLOT.left}px + (100% - ${PLOT.left + PLOT.right}px) * ${place})`,
          color: plantColour(number).stroke,
        }}
      >
        <svg aria-hidden viewBox="0 0 12 16" fill="currentColor">
          <path d="M6 0C8 4 11 7 11 10.5a5 5 0 0 1-10 0C1 7 4 4 6 0z" />
        </svg>
        <span className="sr-only">{words}</span>
      </span>
    );
  });
});
