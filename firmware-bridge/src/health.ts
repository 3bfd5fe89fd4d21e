import { isOwnName, NOT_OUR_NAME } from '#contract/own-names';
import { VERSION } from '#contract/release';
import { createServer, type Server } from 'node:http';
import type { IngestFailure } from './deliver/ingest-client.ts';
import { errorText, log } from './log.ts';
import { SpoolError, type SpoolFailure } from './spool/spool-error.ts';
import type { Outcome, SpoolStatus, Taken } from './spool/spool-file.ts';
import type { OverQuota } from './spool/waiting.ts';

type Totals = {
  messages: number;
  repeats: number;
  /** Messages beyond what may wait of their board. */
  refused: number;
  stored: number;
  duplicates: number;
  rejected: number;
};

/** Parts of the program that may throw unexpected errors. */
type Part = 'intake' | 'delivery' | 'status';

/** What is currently wrong; each name is used in the health report, as a metrics label and as a log event. */
type Failure =
  'broker_lost' | `spool_${SpoolFailure}` | IngestFailure | 'heartbeat_failed' | `${Part}_broken`;

/** The bridge's state. Everything that happens to the bridge is reported here, and from here to the log. */
export type Health = {
  brokerConnected: () => boolean;
  brokerChanged: (connected: boolean) => void;
  spoolOpened: () => void;
  /** A part threw. The spool's own failures are attributed to the spool, everything else to the part. */
  failed: (part: Part, error: unknown) => void;
  works: (part: Part) => void;
  received: (outcome: Outcome) => void;
  /** What became of messages and of their boards' quotas. */
  took: (taken: Taken) => void;
  delivered: (results: Pick<Totals, 'stored' | 'duplicates' | 'rejected'>) => void;
  deliveryFailed: (failure: IngestFailure, reason: string, retryInMs: number, requestId: string) => void;
  /** A heartbeat arrived. */
  heard: () => void;
  /** A heartbeat did not arrive, or not all of it. */
  unheard: (reason: string) => void;
  problem: (event: string, reason: string) => void;
  report: (now: number) => HealthReport;
  /** What is waiting; null while the spool does not answer. */
  spool: () => SpoolStatus | null;
  /** Messages whose letters lie in files beside the spool; null before they were counted. */
  filedDeadLetters: () => number | null;
  /** Why the spool does not accept readings; null when it does. */
  spoolFailure: () => SpoolFailure | null;
  totals: () => Readonly<Totals>;
};

/** Body of GET /health. Ages in milliseconds, instants in ISO 8601. */
type HealthReport = {
  ok: boolean;
  version: string;
  broker_connected: boolean;
  spool_writable: boolean;
  ingest_reachable: boolean;
  /** Everything that is currently wrong; empty when `ok`. */
  failures: Failure[];
  spool_depth: number | null;
  oldest_age_ms: number | null;
  /** Readings beyond the quotas of their boards, which wait for these, and the boards. */
  waiting_for_quota: number | null;
  over_quota: OverQuota[] | null;
  /** Messages that are dead letters, the readings in them, what was ever exported into files, and what lies in these. */
  dead_letters: number | null;
  dead_letter_readings: number | null;
  dead_letters_exported: number | null;
  dead_letters_filed: number | null;
  /** Boards of whose presence nothing is told because there are too many. */
  boards_passed_over: number;
  last_stored_at: string | null;
  last_error: { at: string; event: string; reason: string } | null;
};

/**
 * @param spoolStatus returns null while the spool is not open; may throw if the file is inaccessible
 * @param quotaChanged called when a board goes beyond its quota or comes back within it
 * @param filedDeadLetters null before they were counted
 */
export function createHealth(
  spoolStatus: () => SpoolStatus | null,
  quotaChanged: () => void = () => undefined,
  filedDeadLetters: () => number | null = () => null,
  boardsPassedOver: () => number = () => 0,
): Health {
  const totals: Totals = { messages: 0, repeats: 0, refused: 0, stored: 0, duplicates: 0, rejected: 0 };
  const broken = new Set<Part>();
  let connected = false;
  let spoolFailure: SpoolFailure | null = 'closed';
  let ingestFailure: IngestFailure | null = null;
  let isHeard = true;
  let lastStoredAt: number | null = null;
  let lastError: HealthReport['last_error'] = null;

  function problem(event: string, reason: string) {
    lastError = { at: new Date().toISOString(), event, reason };
    log('error', event, { reason });
  }

  function failed(part: Part, error: unknown) {
    if (error instanceof SpoolError) {
      spoolFailure = error.kind;
      problem(`spool_${error.kind}`, errorText(error));
    } else {
      broken.add(part);
      problem(`${part}_broken`, errorText(error));
    }
  }

  function statusOrNull(): SpoolStatus | null {
    try {
      const status = spoolStatus();
      broken.delete('status');
      return status;
    } catch (error) {
      failed('status', error);
      return null;
    }
  }

  function answersAgain(): void {
    if (ingestFailure !== null) log('info', 'ingest_answers_again');
    ingestFailure = null;
  }

  function failures(): Failure[] {
    return [
      ...(connected ? [] : (['broker_lost'] as const)),
      ...(spoolFailure === null ? [] : ([`spool_${spoolFailure}`] as const)),
      ...(ingestFailure === null ? [] : [ingestFailure]),
      ...(isHeard ? [] : (['heartbeat_failed'] as const)),
      ...[...broken].map((part) => `${part}_broken` as const),
    ];
  }

  return {
    brokerConnected: () => connected,
    brokerChanged: (now) => {
      if (now !== connected) log('info', now ? 'broker_connected' : 'broker_lost');
      connected = now;
    },
    spoolOpened: () => {
      spoolFailure = null;
      log('info', 'spool_opened');
    },
    failed,
    works: (part) => broken.delete(part),
    received: (outcome) => {
      spoolFailure = null;
      broken.delete('intake');
      totals.messages += 1;
      if (outcome === 'repeat') totals.repeats += 1;
      if (outcome === 'refused') totals.refused += 1;
    },
    took: ({ deadLetters, over, within }) => {
      for (const fields of deadLetters) log('warn', 'dead_letter', fields);
      for (const plant of over) log('warn', 'quota_exceeded', { plant });
      for (const fields of within) log('info', 'within_quota_again', fields);
      if (over.length + within.length > 0) quotaChanged();
    },
    delivered: ({ stored, duplicates, rejected }) => {
      answersAgain();
      // On a full disk, readings can leave the spool long before new ones fit.
      if (spoolFailure !== 'full') spoolFailure = null;
      totals.stored += stored;
      totals.duplicates += duplicates;
      totals.rejected += rejected;
      if (stored + duplicates > 0) lastStoredAt = Date.now();
      if (rejected > 0) log('warn', 'readings_rejected', { count: rejected });
    },
    deliveryFailed: (failure, reason, retryInMs, requestId) => {
      ingestFailure = failure;
      lastError = { at: new Date().toISOString(), event: failure, reason };
      log('warn', failure, { request_id: requestId, reason, retry_in_ms: Math.round(retryInMs) });
    },
    // Log only the first failure and the recovery, not the retries.
    heard: () => {
      if (!isHeard) log('info', 'heartbeat_arrives_again');
      isHeard = true;
    },
    unheard: (reason) => {
      lastError = { at: new Date().toISOString(), event: 'heartbeat_failed', reason };
      if (isHeard) log('warn', 'heartbeat_failed', { reason });
      isHeard = false;
    },
    problem,
    totals: () => totals,
    spool: statusOrNull,
    filedDeadLetters,
    spoolFailure: () => spoolFailure,
    report: (now) => {
      const status = statusOrNull();
      const oldest = status?.oldestReceivedAt ?? null;
      const wrong = failures();
      return {
        ok: wrong.length === 0,
        version: VERSION,
        broker_connected: connected,
        spool_writable: spoolFailure === null,
        ingest_reachable: ingestFailure === null && isHeard,
        failures: wrong,
        spool_depth: status?.depth ?? null,
        oldest_age_ms: oldest === null ? null : Math.max(0, now - oldest),
        waiting_for_quota: status?.waiting ?? null,
        over_quota: status?.overQuota ?? null,
        dead_letters: status?.deadLetters ?? null,
        dead_letter_readings: status?.deadReadings ?? null,
        dead_letters_exported: status?.deadExported ?? null,
        dead_letters_filed: filedDeadLetters(),
        boards_passed_over: boardsPassedOver(),
        last_stored_at: lastStoredAt === null ? null : new Date(lastStoredAt).toISOString(),
        last_error: lastError,
      };
    },
  };
}

function metric(type: 'gauge' | 'counter', name: string, help: string, value: number): string {
  return `# HELP cps_bridge_${name} ${help}\n# TYPE cps_bridge_${name} ${type}\ncps_bridge_${name} ${value}\n`;
}

/** The report in Prometheus format. Unknown values are left out. */
function metrics(report: HealthReport, totals: Totals): string {
  const gauges: [string, string, number | null][] = [
    ['broker_connected', 'Whether the broker is connected', Number(report.broker_connected)],
    ['spool_writable', 'Whether the spool file can be written', Number(report.spool_writable)],
    [
      'ingest_reachable',
      'Whether the last batch and the last heartbeat were answered',
      Number(report.ingest_reachable),
    ],
    ['spool_depth', 'Readings waiting in the spool', report.spool_depth],
    [
      'spool_oldest_age_seconds',
      'Age of the oldest waiting reading',
      report.spool_depth === null ? null : (report.oldest_age_ms ?? 0) / 1000,
    ],
    ['waiting_for_quota', "Readings waiting for their boards' quotas", report.waiting_for_quota],
    ['boards_over_quota', 'Boards beyond their quota', report.over_quota?.length ?? null],
    ['dead_letters', 'Messages that are dead letters', report.dead_letters],
    ['dead_letter_readings', 'Readings in dead letters', report.dead_letter_readings],
    ['dead_letters_filed', 'Messages whose dead letters lie in files', report.dead_letters_filed],
    ['boards_passed_over', 'Boards too many for their presence to be told', report.boards_passed_over],
  ];
  const counters: [string, string, number | null][] = [
    ['messages_total', 'Messages taken from the broker', totals.messages],
    ['repeats_total', 'Messages that the broker sent again', totals.repeats],
    ['messages_refused_total', 'Messages beyond what may wait of their board', totals.refused],
    ['dead_letters_exported_total', 'Dead letters exported into files', report.dead_letters_exported],
    ['readings_stored_total', 'Readings stored', totals.stored],
    ['readings_duplicate_total', 'Readings that were stored already', totals.duplicates],
    ['readings_rejected_total', 'Readings that the ingest worker rejected', totals.rejected],
  ];
  return [
    ...gauges.map(([name, help, value]) => (value === null ? '' : metric('gauge', name, help, value))),
    ...counters.map(([name, help, value]) => (value === null ? '' : metric('counter', name, help, value))),
    `# HELP cps_bridge_build_info The version\n# TYPE cps_bridge_build_info gauge\ncps_bridge_build_info{version="${VERSION}"} 1\n`,
    '# HELP cps_bridge_failure What is wrong now, each kind by its name\n# TYPE cps_bridge_failure gauge\n',
    ...report.failures.map((name) => `cps_bridge_failure{kind="${name}"} 1\n`),
  ].join('');
}

/**
 * Serves GET /health (200 or 503) and GET /metrics on loopback, to loopback's own names.
 * @throws Error when the port is taken
 */
export function serveHealth(health: Health, now: () => number, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (!isOwnName(request.headers.host)) {
      response.writeHead(421, { 'content-type': 'text/plain' }).end(NOT_OUR_NAME);
      return;
    }
    const path = request.url?.split('?')[0];
    const report = health.report(now());
    if (request.method !== 'GET') {
      response.writeHead(405, { allow: 'GET' }).end();
    } else if (path === '/health') {
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
      response.writeHead(report.ok ? 200 : 503, headers).end(JSON.stringify(report));
    } else if (path === '/metrics') {
      const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
      response.writeHead(200, headers).end(metrics(report, health.totals()));
    } else {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}
