import type { Calibration } from '#contract/moisture/percent';
import type { Watering } from '#contract/plants';
import { useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { CHART_HEIGHT, PLOT, type ChartLine } from '../chart-plot.ts';
import type { TimeSpan } from '../range.ts';
import { ChartMarks, LimitLabels } from './chart-marks.tsx';
import { ChartCrosshair } from './chart-pointer.tsx';
import { MoistureChart } from './moisture-chart.tsx';
import { WateringMarks } from './watering-marks.tsx';

type Props = {
  lines: readonly ChartLine[];
  /** The time range of the readings. */
  stretch: TimeSpan;
  /** How far the plot extends beyond the readings, in milliseconds. */
  ahead: number;
  waterings: readonly Watering[];
  offered: Calibration | undefined;
  labelledBy: string;
  onZoom: (stretch: TimeSpan) => void;
};

/** The chart, as wide as its container. */
export function ChartFigure({ lines, stretch, ahead, waterings, offered, labelledBy, onZoom }: Props) {
  const figure = useRef<HTMLElement>(null);
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const element = figure.current;
    if (!element) return undefined;
    // While the chart is hidden, its width is 0.
    const measure = () => element.clientWidth > 0 && setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // Rendered in slices, so that input is handled in between.
  const drawn = useDeferredValue(lines);
  const numbers = useMemo(() => new Map(lines.map(({ plant, number }) => [plant, number])), [lines]);
  const { from, to: end } = stretch;
  const to = end + ahead;
  const view = useMemo(() => ({ from, to }), [from, to]);
  const aheadWidth = ((width ?? 0) - PLOT.left - PLOT.right) * (ahead / (to - from));
  return (
    <figure
      ref={figure}
      aria-labelledby={labelledBy}
      className="relative w-full"
      style={{ height: CHART_HEIGHT }}
    >
      {width !== undefined && (
        <>
          <ChartMarks lines={drawn} view={view} end={end} width={width} offered={offered} />
          <MoistureChart lines={drawn} from={from} to={to} end={end} width={width} />
          <LimitLabels lines={drawn} />
          <WateringMarks waterings={waterings} numbers={numbers} stretch={view} width={width} />
          <ChartCrosshair lines={lines} stretch={stretch} right={PLOT.right + aheadWidth} onZoom={onZoom} />
        </>
      )}
    </figure>
  );
}
