import { memo, useMemo } from 'react';
import { CartesianGrid, Line, LineChart, ReferenceLine, XAxis, YAxis } from 'recharts';
import { CHART_HEIGHT, PLOT, type ChartLine } from '../chart-plot.ts';
import { linePoints } from '../line-points.ts';
import { seoulTicks, seoulTickText } from '../seoul-time.ts';
import { plantColour } from './plant-colour.ts';

type Props = {
  lines: readonly ChartLine[];
  from: number;
  to: number;
  width: number;
  /** Below it an alert begins, as a percentage of the axis. */
  alertBelow: number | undefined;
};

/** Up to so many readings each is marked, so that a plant with one reading shows at all. */
const MARKED_READINGS = 60;
const TICK_WIDTH = 66;
/** Pixels that a line's lowest and highest reading share. */
const COLUMN_WIDTH = 2;

/** The lines and axes. Pointer and marks are another layer's, so that they never draw the lines anew. */
export const MoistureChart = memo(function MoistureChart({ lines, from, to, width, alertBelow }: Props) {
  const plotWidth = width - PLOT.left - PLOT.right;
  const ticks = useMemo(
    () => seoulTicks(from, to, Math.max(2, Math.floor(plotWidth / TICK_WIDTH))),
    [from, to, plotWidth],
  );
  const domain = useMemo(() => [from, to], [from, to]);
  return (
    <LineChart
      width={width}
      height={CHART_HEIGHT}
      margin={margin}
      accessibilityLayer={false}
      className="select-none"
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="time"
        type="number"
        scale="time"
        domain={domain}
        allowDataOverflow
        ticks={ticks}
        interval="equidistantPreserveStart"
        minTickGap={12}
        tickMargin={8}
        height={PLOT.bottom}
        tickFormatter={(time: number) => seoulTickText(time, to - from)}
        tick={tickStyle}
        stroke="var(--line-strong)"
      />
      <YAxis
        domain={percentDomain}
        ticks={percentTicks}
        allowDataOverflow
        unit="%"
        width={PLOT.left}
        tick={tickStyle}
        axisLine={false}
        tickLine={false}
      />
      {alertBelow !== undefined && (
        <ReferenceLine y={alertBelow} stroke="var(--danger)" strokeDasharray="4 4" ifOverflow="hidden" />
      )}
      {lines.map((line) => (
        <PlantLine key={line.plant} line={line} from={from} to={to} plotWidth={plotWidth} />
      ))}
    </LineChart>
  );
});

const margin = { top: PLOT.top, right: PLOT.right, bottom: 0, left: 0 };
const tickStyle = { fill: 'var(--ink-soft)', fontSize: 13 };
const percentDomain = [0, 100];
const percentTicks = [0, 25, 50, 75, 100];

type LineProps = { line: ChartLine; from: number; to: number; plotWidth: number };

const PlantLine = memo(
  function PlantLine({ line, from, to, plotWidth }: LineProps) {
    const { plant, number, readings } = line;
    const { stroke, dash } = plantColour(number);
    const data = useMemo(
      () => linePoints(readings, { from, to }, Math.ceil(plotWidth / COLUMN_WIDTH)),
      [readings, from, to, plotWidth],
    );
    return (
      <Line
        id={plant}
        data={data}
        dataKey="percent"
        name={plant}
        stroke={stroke}
        strokeWidth={2}
        // A reading alone between two gaps is a line without length: its round ends make it a dot.
        strokeLinecap="round"
        strokeLinejoin="round"
        {...(dash !== undefined && { strokeDasharray: dash })}
        dot={readings.length <= MARKED_READINGS ? { r: 2.5, fill: stroke, strokeWidth: 0 } : false}
        activeDot={false}
        connectNulls={false}
        isAnimationActive={false}
      />
    );
  },
  (before, after) =>
    before.line.readings === after.line.readings &&
    before.line.plant === after.line.plant &&
    before.line.number === after.line.number &&
    before.from === after.from &&
    before.to === after.to &&
    before.plotWidth === after.plotWidth,
);
