/** How far the browser's clock is behind the server's, in milliseconds, as far as its answers have told. */
let behind = 0;

/** The server's time. Whatever is compared with an instant that the server wrote is compared with this. */
export function serverNow(): number {
  return Date.now() + behind;
}

/** What the server's clock showed at an instant of the browser's, such as that of an answer. */
export function onServerClock(instant: number): number {
  return instant + behind;
}

/**
 * Learns from an answer's Date header. It is in whole seconds and the way takes its time, so what is known stays as long
 * as it can be true.
 */
export function learnServerTime(date: string | null, sentAt: number, receivedAt: number): void {
  const second = Date.parse(date ?? '');
  if (Number.isNaN(second)) return;
  const isPossible = sentAt + behind < second + 1000 && receivedAt + behind >= second;
  if (!isPossible) behind = second + 500 - (sentAt + receivedAt) / 2;
}
