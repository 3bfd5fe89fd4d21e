import { backoffMs } from '#contract/backoff';
import { READINGS_PER_BATCH } from '#contract/readings';
import type { Clock } from '../clock.ts';
import type { Health } from '../health.ts';
import type { IngestAnswer, FailedAnswer, IngestClient } from './ingest-client.ts';
import { createPause } from '../pause.ts';
import {
  createBatchPrefetch,
  createBatchSchedule,
  countReadingsThatFit,
  splitBatch,
  readingsOfOneClock,
  type BatchPrefetch,
  type BatchSchedule,
} from './batches.ts';
import { SpoolError } from '../spool/state.ts';
import type { Spool } from '../spool/spool.ts';
import type { SpooledReading } from '../spool/tables.ts';
import type { RejectedReading } from '../spool/dead-letter-store.ts';

/**
 * `lingerMs`: how long single readings are collected after a batch. `retry`: the wait after a failure.
 * `putOff`: how long a reading is left out if the ingest worker fails on that reading alone.
 */
export const DELIVERY_INTERVALS = {
  lingerMs: 1000,
  retry: { firstMs: 250, mostMs: 30_000 },
  putOff: { firstMs: 1000, mostMs: 60_000 },
};

/** How often an idle bridge looks into the spool: `dead-letters replay` may have added readings. */
const LOOK_AGAIN_MS = 5000;
/** How long this machine needs to send a request, in milliseconds. */
const LEAVES_MS = 4;
/** Minimum wait for the next token. Each unpacking costs a commit, so several tokens are spent together. */
const NEXT_TOKEN_LEAST_MS = 100;
/** A reading that was sent alone and failed this often, while others were stored, becomes a dead letter. */
const FAILURES_ALONE_MAX = 10;
/** Maximum number of readings whose failures are counted. If more fail, the worker is at fault. */
const SUSPECTS_MAX = 1000;

/** The readings of a batch that could not be sent. */
type Unsent = { failure: FailedAnswer; batch: readonly SpooledReading[] };

/** Sends spooled readings until it is stopped: the same number of each board, each board's oldest first. */
export class Delivery {
  readonly #spool: () => Spool;
  readonly #ingest: IngestClient;
  readonly #health: Health;
  readonly #clock: Clock;
  readonly #pace: typeof DELIVERY_INTERVALS;
  readonly #news = createPause();
  readonly #backoff = createPause();
  readonly #leaving = createPause();
  readonly #stopping = new AbortController();
  readonly #gathering: BatchSchedule;
  readonly #failuresAlone = new Map<number, number>();
  /** Whether any reading was stored after the last failure of a reading that was sent alone. */
  #storedSince = false;
  #batchSize = READINGS_PER_BATCH;
  /** The rest of a batch that the worker answered with 500. It is sent in parts before other readings. */
  #doubted: readonly SpooledReading[] = [];
  #doubtedOf: Spool | undefined;
  #failures = 0;
  /** Whether the server's clock stamped the last batch. */
  #wasByServer = false;
  readonly #ahead: BatchPrefetch;
  /** Settles the last batch that the worker answered. This waits until the next batch is being sent. */
  #unsettled: { of: Spool; settle: () => void } | undefined;
  readonly #done: Promise<void>;

  constructor(
    spool: () => Spool,
    ingest: IngestClient,
    health: Health,
    clock: Clock,
    pace = DELIVERY_INTERVALS,
  ) {
    this.#spool = spool;
    this.#ingest = ingest;
    this.#health = health;
    this.#clock = clock;
    this.#pace = pace;
    this.#gathering = createBatchSchedule(pace.lingerMs);
    this.#ahead = createBatchPrefetch(spool, clock);
    this.#done = this.#run();
  }

  /** Call when a reading was spooled: it is sent now or, soon after a batch, together with later readings. */
  wake(): void {
    this.#gathering.arrived(this.#clock.uptime());
    this.#news.wake();
  }

  /** Starts no further batch. Resolves when the present batch is done. */
  stop(): Promise<void> {
    this.#stopping.abort();
    this.#news.wake();
    this.#backoff.wake();
    return this.#done;
  }

  #settleLast(): void {
    const last = this.#unsettled;
    this.#unsettled = undefined;
    // If the spool file is a new one, the same row ids mean other readings.
    if (last?.of === this.#spool()) last.settle();
  }

  #settle(batch: readonly SpooledReading[], results: Extract<IngestAnswer, { kind: 'accepted' }>['results']) {
    const accepted: SpooledReading[] = [];
    const rejected: (SpooledReading & RejectedReading)[] = [];
    for (const [index, row] of batch.entries()) {
      const result = results[index];
      if (result?.status === 'rejected') rejected.push({ ...row, reason: result.reason });
      else if (result !== undefined) accepted.push(row);
    }
    this.#spool().settle(accepted, rejected, this.#clock.now());
    const duplicates = results.filter(({ status }) => status === 'duplicate').length;
    this.#health.delivered({ stored: accepted.length - duplicates, duplicates, rejected: rejected.length });
    this.#storedSince = true;
    for (const { id } of batch) this.#failuresAlone.delete(id);
  }

  #giveUp(rows: readonly SpooledReading[], reason: string): void {
    const rejected = rows.map((row) => ({ ...row, reason }));
    this.#spool().settle([], rejected, this.#clock.now());
    this.#health.delivered({ stored: 0, duplicates: 0, rejected: rows.length });
    for (const { id } of rows) this.#failuresAlone.delete(id);
  }

  /**
   * Sends a batch until every reading in it is settled or until sending fails. If the worker refuses the
   * batch, takes out the rows that its answer lists. Without such a list, halves the batch.
   * @returns the readings that could not be sent
   */
  async #send(batch: readonly SpooledReading[], of = this.#spool()): Promise<Unsent | null> {
    const readings = batch.map(({ reading }) => reading);
    const answer = await this.#ingest.sendReadings(
      readings,
      batch.every((row) => row.stampedByServer),
    );
    // If the spool file is a new one, the same row ids mean other readings.
    if (of !== this.#spool()) return null;
    if (answer.kind === 'failed') return { failure: answer, batch };
    this.#settleLast();
    if (answer.kind === 'accepted') {
      this.#unsettled = { of, settle: () => this.#settle(batch, answer.results) };
      return null;
    }
    if (batch.length === 1) {
      this.#giveUp(batch, answer.reason);
      return null;
    }
    const { named, others } = splitBatch(batch, answer.rows);
    if (named.length > 0) {
      this.#giveUp(named, answer.reason);
      return others.length === 0 ? null : this.#send(others, of);
    }
    const middle = Math.ceil(batch.length / 2);
    return (await this.#send(batch.slice(0, middle), of)) ?? (await this.#send(batch.slice(middle), of));
  }

  /**
   * A single reading may cause a 500, and would stop all others. So the batch is halved on each attempt until
   * that reading is sent alone. After each failure alone, the reading waits longer and the others are sent.
   * @returns milliseconds to wait before the next attempt
   */
  #isolate({ batch, failure }: Unsent): number {
    if (failure.status !== 500) return this.#nextBackoffMs();
    const [only] = batch;
    if (only === undefined || batch.length > 1) {
      this.#batchSize = Math.ceil(batch.length / 2);
      this.#doubted = batch;
      this.#doubtedOf = this.#spool();
      return backoffMs(0, this.#pace.retry, Math.random());
    }
    this.#doubted = [];
    const before = this.#failuresAlone.get(only.id) ?? 0;
    if (before >= FAILURES_ALONE_MAX) {
      this.#giveUp(batch, `${failure.reason} (${before} times alone)`);
      return 0;
    }
    // If no other reading was stored since the last failure, the worker is at fault and not this reading.
    const isBlamed = this.#storedSince;
    const waitMs = isBlamed ? 0 : this.#nextBackoffMs();
    this.#storedSince = false;
    if (this.#failuresAlone.size < SUSPECTS_MAX)
      this.#failuresAlone.set(only.id, isBlamed ? before + 1 : before);
    const leftOutMs = backoffMs(before, this.#pace.putOff, 0);
    this.#spool().putOff(only.id, this.#clock.now() + waitMs + leftOutMs);
    return waitMs;
  }

  /**
   * Takes readings whose receipt times are by the same clock, as many as fit into one body. Readings of the
   * two clocks are sent in turn. A reading that has failed alone is sent alone again.
   */
  #nextBatch(found: readonly SpooledReading[]): readonly SpooledReading[] {
    const alike = readingsOfOneClock(found, !this.#wasByServer);
    this.#wasByServer = alike[0]?.stampedByServer ?? false;
    const batch = alike.slice(0, countReadingsThatFit(alike.map(({ reading }) => reading)));
    const suspect = batch.findIndex(({ id }) => this.#failuresAlone.has(id));
    return suspect === -1 ? batch : batch.slice(0, Math.max(suspect, 1));
  }

  /** Unpacks waiting messages; returns whether it has unpacked any reading. */
  #unpack(): boolean {
    try {
      const { unpacked, ...taken } = this.#spool().unpack();
      this.#health.took(taken);
      return unpacked > 0;
    } catch (error) {
      // On a full disk, readings that are already unpacked can still be sent.
      if (!(error instanceof SpoolError && error.kind === 'full')) throw error;
      this.#health.failed('delivery', error);
      return false;
    }
  }

  /** Waits until the spool has enough readings for a batch, or a reading has waited long enough. */
  async #gather(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const waitMs = this.#gathering.waitMs(this.#clock.uptime(), this.#spool().holds(this.#batchSize));
      if (waitMs === 0) return;
      await this.#news.wait(waitMs);
    }
  }

  /** Waits for due readings and returns them: none after a failure, or if none were due for a while. */
  async #findNext(): Promise<readonly SpooledReading[]> {
    this.#settleLast();
    const hasUnpacked = this.#unpack();
    const due = this.#spool().nextDue();
    if (due !== null && due <= this.#clock.now()) await this.#gather();
    if (this.#stopping.signal.aborted) return [];
    // If a receipt time was sent and then corrected, the worker would store the reading a second time.
    if (due !== null && this.#clock.serverOffset() === null) {
      const failure = await this.#ingest.askTime();
      if (failure !== null) {
        await this.#pauseAfter(failure, this.#nextBackoffMs());
        return [];
      }
    }
    const serverOffset = this.#clock.serverOffset();
    if (serverOffset !== null) this.#spool().learnTime(this.#clock.boot, serverOffset);
    const now = this.#clock.now();
    if (this.#doubtedOf !== this.#spool()) this.#doubted = [];
    const found =
      this.#doubted.length > 0
        ? this.#doubted.slice(0, this.#batchSize)
        : this.#spool().oldest(this.#batchSize, now);
    // The unpacked messages may have contained no readings, and more messages may be waiting.
    if (found.length > 0 || hasUnpacked) return found;
    const token = Math.max(this.#spool().nextTokenIn() ?? Infinity, NEXT_TOKEN_LEAST_MS);
    await this.#news.wait(Math.min(due === null ? Infinity : due - now, token, LOOK_AGAIN_MS));
    return [];
  }

  async #sendNext(): Promise<void> {
    const found = this.#ahead.take() ?? (await this.#findNext());
    const batch = this.#nextBatch(found);
    if (batch.length === 0) return;
    this.#gathering.began(this.#clock.uptime(), found.length === this.#batchSize);
    const [sent, settled] = await Promise.allSettled([this.#send(batch), this.#workMeanwhile(batch)]);
    if (sent.status === 'rejected') throw sent.reason;
    if (settled.status === 'rejected') throw settled.reason;
    const unsent = sent.value;
    if (unsent !== null || batch.length < Math.max(found.length, this.#doubted.length))
      this.#gathering.hurry();
    if (unsent === null) {
      this.#failures = 0;
      this.#doubted = this.#doubted.filter((row) => !batch.includes(row));
      this.#batchSize = Math.min(this.#batchSize * 2, READINGS_PER_BATCH);
      return;
    }
    this.#ahead.take();
    this.#settleLast();
    await this.#pauseAfter(unsent.failure, this.#isolate(unsent));
  }

  /** While the ingest worker handles a batch, settles the batch before and prepares the batch after it. */
  async #workMeanwhile(sent: readonly SpooledReading[]): Promise<void> {
    const isFull = sent.length === READINGS_PER_BATCH;
    if (this.#unsettled === undefined && !isFull) return;
    await this.#leaving.wait(LEAVES_MS);
    this.#settleLast();
    if (!isFull || this.#stopping.signal.aborted) return;
    this.#unpack();
    this.#ahead.prepare(sent);
  }

  async #pauseAfter(failure: FailedAnswer, leastMs: number): Promise<void> {
    const waitMs = Math.max(leastMs, failure.retryAfterMs);
    this.#health.deliveryFailed(failure.failure, failure.reason, waitMs, failure.requestId);
    await this.#backoff.wait(waitMs);
  }

  #nextBackoffMs(): number {
    this.#failures += 1;
    return backoffMs(this.#failures - 1, this.#pace.retry, Math.random());
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#sendNext();
        this.#health.works('delivery');
      } catch (error) {
        this.#health.failed('delivery', error);
        await this.#backoff.wait(this.#nextBackoffMs());
      }
    }
    try {
      this.#settleLast();
    } catch (error) {
      this.#health.failed('delivery', error);
    }
  }
}
