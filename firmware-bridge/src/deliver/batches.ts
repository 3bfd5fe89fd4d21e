import { READINGS_BODY_MAX, READINGS_PER_BATCH, type Reading } from '#contract/readings';
import type { Clock } from '../clock.ts';
import type { SpooledReading } from '../spool/tables.ts';

/** When nothing has arrived for so long after a full batch, a burst is over, and its rest need not wait for more. */
export const BURST_OVER_MS = 25;

export type BatchSchedule = {
  arrived: (now: number) => void;
  /** A batch was begun; `wasFull` when there were as many readings as it may hold. */
  began: (now: number, wasFull: boolean) => void;
  /** What is left is sent without delay: it had been due with the batch before, or that failed. */
  hurry: () => void;
  /** Milliseconds until what is spooled is to be sent, 0 when it is now. */
  waitMs: (now: number, isFull: boolean) => number;
};

/** How many batches go at once after a silence; each comes back after `lingerMs`. */
export const BATCHES_AT_ONCE = 3;

/**
 * When the next batch is due, so that readings that come singly are sent together. After a silence the first few go at
 * once, then a batch every `lingerMs`, and a full one without delay. All times are milliseconds of one clock that is never
 * set.
 */
export function createBatchSchedule(lingerMs: number): BatchSchedule {
  let arrivedAt = -Infinity;
  /** When all of `BATCHES_AT_ONCE` are available again. */
  let restedAt = -Infinity;
  let wasFull = false;
  let isHurried = false;
  return {
    arrived: (now) => {
      arrivedAt = now;
    },
    began: (now, full) => {
      // Full batches use up what there is and no more: nothing waits longer than `lingerMs` for them.
      restedAt = Math.min(Math.max(restedAt, now) + lingerMs, now + BATCHES_AT_ONCE * lingerMs);
      wasFull = full;
      isHurried = false;
    },
    hurry: () => {
      isHurried = true;
    },
    waitMs: (now, isFull) => {
      if (isFull || isHurried) return 0;
      const lingers = restedAt - (BATCHES_AT_ONCE - 1) * lingerMs;
      const until = wasFull ? Math.min(lingers, arrivedAt + BURST_OVER_MS) : lingers;
      return Math.max(0, until - now);
    },
  };
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const EMPTY_BODY_BYTES = bytesOf({ readings: [] });

/** No reading takes more beside its plant, with the comma behind it. */
const REST_MAX = bytesOf({
  datetime: '+010000-01-01T00:00:00.000Z',
  soil_moisture: 1023,
  seq: Number.MIN_SAFE_INTEGER,
  received_at: '+010000-01-01T00:00:00.000Z',
  newest: '+010000-01-01T00:00:00.000Z',
});

const fitsAtMost = (readings: readonly Reading[]) =>
  readings.reduce((bytes, { plant }) => bytes + REST_MAX + bytesOf({ plant }), EMPTY_BODY_BYTES) <=
  READINGS_BODY_MAX;

/** How many of the readings, from the first on, fit into the body of one POST /readings. The longest fits alone. */
export function readingsThatFit(readings: readonly Reading[]): number {
  if (fitsAtMost(readings)) return readings.length;
  let bytes = EMPTY_BODY_BYTES;
  for (const [index, reading] of readings.entries()) {
    bytes += bytesOf(reading);
    if (bytes > READINGS_BODY_MAX) return index;
    bytes += 1;
  }
  return readings.length;
}

/** The spool, as far as batches are taken out of it. */
type Source = {
  holds: (count: number) => boolean;
  oldest: (limit: number, now: number, besides: readonly number[]) => SpooledReading[];
};

export type BatchAhead = {
  /** Makes the next batch ready, if it is full without what was sent and is not settled yet. */
  prepare: (sent: readonly SpooledReading[]) => void;
  /** The batch that is ready, once; undefined when there is none, or the spool is another one since. */
  take: () => readonly SpooledReading[] | undefined;
};

/** A full batch that is taken out of the spool while the one before it is on its way. */
export function createBatchAhead(spool: () => Source, clock: Pick<Clock, 'now'>): BatchAhead {
  let ready: { of: Source; batch: readonly SpooledReading[] } | undefined;
  return {
    prepare: (sent) => {
      const of = spool();
      if (!of.holds(sent.length + READINGS_PER_BATCH)) return;
      const ids = sent.map(({ id }) => id);
      const batch = of.oldest(READINGS_PER_BATCH, clock.now(), ids);
      if (batch.length === READINGS_PER_BATCH) ready = { of, batch };
    },
    take: () => {
      const taken = ready?.of === spool() ? ready.batch : undefined;
      ready = undefined;
      return taken;
    },
  };
}

/** Those of the readings that were stamped by the server's clock, or the others: whichever is wanted, if there are any. */
export function stampedAlike(found: readonly SpooledReading[], wanted: boolean): readonly SpooledReading[] {
  const first = found.filter(({ stampedByServer }) => stampedByServer === wanted);
  return first.length > 0 ? first : found;
}

/**
 * The readings of a batch that an answer names, and the others.
 * @param rows numbers of some of the batch, from 1
 */
export function split(batch: readonly SpooledReading[], rows: readonly number[]) {
  const ids = new Set(rows.map((row) => batch[row - 1]?.id));
  const named = batch.filter(({ id }) => ids.has(id));
  return { named, others: batch.filter(({ id }) => !ids.has(id)) };
}
