import { moisturePercent } from '#contract/moisture/percent';
import { useRef, useState, type PointerEvent } from 'react';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { type ChartLine, nearestReading, timeToX, plantColour, PLOT, xToTime } from '../chart-plot.ts';
import { isFaultyAt } from '../line-points.ts';
import { uncalibratedText } from '../plant-state.ts';
import { SHORTEST_TIME_SPAN_MS, type TimeSpan } from '../range.ts';

type Props = {
  lines: readonly ChartLine[];
  stretch: TimeSpan;
  /** Distance from the end of the time range to the chart's right edge, in pixels. */
  right: number;
  onZoom: (stretch: TimeSpan) => void;
};

/** A shorter drag counts as a click. */
const SHORTEST_DRAG_PX = 8;
/** Number of arrow-key steps from one end to the other. */
const KEY_STEPS = 200;

/**
 * Covers the plot, shows the values at the pointer's time, and zooms to the range that the user drags. For
 * keyboards, a hidden slider moves the time; only the slider's focus is visible.
 */
export function ChartCrosshair({ lines, stretch, right, onZoom }: Props) {
  const area = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<number>();
  const [dragFrom, setDragFrom] = useState<number>();

  const placeAt = ({ clientX }: PointerEvent) => {
    const box = area.current?.getBoundingClientRect();
    return box ? Math.min(1, Math.max(0, (clientX - box.left) / box.width)) : 0;
  };
  const release = (event: PointerEvent) => {
    const end = placeAt(event);
    const dragged = Math.abs(end - (dragFrom ?? end)) * (area.current?.clientWidth ?? 0);
    if (dragFrom !== undefined && dragged >= SHORTEST_DRAG_PX) {
      const [from, to] = [
        xToTime(Math.min(dragFrom, end), stretch),
        xToTime(Math.max(dragFrom, end), stretch),
      ];
      onZoom({ from, to: Math.max(to, from + SHORTEST_TIME_SPAN_MS) });
      setPlace(undefined);
    }
    setDragFrom(undefined);
  };
  const time = place === undefined ? undefined : xToTime(place, stretch);
  const readouts = time === undefined ? [] : readoutsAt(time, lines, stretch);
  return (
    <div
      ref={area}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragFrom(placeAt(event));
        setPlace(placeAt(event));
      }}
      onPointerMove={(event) => setPlace(placeAt(event))}
      onPointerUp={release}
      onPointerCancel={() => setDragFrom(undefined)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setPlace(undefined)}
      className="absolute cursor-crosshair touch-pan-y rounded-sm select-none has-focus-visible:outline-2 has-focus-visible:outline-accent"
      style={{ left: PLOT.left, right, top: PLOT.top, bottom: PLOT.bottom }}
    >
      <input
        type="range"
        min={0}
        max={KEY_STEPS}
        value={Math.round((place ?? 1) * KEY_STEPS)}
        aria-label="시각별 수분"
        aria-valuetext={time === undefined ? '좌우 화살표 키로 값을 읽습니다' : wordsOf(time, readouts)}
        onChange={(event) => setPlace(Number(event.target.value) / KEY_STEPS)}
        onFocus={() => setPlace((at) => at ?? 1)}
        onBlur={() => setPlace(undefined)}
        className="sr-only"
      />
      {dragFrom !== undefined && place !== undefined && (
        <div
          className="pointer-events-none absolute inset-y-0 border-x border-accent bg-accent/15"
          style={{
            left: `${Math.min(dragFrom, place) * 100}%`,
            width: `${Math.abs(place - dragFrom) * 100}%`,
          }}
        />
      )}
      {time !== undefined && place !== undefined && (
        <>
          <div
            className="pointer-events-none absolute inset-y-0 w-px bg-line-strong"
            style={{ left: `${place * 100}%` }}
          />
          {readouts.map(({ plant, number, reading, drawnAt }) => (
            <div
              key={plant}
              className="pointer-events-none absolute size-2.5 -translate-1/2 rounded-full border-2 border-surface"
              style={{
                left: `${timeToX(reading.time, stretch) * 100}%`,
                top: `${100 - drawnAt}%`,
                background: plantColour(number).stroke,
              }}
            />
          ))}
          <Tooltip place={place} time={time} readouts={readouts} />
        </>
      )}
    </div>
  );
}

type TooltipProps = { place: number; time: number; readouts: readonly Readout[] };

/** Stands beside the pointer, on the side with more room. Covers the pointer if both sides are too narrow. */
function Tooltip({ place, time, readouts }: TooltipProps) {
  const isRight = place < 0.5;
  return (
    <div
      className={`pointer-events-none absolute inset-x-0 top-1 z-10 flex ${isRight ? '' : 'flex-row-reverse'}`}
    >
      <div style={{ flexBasis: `calc(${(isRight ? place : 1 - place) * 100}% + 12px)` }} />
      <div
        data-tooltip=""
        className="w-max max-w-full shrink-0 rounded-md border border-line bg-surface px-3 py-2 text-sm whitespace-nowrap shadow-lg tabular-nums"
      >
        <p className="text-ink-soft">{seoulDateTime(time).slice(0, 16)}</p>
        {readouts.map(({ plant, number, reading, value, plain }) => (
          <div key={plant}>
            <p className="flex items-center gap-2">
              <span
                aria-hidden
                className="size-2.5 shrink-0 rounded-full"
                style={{ background: plantColour(number).stroke }}
              />
              <span className="max-w-32 truncate">{plant}</span>
              <span className="ml-auto font-semibold">{value}</span>
              <span className="text-ink-soft">센서 {reading.raw}</span>
            </p>
            {plain !== undefined && <p className="text-right text-xs text-ink-soft">{plain}</p>}
          </div>
        ))}
        {readouts.length === 0 && <p>기록 없음</p>}
      </div>
    </div>
  );
}

type Readout = Pick<ChartLine, 'plant' | 'number'> & {
  reading: { time: number; raw: number };
  /** Height of the reading's point in the chart, in percent. */
  drawnAt: number;
  /** The percent as text, or the reason why there is no percent. */
  value: string;
  /** The percent without the plant's calibration, as text; undefined if the plant has no calibration. */
  plain: string | undefined;
};

function readoutsAt(time: number, lines: readonly ChartLine[], stretch: TimeSpan): Readout[] {
  return lines.flatMap((line) => {
    const { plant, number, calibration } = line;
    const reading = nearestReading(line.readings, time, stretch);
    if (!reading) return [];
    const { raw } = reading;
    const isFaulty = isFaultyAt(line, reading.time);
    const value = isFaulty ? '센서 확인' : `${moisturePercent(raw, calibration).toFixed(1)}%`;
    const plain = isFaulty ? undefined : uncalibratedText(raw, calibration);
    return [{ plant, number, reading, drawnAt: moisturePercent(raw, line.scale), value, plain }];
  });
}

function wordsOf(time: number, readouts: readonly Readout[]): string {
  const values = readouts.map(({ plant, value, plain }) => [plant, value, plain].filter(Boolean).join(' '));
  return [seoulDateTime(time).slice(0, 16), ...(values.length > 0 ? values : ['기록 없음'])].join(', ');
}
