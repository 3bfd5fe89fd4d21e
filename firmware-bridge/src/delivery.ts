import { READINGS_PER_BATCH } from '#contract/readings';
import type { Health } from './health.ts';
import type { Answer, IngestClient } from './ingest-client.ts';
import { errorText } from './log.ts';
import { backoffMs, createPause } from './pause.ts';
import type { Rejection, Spool, SpooledReading } from './spool.ts';

export type Delivery = {
  /** Something was spooled: send it now, or with the next batch when one is under way. */
  wake: () => void;
  /** Begins no further batch; resolves when the one under way is done. */
  stop: () => Promise<void>;
};

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 30_000;
/** How long a reading on which the ingest worker fails, alone in its batch, is left out. */
const PUT_OFF_MS = 60_000;

type Failure = Extract<Answer, { kind: 'failed' }>;

/** Sends spooled readings, oldest first, for as long as the process lives. */
export function startDelivery(spool: () => Spool, ingest: IngestClient, health: Health): Delivery {
  const news = createPause();
  const backoff = createPause();
  const stopping = new AbortController();
  let batchSize = READINGS_PER_BATCH;
  let failures = 0;

  function settle(
    batch: readonly SpooledReading[],
    results: Extract<Answer, { kind: 'accepted' }>['results'],
  ) {
    const accepted: SpooledReading[] = [];
    const rejected: Rejection[] = [];
    for (const [index, row] of batch.entries()) {
      const result = results[index];
      if (result?.status === 'rejected') rejected.push({ ...row, reason: result.reason });
      else if (result !== undefined) accepted.push(row);
    }
    spool().settle(accepted, rejected, Date.now());
    const stored = results.filter(({ status }) => status === 'stored').length;
    health.delivered({ stored, duplicates: accepted.length - stored, rejected: rejected.length });
  }

  /** Sends a batch, halving it while it is refused, until every reading in it is settled or sending fails. */
  async function send(batch: readonly SpooledReading[]): Promise<Failure | null> {
    const answer = await ingest.sendReadings(batch.map(({ reading }) => reading));
    if (answer.kind === 'failed') return answer;
    if (answer.kind === 'accepted') {
      settle(batch, answer.results);
      return null;
    }
    const [only] = batch;
    if (only !== undefined && batch.length === 1) {
      spool().settle([], [{ ...only, reason: answer.reason }], Date.now());
      health.delivered({ stored: 0, duplicates: 0, rejected: 1 });
      return null;
    }
    const middle = Math.ceil(batch.length / 2);
    return (await send(batch.slice(0, middle))) ?? (await send(batch.slice(middle)));
  }

  /**
   * An answer of 500 may be the fault of one reading in the batch. Halving the batch with each attempt finds it,
   * and putting it off lets its neighbours pass.
   */
  function isolate(batch: readonly SpooledReading[], failure: Failure) {
    if (failure.status !== 500) return;
    const [only] = batch;
    if (only !== undefined && batch.length === 1) spool().putOff(only.id, Date.now() + PUT_OFF_MS);
    else batchSize = Math.ceil(batch.length / 2);
  }

  async function sendNext(): Promise<void> {
    const now = Date.now();
    const batch = spool().oldest(batchSize, now);
    if (batch.length === 0) {
      const due = spool().nextDue();
      await news.wait(due === null ? Infinity : due - now);
      return;
    }
    const failure = await send(batch);
    if (failure === null) {
      failures = 0;
      batchSize = Math.min(batchSize * 2, READINGS_PER_BATCH);
      return;
    }
    isolate(batch, failure);
    const waitMs = Math.max(nextBackoffMs(), failure.retryAfterMs);
    health.deliveryFailed(failure.reason, waitMs);
    await backoff.wait(waitMs);
  }

  function nextBackoffMs(): number {
    failures += 1;
    return backoffMs(failures - 1, FIRST_RETRY_MS, LONGEST_RETRY_MS);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await sendNext();
      } catch (error) {
        health.spoolFailed(errorText(error));
        await backoff.wait(nextBackoffMs());
      }
    }
  }

  const done = run();
  return {
    wake: news.wake,
    stop: () => {
      stopping.abort();
      news.wake();
      backoff.wake();
      return done;
    },
  };
}
