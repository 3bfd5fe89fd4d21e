import { READINGS_PER_BATCH } from '#contract/readings';
import { createBatchAhead } from './batch-ahead.ts';
import type { Clock } from '../clock.ts';
import { createGathering } from './gathering.ts';
import type { Health } from '../health.ts';
import type { Answer, Failed, IngestClient } from './ingest-client.ts';
import { backoffMs, createPause, PACE } from '../pause.ts';
import { readingsThatFit } from './readings-body.ts';
import { SpoolError } from '../spool/spool-error.ts';
import type { Spool } from '../spool/spool.ts';
import type { SpooledReading } from '../spool/tables.ts';
import type { Rejection } from '../spool/dead-letters.ts';

export type Delivery = {
  /** Something was spooled: send it now or, shortly after a batch, together with what follows. */
  wake: () => void;
  /** Starts no further batch; resolves when the current one is done. */
  stop: () => Promise<void>;
};

/** How often an idle bridge checks the spool, because the dead-letters command may have added readings. */
const LOOK_AGAIN_MS = 5000;
/** How long a request takes to leave. */
const LEAVES_MS = 4;
/** Tokens that come back faster are spent together, since each unpacking costs a commit. */
const NEXT_TOKEN_LEAST_MS = 100;
/** A reading that has failed this often on its own, while others were stored, becomes a dead letter. */
const FAILURES_ALONE_MAX = 10;
/** Maximum number of readings whose failures are counted; with more, the worker is at fault. */
const SUSPECTS_MAX = 1000;

/** The part of a batch on which sending failed. */
type Unsent = { failure: Failed; batch: readonly SpooledReading[] };

/** @param rows numbers of some of the batch, from 1 */
function split(batch: readonly SpooledReading[], rows: readonly number[]) {
  const ids = new Set(rows.map((row) => batch[row - 1]?.id));
  const named = batch.filter(({ id }) => ids.has(id));
  return { named, others: batch.filter(({ id }) => !ids.has(id)) };
}

/** Sends spooled readings, fairly of each board and its oldest first, until it is stopped. */
export function startDelivery(
  spool: () => Spool,
  ingest: IngestClient,
  health: Health,
  clock: Clock,
  pace = PACE,
): Delivery {
  const news = createPause();
  const backoff = createPause();
  const leaving = createPause();
  const stopping = new AbortController();
  const gathering = createGathering(pace.lingerMs);
  const failuresAlone = new Map<number, number>();
  /** Whether anything was stored since a reading last failed on its own. */
  let storedSince = false;
  let batchSize = READINGS_PER_BATCH;
  /** What is left of a batch on which the worker failed: it is looked through before others are sent. */
  let doubted: readonly SpooledReading[] = [];
  let doubtedOf: Spool | undefined;
  let failures = 0;
  /** Whether the last batch was stamped by the server's clock. */
  let wasByServer = false;
  const ahead = createBatchAhead(spool, clock);
  /** Settles the batch that was answered last; put off until the one after it is on its way. */
  let unsettled: { of: Spool; settle: () => void } | undefined;

  function settleLast(): void {
    const last = unsettled;
    unsettled = undefined;
    // In another file the same numbers are other readings.
    if (last?.of === spool()) last.settle();
  }

  function settle(
    batch: readonly SpooledReading[],
    results: Extract<Answer, { kind: 'accepted' }>['results'],
  ) {
    const accepted: SpooledReading[] = [];
    const rejected: (SpooledReading & Rejection)[] = [];
    for (const [index, row] of batch.entries()) {
      const result = results[index];
      if (result?.status === 'rejected') rejected.push({ ...row, reason: result.reason });
      else if (result !== undefined) accepted.push(row);
    }
    spool().settle(accepted, rejected, clock.now());
    const duplicates = results.filter(({ status }) => status === 'duplicate').length;
    health.delivered({ stored: accepted.length - duplicates, duplicates, rejected: rejected.length });
    storedSince = true;
    for (const { id } of batch) failuresAlone.delete(id);
  }

  function giveUp(rows: readonly SpooledReading[], reason: string): void {
    const rejected = rows.map((row) => ({ ...row, reason }));
    spool().settle([], rejected, clock.now());
    health.delivered({ stored: 0, duplicates: 0, rejected: rows.length });
    for (const { id } of rows) failuresAlone.delete(id);
  }

  /**
   * Sends a batch until every reading in it is settled or sending fails. When the batch is refused, it drops the rows
   * named, or else halves the batch.
   * @returns what could not be sent
   */
  async function send(batch: readonly SpooledReading[], of = spool()): Promise<Unsent | null> {
    const readings = batch.map(({ reading }) => reading);
    const answer = await ingest.sendReadings(
      readings,
      batch.every((row) => row.stampedByServer),
    );
    // In another file the same numbers are other readings.
    if (of !== spool()) return null;
    if (answer.kind === 'failed') return { failure: answer, batch };
    settleLast();
    if (answer.kind === 'accepted') {
      unsettled = { of, settle: () => settle(batch, answer.results) };
      return null;
    }
    if (batch.length === 1) {
      giveUp(batch, answer.reason);
      return null;
    }
    const { named, others } = split(batch, answer.rows);
    if (named.length > 0) {
      giveUp(named, answer.reason);
      return others.length === 0 ? null : send(others, of);
    }
    const middle = Math.ceil(batch.length / 2);
    return (await send(batch.slice(0, middle), of)) ?? (await send(batch.slice(middle), of));
  }

  /**
   * A 500 may be caused by a single reading. Halving that very batch on each attempt isolates it, however boards take turns; it
   * is then sent on its own and postponed a little longer each time, so that the others can pass.
   * @returns milliseconds to wait before the next attempt
   */
  function isolate({ batch, failure }: Unsent): number {
    if (failure.status !== 500) return nextBackoffMs();
    const [only] = batch;
    if (only === undefined || batch.length > 1) {
      batchSize = Math.ceil(batch.length / 2);
      doubted = batch;
      doubtedOf = spool();
      return backoffMs(0, pace.firstRetryMs, pace.longestRetryMs);
    }
    doubted = [];
    const before = failuresAlone.get(only.id) ?? 0;
    if (before >= FAILURES_ALONE_MAX) {
      giveUp(batch, `${failure.reason} (${before} times alone)`);
      return 0;
    }
    // If nothing else is stored either, the worker is at fault and not the reading.
    const isBlamed = storedSince;
    const waitMs = isBlamed ? 0 : nextBackoffMs();
    storedSince = false;
    if (failuresAlone.size < SUSPECTS_MAX) failuresAlone.set(only.id, isBlamed ? before + 1 : before);
    const leftOutMs = Math.min(pace.firstPutOffMs * 2 ** before, pace.longestPutOffMs);
    spool().putOff(only.id, clock.now() + waitMs + leftOutMs);
    return waitMs;
  }

  /**
   * Readings that are due and were stamped by the same clock, as many as fit into one body; where there are both kinds,
   * they take turns. A reading that has failed on its own is sent on its own again.
   */
  function nextBatch(found: readonly SpooledReading[]): readonly SpooledReading[] {
    const [byServer, others] = [true, false].map((kind) =>
      found.filter(({ stampedByServer }) => stampedByServer === kind),
    );
    const [first = [], second = []] = wasByServer ? [others, byServer] : [byServer, others];
    const alike = first.length > 0 ? first : second;
    wasByServer = alike[0]?.stampedByServer ?? false;
    const batch = alike.slice(0, readingsThatFit(alike.map(({ reading }) => reading)));
    const suspect = batch.findIndex(({ id }) => failuresAlone.has(id));
    return suspect === -1 ? batch : batch.slice(0, Math.max(suspect, 1));
  }

  /** Whether anything was unpacked. */
  function unpack(): boolean {
    try {
      const { unpacked, ...taken } = spool().unpack();
      health.took(taken);
      return unpacked > 0;
    } catch (error) {
      // On a full disk, what is unpacked already can still leave.
      if (!(error instanceof SpoolError && error.kind === 'full')) throw error;
      health.failed('delivery', error);
      return false;
    }
  }

  /** Until enough is spooled for a batch, or it has waited for others long enough. */
  async function gather(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitMs = gathering.waitMs(clock.uptime(), spool().holds(batchSize));
      if (waitMs === 0) return;
      await news.wait(waitMs);
    }
  }

  /** What is to be sent next, when it is time for it; none after a failure, or when there was nothing for a while. */
  async function findNext(): Promise<readonly SpooledReading[]> {
    settleLast();
    const hasUnpacked = unpack();
    const due = spool().nextDue();
    if (due !== null && due <= clock.now()) await gather();
    if (stopping.signal.aborted) return [];
    // Do not send a reading whose receipt time may still be corrected: sent twice, it would be stored as two readings.
    if (due !== null && clock.serverOffset() === null) {
      const failure = await ingest.askTime();
      if (failure !== null) {
        await pauseAfter(failure, nextBackoffMs());
        return [];
      }
    }
    const serverOffset = clock.serverOffset();
    if (serverOffset !== null) spool().learnTime(clock.boot, serverOffset);
    const now = clock.now();
    if (doubtedOf !== spool()) doubted = [];
    const found = doubted.length > 0 ? doubted.slice(0, batchSize) : spool().oldest(batchSize, now);
    // Nothing of what was unpacked may have been a reading; there may be more.
    if (found.length > 0 || hasUnpacked) return found;
    const token = Math.max(spool().nextTokenIn() ?? Infinity, NEXT_TOKEN_LEAST_MS);
    await news.wait(Math.min(due === null ? Infinity : due - now, token, LOOK_AGAIN_MS));
    return [];
  }

  async function sendNext(): Promise<void> {
    const found = ahead.take() ?? (await findNext());
    const batch = nextBatch(found);
    if (batch.length === 0) return;
    gathering.began(clock.uptime(), found.length === batchSize);
    const [sent, settled] = await Promise.allSettled([send(batch), workMeanwhile(batch)]);
    if (sent.status === 'rejected') throw sent.reason;
    if (settled.status === 'rejected') throw settled.reason;
    const unsent = sent.value;
    if (unsent !== null || batch.length < Math.max(found.length, doubted.length)) gathering.hurry();
    if (unsent === null) {
      failures = 0;
      doubted = doubted.filter((row) => !batch.includes(row));
      batchSize = Math.min(batchSize * 2, READINGS_PER_BATCH);
      return;
    }
    ahead.take();
    settleLast();
    await pauseAfter(unsent.failure, isolate(unsent));
  }

  /** While the ingest worker is at a batch: settles the one before it and makes the next one ready, so that neither waits. */
  async function workMeanwhile(sent: readonly SpooledReading[]): Promise<void> {
    const isFull = sent.length === READINGS_PER_BATCH;
    if (unsettled === undefined && !isFull) return;
    await leaving.wait(LEAVES_MS);
    settleLast();
    if (!isFull || stopping.signal.aborted) return;
    unpack();
    ahead.prepare(sent);
  }

  async function pauseAfter(failure: Failed, leastMs: number): Promise<void> {
    const waitMs = Math.max(leastMs, failure.retryAfterMs);
    health.deliveryFailed(failure.failure, failure.reason, waitMs, failure.requestId);
    await backoff.wait(waitMs);
  }

  function nextBackoffMs(): number {
    failures += 1;
    return backoffMs(failures - 1, pace.firstRetryMs, pace.longestRetryMs);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await sendNext();
        health.works('delivery');
      } catch (error) {
        health.failed('delivery', error);
        await backoff.wait(nextBackoffMs());
      }
    }
    try {
      settleLast();
    } catch (error) {
      health.failed('delivery', error);
    }
  }

  const done = run();
  return {
    wake: () => {
      gathering.arrived(clock.uptime());
      news.wake();
    },
    stop: () => {
      stopping.abort();
      news.wake();
      backoff.wake();
      return done;
    },
  };
}
