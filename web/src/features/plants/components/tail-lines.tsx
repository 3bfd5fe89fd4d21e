import { CHART_HEIGHT, lineStyle, timeToX, PLOT } from '../chart-plot.ts';
import type { DrawnLine, LinePoint } from '../line-points.ts';

type Props = { from: number; to: number; width: number; lines: readonly DrawnLine[] };

/** The newest readings, drawn like the chart's own lines. */
export function TailLines({ from, to, width, lines }: Props) {
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
