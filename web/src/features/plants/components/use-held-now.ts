import { startTransition, useEffect, useState } from 'react';
import { heldNow } from '../chart-plot.ts';

/** The end of a stretch of so many milliseconds that goes on to now; see `heldNow`. */
export function useHeldNow(span: number): number {
  const [end, setEnd] = useState(() => heldNow(Date.now(), span));
  useEffect(() => {
    // All lines are drawn anew where the end moves on: in slices, which keep no press of a key waiting.
    const follow = () => startTransition(() => setEnd(heldNow(Date.now(), span)));
    follow();
    const timer = setInterval(follow, 1000);
    return () => clearInterval(timer);
  }, [span]);
  return end;
}
