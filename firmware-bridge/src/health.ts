import { VERSION } from '#contract/release';
import type { IngestFailure } from './deliver/ingest-client.ts';
import { errorText, log } from './log.ts';
import { SpoolError, type SpoolFailure, type SpoolStatus } from './spool/state.ts';
import type { WriteOutcome, WriteResult } from './spool/spool-writer.ts';

export type HealthTotals = {
  messages: number;
  repeats: number;
  refused: number;
  stored: number;
  duplicates: number;
  rejected: number;
};

/** The parts of the program that may throw unexpected errors. */
type Part = 'intake' | 'delivery' | 'status';

/** A failure that exists now. The health report, the metrics and the log all use its name. */
type Failure =
  'broker_lost' | `spool_${SpoolFailure}` | IngestFailure | 'heartbeat_failed' | `${Part}_broken`;

export type HealthReport = ReturnType<Health['report']>;

/** The bridge's state. The other parts report their events to this class, which also logs them. */
export class Health {
  readonly #spoolStatus: () => SpoolStatus | null;
  readonly #quotaChanged: () => void;
  readonly #boardsPassedOver: () => number;
  readonly #boardsReconnecting: () => string[];
  /** Number of messages in the dead-letter files beside the spool; null until they are counted. */
  readonly filedDeadLetters: () => number | null;
  readonly totals: HealthTotals = {
    messages: 0,
    repeats: 0,
    refused: 0,
    stored: 0,
    duplicates: 0,
    rejected: 0,
  };
  readonly #broken = new Set<Part>();
  #connected = false;
  #spoolFailure: SpoolFailure | null = 'closed';
  #ingestFailure: IngestFailure | null = null;
  #isHeard = true;
  #lastStoredAt: number | null = null;
  #lastError: { at: string; event: string; reason: string } | null = null;

  /**
   * @param spoolStatus returns null while the spool is not open; may throw if its file cannot be used
   * @param quotaChanged is called when a board exceeds its quota, or is within its quota again
   * @param filedDeadLetters returns null until the files are counted
   */
  constructor(
    spoolStatus: () => SpoolStatus | null,
    quotaChanged: () => void = () => undefined,
    filedDeadLetters: () => number | null = () => null,
    boardsPassedOver: () => number = () => 0,
    boardsReconnecting: () => string[] = () => [],
  ) {
    this.#spoolStatus = spoolStatus;
    this.#quotaChanged = quotaChanged;
    this.filedDeadLetters = filedDeadLetters;
    this.#boardsPassedOver = boardsPassedOver;
    this.#boardsReconnecting = boardsReconnecting;
  }

  problem(event: string, reason: string): void {
    this.#lastError = { at: new Date().toISOString(), event, reason };
    log('error', event, { reason });
  }

  /** A part has thrown an error. A SpoolError is a failure of the spool, any other error one of the part. */
  failed(part: Part, error: unknown): void {
    if (error instanceof SpoolError) {
      this.#spoolFailure = error.kind;
      this.problem(`spool_${error.kind}`, errorText(error));
    } else {
      this.#broken.add(part);
      this.problem(`${part}_broken`, errorText(error));
    }
  }

  /** The state of the spool; null if it cannot be read. */
  spool(): SpoolStatus | null {
    try {
      const status = this.#spoolStatus();
      this.#broken.delete('status');
      return status;
    } catch (error) {
      this.failed('status', error);
      return null;
    }
  }

  brokerConnected(): boolean {
    return this.#connected;
  }

  brokerChanged(now: boolean): void {
    if (now !== this.#connected) log('info', now ? 'broker_connected' : 'broker_lost');
    this.#connected = now;
  }

  spoolOpened(): void {
    this.#spoolFailure = null;
    log('info', 'spool_opened');
  }

  works(part: Part): void {
    this.#broken.delete(part);
  }

  received(outcome: WriteOutcome): void {
    this.#spoolFailure = null;
    this.#broken.delete('intake');
    this.totals.messages += 1;
    if (outcome === 'repeat') this.totals.repeats += 1;
    if (outcome === 'refused') this.totals.refused += 1;
  }

  took({ deadLetters, over, within }: WriteResult): void {
    for (const fields of deadLetters) log('warn', 'dead_letter', fields);
    for (const plant of over) log('warn', 'quota_exceeded', { plant });
    for (const fields of within) log('info', 'within_quota_again', fields);
    if (over.length + within.length > 0) this.#quotaChanged();
  }

  delivered({
    stored,
    duplicates,
    rejected,
  }: Pick<HealthTotals, 'stored' | 'duplicates' | 'rejected'>): void {
    this.#answersAgain();
    // On a full disk, a delivery deletes readings from the spool, but new readings still have no room.
    if (this.#spoolFailure !== 'full') this.#spoolFailure = null;
    this.totals.stored += stored;
    this.totals.duplicates += duplicates;
    this.totals.rejected += rejected;
    if (stored + duplicates > 0) this.#lastStoredAt = Date.now();
    if (rejected > 0) log('warn', 'readings_rejected', { count: rejected });
  }

  deliveryFailed(failure: IngestFailure, reason: string, retryInMs: number, requestId: string): void {
    this.#ingestFailure = failure;
    this.#lastError = { at: new Date().toISOString(), event: failure, reason };
    log('warn', failure, { request_id: requestId, reason, retry_in_ms: Math.round(retryInMs) });
  }

  /** A heartbeat has arrived. The log has only the first failure and the recovery, not each attempt. */
  heard(): void {
    if (!this.#isHeard) log('info', 'heartbeat_arrives_again');
    this.#isHeard = true;
  }

  /** A heartbeat has not arrived, or only a part of it. */
  unheard(reason: string): void {
    this.#lastError = { at: new Date().toISOString(), event: 'heartbeat_failed', reason };
    if (this.#isHeard) log('warn', 'heartbeat_failed', { reason });
    this.#isHeard = false;
  }

  /** Why the spool does not accept readings; null if it does. */
  spoolFailure(): SpoolFailure | null {
    return this.#spoolFailure;
  }

  /** Ages in milliseconds, instants in ISO 8601; unknown values are null. */
  report(now: number) {
    const status = this.spool();
    const oldest = status?.oldestReceivedAt ?? null;
    const wrong = this.#failures();
    return {
      ok: wrong.length === 0,
      version: VERSION,
      broker_connected: this.#connected,
      spool_writable: this.#spoolFailure === null,
      ingest_reachable: this.#ingestFailure === null && this.#isHeard,
      failures: wrong,
      spool_depth: status?.depth ?? null,
      oldest_age_ms: oldest === null ? null : Math.max(0, now - oldest),
      // How many readings wait because of their boards' quotas, and the boards that are over their quota.
      waiting_for_quota: status?.waiting ?? null,
      over_quota: status?.overQuota ?? null,
      // Dead letters: messages in the spool, readings in these, messages ever exported, messages now in
      // files.
      dead_letters: status?.deadLetters ?? null,
      dead_letter_readings: status?.deadReadings ?? null,
      dead_letters_exported: status?.deadExported ?? null,
      dead_letters_filed: this.filedDeadLetters(),
      // How many boards are never reported, because there are too many boards.
      boards_passed_over: this.#boardsPassedOver(),
      // The boards that keep reconnecting: two boards with one name take the connection from each other.
      boards_reconnecting: this.#boardsReconnecting(),
      last_stored_at: this.#lastStoredAt === null ? null : new Date(this.#lastStoredAt).toISOString(),
      last_error: this.#lastError,
    };
  }

  #answersAgain(): void {
    if (this.#ingestFailure !== null) log('info', 'ingest_answers_again');
    this.#ingestFailure = null;
  }

  #failures(): Failure[] {
    return [
      ...(this.#connected ? [] : (['broker_lost'] as const)),
      ...(this.#spoolFailure === null ? [] : ([`spool_${this.#spoolFailure}`] as const)),
      ...(this.#ingestFailure === null ? [] : [this.#ingestFailure]),
      ...(this.#isHeard ? [] : (['heartbeat_failed'] as const)),
      ...[...this.#broken].map((part) => `${part}_broken` as const),
    ];
  }
}
