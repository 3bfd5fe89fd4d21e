import type { Watering } from '#contract/plants';
import { useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { CHART_HEIGHT, type ChartLine } from '../chart-plot.ts';
import type { Stretch } from '../range.ts';
import { ChartPointer } from './chart-pointer.tsx';
import { MoistureChart } from './moisture-chart.tsx';
import { WateringMarks } from './watering-marks.tsx';

type Props = {
  lines: readonly ChartLine[];
  stretch: Stretch;
  waterings: readonly Watering[];
  alertBelow: number | undefined;
  labelledBy: string;
  onZoom: (stretch: Stretch) => void;
};

/** The chart, as wide as its container. */
export function ChartFigure({ lines, stretch, waterings, alertBelow, labelledBy, onZoom }: Props) {
  const figure = useRef<HTMLElement>(null);
  const [width, setWidth] = useState<number>();
  useLayoutEffect(() => {
    const element = figure.current;
    if (!element) return undefined;
    // A hidden chart has no width.
    const measure = () => element.clientWidth > 0 && setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // Rendered in slices, so that input is handled in between.
  const drawn = useDeferredValue(lines);
  const numbers = useMemo(() => new Map(lines.map(({ plant, number }) => [plant, number])), [lines]);
  return (
    <figure
      ref={figure}
      aria-labelledby={labelledBy}
      className="relative w-full"
      style={{ height: CHART_HEIGHT }}
    >
      {width !== undefined && (
        <>
          <MoistureChart
            lines={drawn}
            from={stretch.from}
            to={stretch.to}
            width={width}
            alertBelow={alertBelow}
          />
          <WateringMarks waterings={waterings} numbers={numbers} stretch={stretch} width={width} />
          <ChartPointer lines={lines} stretch={stretch} onZoom={onZoom} />
        </>
      )}
    </figure>
  );
}
