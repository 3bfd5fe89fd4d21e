import { useEffect, useState } from 'react';
import { heldNow } from '../chart-plot.ts';

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
