import { moisturePercent, type Calibration } from '#contract/moisture/percent';
import { memo } from 'react';
import type { Watering } from '#contract/plants';
import { CHART_HEIGHT, timeToX, plantColour, PLOT, type ChartLine } from '../chart-plot.ts';
import type { TimeSpan } from '../range.ts';
import { groupBy } from '../../../lib/collections.ts';
import { wateredText } from '../plant-state.ts';

type Props = {
  lines: readonly ChartLine[];
  /** The whole time range of the plot, including the forecast. */
  view: TimeSpan;
  /** The end of the range of readings, in milliseconds since 1970. The forecast begins here. */
  end: number;
  width: number;
  /** A calibration that the server offers; its values are shown before the user accepts the calibration. */
  offered: Calibration | undefined;
};

/** A limit that is less than this many percent above the next lower limit gets no label. */
const LABEL_ROOM = 7;
const halo = { stroke: 'var(--paper)', strokeWidth: 3, paintOrder: 'stroke' };

/** Marks behind the lines: grid, limits below which plants are dry, forecasts and an offered calibration. */
export const ChartMarks = memo(function ChartMarks({ lines, view, end, width, offered }: Props) {
  const plotWidth = width - PLOT.left - PLOT.right;
  const plotHeight = CHART_HEIGHT - PLOT.top - PLOT.bottom;
  const xOf = (time: number) => (timeToX(time, view) * plotWidth).toFixed(1);
  const yOf = (percent: number) => ((1 - percent / 100) * plotHeight).toFixed(1);
  const across = (percent: number) => `M0 ${yOf(percent)}H${plotWidth}`;
  const scale = lines[0]?.scale;
  return (
    <svg
      aria-hidden
      className="pointer-events-none absolute text-xs"
      style={{ left: PLOT.left, top: PLOT.top }}
      width={plotWidth}
      height={plotHeight}
    >
      <path d={[0, 25, 50, 75, 100].map(across).join('')} stroke="var(--line)" />
      {view.to > end && <path d={`M${xOf(end)} 0V${plotHeight}`} stroke="var(--line-strong)" />}
      {limitsOf(lines).map(({ limit, stroke }) => (
        <path
          key={limit}
          d={across(limit)}
          data-limit={limit}
          stroke={stroke}
          strokeOpacity={0.7}
          strokeDasharray="2 4"
        />
      ))}
      {lines.map(({ plant, number, readings, scale: own, limit, dryAt }) => {
        const newest = readings.at(-1);
        if (!newest || !dryAt) return null;
        const { stroke } = plantColour(number);
        const start = `M${xOf(newest.time)} ${yOf(moisturePercent(newest.raw, own))}`;
        const dry = yOf(limit);
        return (
          <g key={plant} data-forecast={plant}>
            <path
              d={`${start}L${xOf(dryAt.from)} ${dry}H${xOf(dryAt.to)}Z`}
              fill={stroke}
              fillOpacity={0.14}
            />
            <path
              d={`${start}L${xOf((dryAt.from + dryAt.to) / 2)} ${dry}`}
              stroke={stroke}
              strokeWidth={2}
              strokeDasharray="6 5"
            />
          </g>
        );
      })}
      {offered &&
        scale &&
        (['dry', 'wet'] as const).map((end_) => {
          const percent = moisturePercent(offered[end_], scale);
          return (
            <g key={end_} data-offered={end_}>
              <path d={across(percent)} stroke="var(--ink)" strokeWidth={1.5} />
              <text
                // At the left, because the labels of the limits are at the right.
                x={4}
                y={yOf(percent)}
                dy={end_ === 'dry' ? 15 : -6}
                fill="var(--ink)"
                className="font-semibold"
                {...halo}
              >
                {end_ === 'dry' ? `마른 값 ${offered.dry} (0%)` : `젖은 값 ${offered.wet} (100%)`}
              </text>
            </g>
          );
        })}
    </svg>
  );
});

/** Drawn over the lines, so that no line crosses the labels. */
export function LimitLabels({ lines }: Pick<Props, 'lines'>) {
  return limitsOf(lines)
    .filter(({ isLabelled }) => isLabelled)
    .map(({ limit, isAbove }) => (
      <span
        key={limit}
        aria-hidden
        className={`pointer-events-none absolute rounded-sm bg-paper/80 px-0.5 text-xs text-ink-soft ${isAbove ? '-translate-y-full' : ''}`}
        style={{
          right: PLOT.right,
          top: PLOT.top + (1 - limit / 100) * (CHART_HEIGHT - PLOT.top - PLOT.bottom),
        }}
      >
        {`알림 ${Number(limit.toFixed(1))}%`}
      </span>
    ));
}

/** Each limit once, in the plant's colour if only one plant has the limit. Labels avoid the lines. */
function limitsOf(lines: readonly ChartLine[]) {
  const byLimit = [...groupBy(lines, ({ limit }) => limit)].sort(([a], [b]) => a - b);
  return byLimit.map(([limit, [first, ...others]], at) => {
    const toLower = limit - (byLimit[at - 1]?.[0] ?? Number.NEGATIVE_INFINITY);
    const isBelowLine = others.length === 0 && first !== undefined && percentNow(first) < limit;
    return {
      limit,
      // The label of the next lower limit may be above its line, so this label is above its line as well.
      isAbove: limit < LABEL_ROOM || toLower < 2 * LABEL_ROOM || isBelowLine,
      stroke: first && others.length === 0 ? plantColour(first.number).stroke : 'var(--line-strong)',
      isLabelled: toLower >= LABEL_ROOM,
    };
  });
}

const percentNow = ({ readings, scale }: ChartLine) =>
  moisturePercent(readings.at(-1)?.raw ?? Number.NaN, scale);

type WateringMarksProps = {
  waterings: readonly Watering[];
  /** The numbers of the shown plants, by the plant's name. */
  numbers: ReadonlyMap<string, number>;
  stretch: TimeSpan;
  width: number;
};

/** If there is less room than this many pixels for each drop, a text with the number replaces the drops. */
const DROP_ROOM = 12;

/** Draws a drop above the plot for each visible watering, or shows the number of visible waterings. */
export const WateringMarks = memo(function WateringMarks({
  waterings,
  numbers,
  stretch,
  width,
}: WateringMarksProps) {
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
