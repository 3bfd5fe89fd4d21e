import { useMemo } from 'react';
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { buildRows, splitAtGaps, type PlantSeries } from '../chart-series.ts';
import { seoulTicks, seoulTickText } from '../seoul-time.ts';
import { plantColour } from './plant-colour.ts';

type Props = { series: PlantSeries[]; start: number | undefined; labelledBy: string };

/** Up to so many readings each is marked, so that a plant with one reading shows at all. */
const MARKED_READINGS = 60;
const TICKS = 10;
const SHORTEST_SPAN_MS = 60_000;

export function MoistureChart({ series, start, labelledBy }: Props) {
  const { lines, rows } = useMemo(() => {
    const split = series.flatMap(splitAtGaps);
    return { lines: split, rows: buildRows(split) };
  }, [series]);
  const first = rows[0]?.time ?? 0;
  const last = rows.at(-1)?.time ?? 0;
  const from = Math.min(Math.max(first, start ?? first), last - SHORTEST_SPAN_MS);
  return (
    <figure aria-labelledby={labelledBy} className="h-[22rem] w-full text-sm sm:h-[26rem]">
      <ResponsiveContainer>
        <LineChart data={rows} margin={{ top: 12, right: 16, bottom: 4, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="time"
            type="number"
            scale="time"
            domain={[from, last]}
            allowDataOverflow
            ticks={seoulTicks(from, last, TICKS)}
            interval="equidistantPreserveStart"
            minTickGap={16}
            tickMargin={8}
            tickFormatter={(time: number) => seoulTickText(time, last - from)}
            tick={{ fill: 'var(--ink-soft)' }}
            stroke="var(--line-strong)"
          />
          <YAxis
            domain={[0, 100]}
            ticks={[0, 25, 50, 75, 100]}
            unit="%"
            width={52}
            tick={{ fill: 'var(--ink-soft)' }}
            axisLine={false}
            tickLine={false}
          />
          <Tooltip
            labelFormatter={(time) => seoulDateTime(Number(time))}
            formatter={(value) => `${Number(value).toFixed(1)}%`}
            isAnimationActive={false}
            contentStyle={{
              background: 'var(--surface)',
              border: '1px solid var(--line)',
              borderRadius: '0.5rem',
            }}
          />
          {lines.map(({ key, plant, number, readings }) => {
            const { stroke, dash } = plantColour(number);
            return (
              <Line
                key={key}
                dataKey={key}
                name={plant}
                stroke={stroke}
                strokeWidth={2}
                {...(dash !== undefined && { strokeDasharray: dash })}
                dot={readings.length <= MARKED_READINGS ? { r: 2.5, fill: stroke, strokeWidth: 0 } : false}
                connectNulls
                isAnimationActive={false}
              />
            );
          })}
        </LineChart>
      </ResponsiveContainer>
    </figure>
  );
}
