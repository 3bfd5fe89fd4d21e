import { startTransition, useEffect, useState } from 'react';
import { serverNow } from '../../../lib/server-time.ts';
import { heldNow } from '../chart-plot.ts';

/** The end of a stretch of so many milliseconds that goes on to now; see `heldNow`. */
export function useHeldNow(span: number): number {
  const [end, setEnd] = useState(() => heldNow(serverNow(), span));
  useEffect(() => {
    // All lines are drawn anew where the end moves on: in slices, which keep no press of a key waiting.
    const follow = () => startTransition(() => setEnd(heldNow(serverNow(), span)));
    follow();
    const timer = setInterval(follow, 1000);
    return () => clearInterval(timer);
  }, [span]);
  return end;
}
