import { useState, type UIEvent } from 'react';
import { usePrintedAt } from './printed.tsx';

/** Height of every row while a table is windowed. */
export const WINDOW_ROW_PX = 45;

/** The maximum height of a table as a share of the browser's window: `max-h-[70dvh]`. */
const BOX = 0.7;
const STEP = 5;
/** How many rows are rendered before the first visible row, and after the last. */
const AROUND = 8;

/** Renders only the visible rows and a few more, because every row takes time; a printout has all rows. */
export function useRowWindow(count: number, isOn: boolean) {
  const [first, setFirst] = useState(0);
  const isPrinted = usePrintedAt() !== undefined;
  const onScroll = (event: UIEvent<HTMLElement>) => {
    setFirst(Math.floor(event.currentTarget.scrollTop / WINDOW_ROW_PX / STEP) * STEP);
  };
  if (!isOn || isPrinted) return { start: 0, end: count, onScroll: undefined };
  const top = Math.min(first, Math.max(0, count - STEP));
  const visible = STEP + Math.ceil((innerHeight * BOX) / WINDOW_ROW_PX);
  return { start: Math.max(0, top - AROUND), end: Math.min(count, top + visible + AROUND), onScroll };
}
