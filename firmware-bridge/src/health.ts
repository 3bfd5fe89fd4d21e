import { createServer, type Server } from 'node:http';
import { log } from './log.ts';
import type { SpoolStatus } from './spool.ts';

type Totals = { messages: number; repeats: number; stored: number; duplicates: number; rejected: number };

/** What the bridge knows about itself. Everything that happens to it is reported here, and from here to the log. */
export type Health = {
  brokerConnected: () => boolean;
  brokerChanged: (connected: boolean) => void;
  spoolOpened: () => void;
  spoolFailed: (reason: string) => void;
  /** A message is in the spool. */
  received: (outcome: 'kept' | 'repeat') => void;
  /** Results of a batch are in the spool. */
  delivered: (results: Pick<Totals, 'stored' | 'duplicates' | 'rejected'>) => void;
  deliveryFailed: (reason: string, retryInMs: number, requestId: string) => void;
  problem: (event: string, reason: string) => void;
  report: (now: number) => HealthReport;
  /** What waits; null while the spool does not answer. */
  spool: () => SpoolStatus | null;
  totals: () => Readonly<Totals>;
};

/** Body of GET /health. Ages in milliseconds, instants in ISO 8601. */
export type HealthReport = {
  ok: boolean;
  broker_connected: boolean;
  spool_writable: boolean;
  ingest_reachable: boolean;
  spool_depth: number | null;
  oldest_age_ms: number | null;
  dead_letters: number | null;
  last_stored_at: string | null;
  last_error: { at: string; event: string; reason: string } | null;
};

/** @param spoolStatus null while the spool is not open; may throw when the file does not answer */
export function createHealth(spoolStatus: () => SpoolStatus | null): Health {
  const totals: Totals = { messages: 0, repeats: 0, stored: 0, duplicates: 0, rejected: 0 };
  let connected = false;
  let spoolWritable = false;
  let ingestReachable = true;
  let lastStoredAt: number | null = null;
  let lastError: HealthReport['last_error'] = null;

  function problem(event: string, reason: string) {
    lastError = { at: new Date().toISOString(), event, reason };
    log('error', event, { reason });
  }

  function statusOrNull(): SpoolStatus | null {
    try {
      return spoolStatus();
    } catch (error) {
      spoolWritable = false;
      problem('spool_failed', String(error));
      return null;
    }
  }

  return {
    brokerConnected: () => connected,
    brokerChanged: (now) => {
      if (now !== connected) log('info', now ? 'broker_connected' : 'broker_lost');
      connected = now;
    },
    spoolOpened: () => {
      spoolWritable = true;
      log('info', 'spool_opened');
    },
    spoolFailed: (reason) => {
      spoolWritable = false;
      problem('spool_failed', reason);
    },
    received: (outcome) => {
      spoolWritable = true;
      totals.messages += 1;
      if (outcome === 'repeat') totals.repeats += 1;
    },
    delivered: ({ stored, duplicates, rejected }) => {
      if (!ingestReachable) log('info', 'ingest_answers_again');
      ingestReachable = true;
      spoolWritable = true;
      totals.stored += stored;
      totals.duplicates += duplicates;
      totals.rejected += rejected;
      if (stored + duplicates > 0) lastStoredAt = Date.now();
      if (rejected > 0) log('warn', 'readings_rejected', { count: rejected });
    },
    deliveryFailed: (reason, retryInMs, requestId) => {
      ingestReachable = false;
      lastError = { at: new Date().toISOString(), event: 'delivery_failed', reason };
      log('warn', 'delivery_failed', {
        request_id: requestId,
        reason,
        retry_in_ms: Math.round(retryInMs),
      });
    },
    problem,
    totals: () => totals,
    spool: statusOrNull,
    report: (now) => {
      const status = statusOrNull();
      const oldest = status?.oldestReceivedAt ?? null;
      return {
        ok: connected && spoolWritable && ingestReachable,
        broker_connected: connected,
        spool_writable: spoolWritable,
        ingest_reachable: ingestReachable,
        spool_depth: status?.depth ?? null,
        oldest_age_ms: oldest === null ? null : Math.max(0, now - oldest),
        dead_letters: status?.deadLetters ?? null,
        last_stored_at: lastStoredAt === null ? null : new Date(lastStoredAt).toISOString(),
        last_error: lastError,
      };
    },
  };
}

function metric(type: 'gauge' | 'counter', name: string, help: string, value: number): string {
  return `# HELP cps_bridge_${name} ${help}\n# TYPE cps_bridge_${name} ${type}\ncps_bridge_${name} ${value}\n`;
}

/** The same as Prometheus text. What is not known at the moment is left out. */
function metrics(report: HealthReport, totals: Totals): string {
  const gauges: [string, string, number | null][] = [
    ['broker_connected', 'Whether the broker is connected', Number(report.broker_connected)],
    ['spool_writable', 'Whether the spool file can be written', Number(report.spool_writable)],
    ['ingest_reachable', 'Whether the last batch was answered', Number(report.ingest_reachable)],
    ['spool_depth', 'Readings waiting in the spool', report.spool_depth],
    [
      'spool_oldest_age_seconds',
      'Age of the oldest waiting reading',
      report.spool_depth === null ? null : (report.oldest_age_ms ?? 0) / 1000,
    ],
    ['dead_letters', 'Messages kept as dead letters', report.dead_letters],
  ];
  const counters: [string, string, number][] = [
    ['messages_total', 'Messages taken from the broker', totals.messages],
    ['repeats_total', 'Messages that the broker sent again', totals.repeats],
    ['readings_stored_total', 'Readings stored', totals.stored],
    ['readings_duplicate_total', 'Readings that were stored already', totals.duplicates],
    ['readings_rejected_total', 'Readings that the ingest worker rejected', totals.rejected],
  ];
  return [
    ...gauges.map(([name, help, value]) => (value === null ? '' : metric('gauge', name, help, value))),
    ...counters.map(([name, help, value]) => metric('counter', name, help, value)),
  ].join('');
}

/**
 * Serves GET /health (200 or 503) and GET /metrics on loopback.
 * @throws when the port is taken
 */
export function serveHealth(health: Health, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    const report = health.report(Date.now());
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
