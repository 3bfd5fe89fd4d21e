import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TimestampSource } from './broker/decode.ts';

type Stamp = { receivedAt: number; stampedBy: TimestampSource };

/**
 * The server's time, computed from this machine's uptime and the server's responses. The wall clock is used
 * only before the first response.
 */
export type Clock = {
  now: () => number;
  stamp: () => Stamp;
  /** The server's time minus this boot's uptime; null while it is unknown. */
  serverOffset: () => number | null;
  boot: string;
  uptime: () => number;
  /** Call this with a response's server time, and the uptimes before the request and after the response. */
  heard: (serverTime: number, sentAt: number, answeredAt: number) => void;
};

/** If the wall clock and the uptime diverge by more than this, the clock was set or the machine slept. */
const PARTED_MS = 2000;

/** On Linux this is the time since the machine started. A restart of the process does not change it. */
const machineUptime = () => Number(process.hrtime.bigint() / 1_000_000n);

/** Identifies this boot of the machine or, where that is unavailable, this process. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return randomUUID();
  }
}

export function createClock(
  uptime: () => number = machineUptime,
  wall: () => number = Date.now,
  boot = bootId(),
): Clock {
  let epoch: string = randomUUID();
  let known: { serverOffset: number; wallOffset: number } | null = null;
  let isSure = false;

  const wallOffset = () => wall() - uptime();

  function lookForStep(): void {
    if (!isSure || known === null || Math.abs(wallOffset() - known.wallOffset) <= PARTED_MS) return;
    isSure = false;
    epoch = randomUUID();
  }

  const now = () => (known === null ? wall() : uptime() + known.serverOffset);

  return {
    boot,
    uptime,
    now,
    stamp: () => {
      lookForStep();
      const receivedAt = now();
      return { receivedAt, stampedBy: isSure ? 'server' : { boot, epoch, uptime: uptime() } };
    },
    serverOffset: () => {
      lookForStep();
      return isSure && known !== null ? known.serverOffset : null;
    },
    heard: (serverTime, sentAt, answeredAt) => {
      const [least, most] = [serverTime - answeredAt, serverTime - sentAt];
      // Keep the known offset if the response agrees with it: the offset from a slow response is less exact.
      const agrees = known !== null && known.serverOffset >= least && known.serverOffset <= most;
      const serverOffset = agrees && known ? known.serverOffset : Math.round((least + most) / 2);
      known = { serverOffset, wallOffset: wallOffset() };
      isSure = true;
    },
  };
}
