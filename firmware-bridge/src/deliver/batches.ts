import { READINGS_BODY_MAX, READINGS_PER_BATCH, type Reading } from '#contract/readings';
import type { Clock } from '../clock.ts';
import type { SpooledReading } from '../spool/tables.ts';

/** If no reading arrives for this long after a full batch, the burst is over: its rest is sent at once. */
export const BURST_OVER_MS = 25;

export type BatchSchedule = {
  arrived: (now: number) => void;
  /** Call this when a batch begins; `wasFull` if it has the maximum number of readings. */
  began: (now: number, wasFull: boolean) => void;
  /** Makes the next batch leave at once: it has readings that were already due with the last batch. */
  hurry: () => void;
  /** Milliseconds until the spooled readings are due; 0 if they are due now. */
  waitMs: (now: number, isFull: boolean) => number;
};

/** So many batches may be sent at once after a pause. After that, one more may be sent every `lingerMs`. */
export const BATCHES_AT_ONCE = 3;

/**
 * Decides when the next batch is due, so that single readings are sent together. After a pause the first
 * batches are sent at once, then one every `lingerMs`. A full batch is always sent at once. All times are
 * milliseconds of one monotonic clock.
 */
export function createBatchSchedule(lingerMs: number): BatchSchedule {
  let arrivedAt = -Infinity;
  /** From this time on, `BATCHES_AT_ONCE` batches may be sent at once again. */
  let restedAt = -Infinity;
  let wasFull = false;
  let isHurried = false;
  return {
    arrived: (now) => {
      arrivedAt = now;
    },
    began: (now, full) => {
      // With the limit `now + …`, a reading after many full batches waits no longer than `lingerMs`.
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

/** Maximum bytes that a reading needs in the body without its plant, including the comma after it. */
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

/** How many of the first readings fit into the body of one POST /readings. Every reading fits alone. */
export function countReadingsThatFit(readings: readonly Reading[]): number {
  if (fitsAtMost(readings)) return readings.length;
  let bytes = EMPTY_BODY_BYTES;
  for (const [index, reading] of readings.entries()) {
    bytes += bytesOf(reading);
    if (bytes > READINGS_BODY_MAX) return index;
    bytes += 1;
  }
  return readings.length;
}

/** The functions of the spool from which batches are taken. */
type Source = {
  holds: (count: number) => boolean;
  oldest: (limit: number, now: number, besides: readonly number[]) => SpooledReading[];
};

export type BatchPrefetch = {
  /** Prepares the next batch from readings that are not in `sent`, if there are enough for a full batch. */
  prepare: (sent: readonly SpooledReading[]) => void;
  /** Returns the prepared batch once; undefined if there is none, or if the spool was replaced meanwhile. */
  take: () => readonly SpooledReading[] | undefined;
};

/** Takes the next full batch from the spool while the previous batch is being sent. */
export function createBatchPrefetch(spool: () => Source, clock: Pick<Clock, 'now'>): BatchPrefetch {
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

/** The readings stamped by the wanted clock (true: the server's). If there are none, returns all readings. */
export function readingsOfOneClock(
  found: readonly SpooledReading[],
  wanted: boolean,
): readonly SpooledReading[] {
  const first = found.filter(({ stampedByServer }) => stampedByServer === wanted);
  return first.length > 0 ? first : found;
}

/**
 * Splits a batch into the readings at the given positions, and the others.
 * @param rows positions in the batch; the first is 1
 */
export function splitBatch(batch: readonly SpooledReading[], rows: readonly number[]) {
  const ids = new Set(rows.map((row) => batch[row - 1]?.id));
  const named = batch.filter(({ id }) => ids.has(id));
  return { named, others: batch.filter(({ id }) => !ids.has(id)) };
}
