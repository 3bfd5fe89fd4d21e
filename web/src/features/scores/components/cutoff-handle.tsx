import { useRef, type PointerEvent } from 'react';
import { onStep, placeOnAxis, readable, type Histogram } from '../histogram.ts';

type Props = {
  /** Text on the handle. */
  text: string;
  /** Announced by screen readers. */
  label: string;
  at: number;
  isFloor?: boolean;
  /** Line of the handle, from 0, so that neighbours do not overlap. */
  line: number;
  histogram: Histogram;
  scoreAtX: (clientX: number) => number;
  /** Moves with the same key belong to one drag, or to one visit of the keyboard. */
  onMove: (at: number, mergeKey: string) => void;
};

const LINE_PX = 24;

/** A cut-off over the histogram, moved by dragging or with the keys of a hidden range input. */
export function CutoffHandle({ text, label, at, isFloor = false, line, histogram, scoreAtX, onMove }: Props) {
  const isDragged = useRef(false);
  const gesture = useRef(0);
  const moveTo = (to: number) => {
    if (to !== at) onMove(to, String(gesture.current));
  };
  const grab = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    isDragged.current = true;
    gesture.current += 1;
  };
  const letGo = () => {
    isDragged.current = false;
  };
  const colours = isFloor
    ? 'border-danger bg-danger-wash text-danger'
    : 'border-accent bg-accent text-on-accent';
  return (
    <div
      className="pointer-events-none absolute inset-y-0 w-0"
      style={{ left: `${placeOnAxis(at, histogram) * 100}%` }}
    >
      <input
        type="range"
        aria-label={label}
        aria-valuetext={isFloor ? `${readable(at)}점 미만` : `${readable(at)}점 이상`}
        min={histogram.from}
        max={histogram.to}
        step={histogram.step}
        value={at}
        onFocus={() => {
          gesture.current += 1;
        }}
        onChange={(event) => moveTo(onStep(Number(event.target.value), histogram))}
        className="peer sr-only"
      />
      <span
        aria-hidden
        className={`absolute bottom-0 left-0 w-px -translate-x-1/2 peer-focus-visible:w-0.5 ${isFloor ? 'bg-danger' : 'bg-ink-soft'}`}
        style={{ top: line * LINE_PX + 11 }}
      />
      <span
        aria-hidden
        data-cutoff={label}
        title={`${label}: ${readable(at)}점`}
        onPointerDown={grab}
        onPointerMove={(event) => {
          if (isDragged.current) moveTo(scoreAtX(event.clientX));
        }}
        onPointerUp={letGo}
        onPointerCancel={letGo}
        className={`pointer-events-auto absolute left-0 z-10 flex h-5.5 min-w-7 -translate-x-1/2 cursor-ew-resize touch-none items-center justify-center rounded-sm border px-1 text-xs font-semibold whitespace-nowrap tabular-nums select-none peer-focus-visible:z-20 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent ${colours}`}
        style={{ top: line * LINE_PX }}
      >
        {text}&nbsp;<span className="font-normal">{readable(at)}</span>
      </span>
    </div>
  );
}
