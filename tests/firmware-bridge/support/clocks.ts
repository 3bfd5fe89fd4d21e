import { createClock, type Clock } from '../../../firmware-bridge/src/clock.ts';

/** A bridge's clock that has heard the server's time, which is that of the test. */
export function knownClock(): Clock {
  const clock = createClock(Date.now, Date.now);
  clock.heard(Date.now(), clock.uptime(), clock.uptime());
  return clock;
}
