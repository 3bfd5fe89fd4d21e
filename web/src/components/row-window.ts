import { useState, type UIEvent } from 'react';

/** Height of every row while a table is windowed. */
export const WINDOW_ROW_PX = 45;

const STEP = 10;
const BEFORE = 15;
const AFTER = 65;

/** Which of many rows are rendered: the visible ones and some around them, 80 at most. */
export function useRowWindow(count: number, isOn: boolean) {
  const [first, setFirst] = useState(0);
  const onScroll = (event: UIEvent<HTMLElement>) => {
    setFirst(Math.floor(event.currentTarget.scrollTop / WINDOW_ROW_PX / STEP) * STEP);
  };
  if (!isOn) return { start: 0, end: count, onScroll: undefined };
  const top = Math.min(first, Math.max(0, count - STEP));
  return { start: Math.max(0, top - BEFORE), end: Math.min(count, top + AFTER), onScroll };
}
