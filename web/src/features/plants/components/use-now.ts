import { useEffect, useState } from 'react';
import { heldNow } from '../chart-plot.ts';

/** The time, told anew every so many milliseconds. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** The end of a stretch of so many milliseconds that goes on to now; see `heldNow`. */
export function useHeldNow(span: number): number {
  const [end, setEnd] = useState(() => heldNow(Date.now(), span));
  useEffect(() => {
    const follow = () => setEnd(heldNow(Date.now(), span));
    follow();
    const timer = setInterval(follow, 1000);
    return () => clearInterval(timer);
  }, [span]);
  return end;
}
