import { createClock, type Clock } from '../../../firmware-bridge/src/clock.ts';

/** A bridge's clock that knows the server's time, which is the time of this machine. */
export function knownClock(): Clock {
  const clock = createClock(Date.now, Date.now);
  clock.heard(Date.now(), clock.uptime(), clock.uptime());
  return clock;
}
