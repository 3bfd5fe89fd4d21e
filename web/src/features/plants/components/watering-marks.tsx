import type { Watering } from '#contract/plants';
import { memo } from 'react';
import { timeToX, plantColour, PLOT } from '../chart-plot.ts';
import { wateredText } from '../plant-state.ts';
import type { TimeSpan } from '../range.ts';

type Props = {
  waterings: readonly Watering[];
  /** Numbers of the plants shown. */
  numbers: ReadonlyMap<string, number>;
  stretch: TimeSpan;
  width: number;
};

/** If drops would be closer than this, in pixels, a number replaces them. */
const DROP_ROOM = 12;

/** A drop above the plot for each visible watering, or their number. */
export const WateringMarks = memo(function WateringMarks({ waterings, numbers, stretch, width }: Props) {
  const marks = waterings.flatMap(({ plant, datetime, until }) => {
    const number = numbers.get(plant);
    const time = Date.parse(datetime);
    const place = timeToX(time, stretch);
    return number === undefined || place < 0 || place > 1
      ? []
      : [{ plant, datetime, until, time, place, number }];
  });
  const plotWidth = width - PLOT.left - PLOT.right;
  if (marks.length * DROP_ROOM > plotWidth) {
    return (
      <p className="absolute top-0 text-xs text-ink-soft tabular-nums" style={{ left: PLOT.left }}>
        물 준 횟수 {marks.length}회 · 확대하면 시각을 표시합니다
      </p>
    );
  }
  return marks.map(({ plant, datetime, until, time, place, number }) => {
    const words = `${plant} 물 준 시각 ${wateredText(time, Date.parse(until))}`;
    return (
      <span
        key={`${plant} ${datetime}`}
        data-watering={plant}
        title={words}
        className="absolute h-4 w-3 -translate-x-1/2"
        style={{
          top: PLOT.top - 19,
          left: PLOT.left + place * plotWidth,
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
