import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * By whose clock a receipt was stamped: the server's, or this machine's own while the server's was not known. Such a
 * stamp can be put right later, from `uptime`, by what is then known of the same `boot`.
 */
export type StampedBy = 'server' | { boot: string; epoch: string; uptime: number };
export type Stamp = { receivedAt: number; stampedBy: StampedBy };

/** The server's time, as this machine's uptime and the server's answers tell it. The wall clock counts only before the first. */
export type Clock = {
  /** Milliseconds since 1970. */
  now: () => number;
  stamp: () => Stamp;
  /** What to add to an uptime of this boot for the server's time; null while that is not known. */
  serverOffset: () => number | null;
  boot: string;
  uptime: () => number;
  /** An answer told the server's time: it was then `serverTime` at some moment between the two uptimes. */
  heard: (serverTime: number, sentAt: number, answeredAt: number) => void;
};

/** A wall clock and an uptime that part by more than this tell that one was set, or the machine slept. */
const PARTED_MS = 2000;

/** On Linux it counts from the start of the machine, so that it outlives the process. */
const machineUptime = () => Number(process.hrtime.bigint() / 1_000_000n);

/** What only this start of the machine is called; where nobody says, of this process. */
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
      // An answer that does not contradict what is known changes nothing: it may only have taken longer.
      const agrees = known !== null && known.serverOffset >= least && known.serverOffset <= most;
      const serverOffset = agrees && known ? known.serverOffset : Math.round((least + most) / 2);
      known = { serverOffset, wallOffset: wallOffset() };
      isSure = true;
    },
  };
}
