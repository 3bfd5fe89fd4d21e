import { startTransition, useEffect, useState } from 'react';
import { serverNow } from '../../../lib/server-time.ts';
import { roundedNow } from '../chart-plot.ts';

/** End of a live time range of this length in milliseconds; see `roundedNow`. */
export function useRoundedNow(span: number): number {
  const [end, setEnd] = useState(() => roundedNow(serverNow(), span));
  useEffect(() => {
    // A moved end renders all lines again: a transition, so that input is not blocked.
    const follow = () => startTransition(() => setEnd(roundedNow(serverNow(), span)));
    follow();
    const timer = setInterval(follow, 1000);
    return () => clearInterval(timer);
  }, [span]);
  return end;
}
