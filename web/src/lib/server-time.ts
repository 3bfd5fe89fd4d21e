import { useEffect, useState } from 'react';

/** How far this browser's clock is behind the server's, in milliseconds, estimated from responses. */
let behind = 0;

/** The server's time. Use it for comparisons with instants written by the server. */
export function serverNow(): number {
  return Date.now() + behind;
}

/** The server's time at an instant of this browser's clock, such as the time of a response. */
export function toServerTime(instant: number): number {
  return instant + behind;
}

/**
 * Updates the offset from a response's Date header. The header has whole seconds and the transfer takes time,
 * so the known offset stays as long as it is consistent with the header.
 */
export function learnServerTime(date: string | null, sentAt: number, receivedAt: number): void {
  const second = Date.parse(date ?? '');
  if (Number.isNaN(second)) return;
  const isPossible = sentAt + behind < second + 1000 && receivedAt + behind >= second;
  if (!isPossible) behind = second + 500 - (sentAt + receivedAt) / 2;
}

/** The server's time, which is updated every `everyMs` milliseconds. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
