import { memo, useMemo } from 'react';
import { Line, LineChart, XAxis, YAxis } from 'recharts';
import { CHART_HEIGHT, type ChartLine, redrawInterval, lineStyle, timeToX, PLOT } from '../chart-plot.ts';
import { arePointsEqual, splitLineAt, linePoints, type DrawnLine, type LinePoint } from '../line-points.ts';
import { seoulTicks, seoulTickText } from '../seoul-time.ts';

type Props = {
  lines: readonly ChartLine[];
  from: number;
  /** `to`: time at the plot's right edge. `end`: end of the range of readings. Both in ms since 1970. */
  to: number;
  end: number;
  width: number;
};

/** A line with at most this many readings also has dots, so that a plant with a single reading is visible. */
const MARKED_READINGS = 60;
const TICK_WIDTH = 60;
/** Half the width of the longest tick label, `2026.03`, in pixels. */
const LABEL_HALF = 26;
/** Width of a column in pixels; only each column's minimum and maximum are drawn. */
const COLUMN_WIDTH = 3;
/**
 * Draws axes and lines. Recharts would render the whole chart again for each new reading, so the newest
 * readings (the last few pixels) are drawn separately until the end of the chart moves.
 */
export const MoistureChart = memo(function MoistureChart({ lines, from, to, end, width }: Props) {
  const plotWidth = width - PLOT.left - PLOT.right;
  const columns = Math.ceil(plotWidth / COLUMN_WIDTH);
  const cut = end - redrawInterval(end - from);
  const parts = useMemo(
    () =>
      lines.flatMap((line) => {
        const { plant, number, readings } = line;
        const isMarked = readings.length <= MARKED_READINGS;
        const { sound, faulty } = linePoints(line, { from, to }, columns);
        return [sound, faulty].map((points) => {
          const look = { plant, number, isMarked, isFaulty: points === faulty };
          const [past, tail] = splitLineAt(points, cut);
          return { past: { ...look, points: past }, tail: { ...look, points: tail } };
        });
      }),
    [lines, from, to, cut, columns],
  );
  return (
    <>
      <PastChart
        from={from}
        to={to}
        width={width}
        lines={parts.map(({ past }) => past).filter(({ points }) => points.length > 0)}
      />
      <TailLines from={from} to={to} width={width} lines={parts.map(({ tail }) => tail)} />
    </>
  );
});

type PastProps = Omit<Props, 'lines' | 'end'> & { lines: readonly DrawnLine[] };

function arePropsEqual(before: PastProps, after: PastProps): boolean {
  return (
    before.from === after.from &&
    before.to === after.to &&
    before.width === after.width &&
    before.lines.length === after.lines.length &&
    before.lines.every((line, index) => {
      const other = after.lines[index];
      return (
        line.plant === other?.plant &&
        line.number === other.number &&
        line.isMarked === other.isMarked &&
        line.isFaulty === other.isFaulty &&
        arePointsEqual(line.points, other.points)
      );
    })
  );
}

const PastChart = memo(function PastChart({ lines, from, to, width }: PastProps) {
  const plotWidth = width - PLOT.left - PLOT.right;
  const tickCount = Math.max(2, Math.floor(plotWidth / TICK_WIDTH));
  // A label near the right edge would be cut off; at the left edge there is room beside the plot.
  const fits = (time: number) =>
    timeToX(time, { from, to }) * plotWidth <= plotWidth - LABEL_HALF + PLOT.right;
  return (
    <LineChart
      width={width}
      height={CHART_HEIGHT}
      margin={{ top: PLOT.top, right: PLOT.right, bottom: 0, left: 0 }}
      accessibilityLayer={false}
      className="select-none"
    >
      <XAxis
        dataKey="time"
        type="number"
        scale="time"
        domain={[from, to]}
        allowDataOverflow
        ticks={seoulTicks(from, to, tickCount).filter(fits)}
        interval={0}
        tickMargin={8}
        height={PLOT.bottom}
        tickFormatter={(time: number) => seoulTickText(time, to - from)}
        tick={tickStyle}
        stroke="var(--line-strong)"
      />
      <YAxis
        domain={percentDomain}
        allowDataOverflow
        ticks={percentTicks}
        unit="%"
        width={PLOT.left}
        tick={tickStyle}
        axisLine={false}
        tickLine={false}
      />
      {lines.map(drawLine)}
    </LineChart>
  );
}, arePropsEqual);

const percentDomain = [0, 100];
const percentTicks = [0, 25, 50, 75, 100];
const tickStyle = { fill: 'var(--ink-soft)', fontSize: 13 };

function drawLine(line: DrawnLine) {
  const { plant, isMarked, isFaulty, points } = line;
  const { stroke, dash, width } = lineStyle(line);
  return (
    <Line
      key={`${plant} ${isFaulty}`}
      data={points}
      dataKey="percent"
      name={plant}
      stroke={stroke}
      strokeWidth={width}
      // A reading between two gaps is a line without length, which round line caps turn into a dot.
      strokeLinecap="round"
      strokeLinejoin="round"
      {...(dash !== undefined && { strokeDasharray: dash })}
      dot={isMarked ? { r: 2.5, fill: stroke, strokeWidth: 0 } : false}
      activeDot={false}
      legendType="none"
      tooltipType="none"
      connectNulls={false}
      isAnimationActive={false}
    />
  );
}

type TailLinesProps = { from: number; to: number; width: number; lines: readonly DrawnLine[] };

/** The newest readings, drawn like the chart's own lines. */
function TailLines({ from, to, width, lines }: TailLinesProps) {
  const plotWidth = width - PLOT.left - PLOT.right;
  const plotHeight = CHART_HEIGHT - PLOT.top - PLOT.bottom;
  const xOf = ({ time }: LinePoint) => (timeToX(time, { from, to }) * plotWidth).toFixed(1);
  const yOf = (percent: number) => ((1 - percent / 100) * plotHeight).toFixed(1);
  return (
    <svg
      aria-hidden
      className="pointer-events-none absolute"
      style={{ left: PLOT.left, top: PLOT.top }}
      width={plotWidth}
      height={plotHeight}
    >
      {lines.map((line) => {
        const { plant, isMarked, isFaulty, points } = line;
        const { stroke, dash, width: thick } = lineStyle(line);
        let isBroken = true;
        const steps = points.map((point) => {
          const step =
            point.percent === null ? '' : `${isBroken ? 'M' : 'L'}${xOf(point)},${yOf(point.percent)}`;
          isBroken = point.percent === null;
          return step;
        });
        return (
          <g key={`${plant} ${isFaulty}`}>
            <path
              // A zero-length step draws a single point as a dot.
              d={points.length > 0 ? `${steps.join('')}h0` : ''}
              data-tail={plant}
              fill="none"
              stroke={stroke}
              strokeWidth={thick}
              strokeLinecap="round"
              strokeLinejoin="round"
              strokeDasharray={dash}
            />
            {isMarked &&
              points.map(
                (point) =>
                  point.percent !== null && (
                    <circle key={point.time} cx={xOf(point)} cy={yOf(point.percent)} r={2.5} fill={stroke} />
                  ),
              )}
          </g>
        );
      })}
    </svg>
  );
}
