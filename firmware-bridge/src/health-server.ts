import { isAllowedHost, HOST_REFUSED_TEXT } from '#contract/host-header';
import { VERSION } from '#contract/release';
import { createServer, type Server } from 'node:http';
import type { Health, HealthReport, HealthTotals } from './health.ts';

function metric(type: 'gauge' | 'counter', name: string, help: string, value: number): string {
  return `# HELP cps_bridge_${name} ${help}\n# TYPE cps_bridge_${name} ${type}\ncps_bridge_${name} ${value}\n`;
}

function metrics(report: HealthReport, totals: HealthTotals): string {
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
    ['boards_over_quota', 'Boards over their quota', report.over_quota?.length ?? null],
    ['dead_letters', 'Messages that are dead letters', report.dead_letters],
    ['dead_letter_readings', 'Readings in dead letters', report.dead_letter_readings],
    ['dead_letters_filed', 'Messages in files of dead letters', report.dead_letters_filed],
    ['boards_passed_over', 'Boards beyond the limit of reported boards', report.boards_passed_over],
    ['boards_reconnecting', 'Boards that connect again and again', report.boards_reconnecting.length],
  ];
  const counters: [string, string, number | null][] = [
    ['messages_total', 'Messages taken from the broker', totals.messages],
    ['repeats_total', 'Messages that the broker sent again', totals.repeats],
    ['messages_refused_total', 'Messages refused because their board had too many waiting', totals.refused],
    ['dead_letters_exported_total', 'Dead letters exported into files', report.dead_letters_exported],
    ['readings_stored_total', 'Readings stored', totals.stored],
    ['readings_duplicate_total', 'Readings that were stored already', totals.duplicates],
    ['readings_rejected_total', 'Readings that the ingest worker rejected', totals.rejected],
  ];
  return [
    ...gauges.map(([name, help, value]) => (value === null ? '' : metric('gauge', name, help, value))),
    ...counters.map(([name, help, value]) => (value === null ? '' : metric('counter', name, help, value))),
    `# HELP cps_bridge_build_info The version\n# TYPE cps_bridge_build_info gauge\ncps_bridge_build_info{version="${VERSION}"} 1\n`,
    '# HELP cps_bridge_failure Present failures, each by its name\n# TYPE cps_bridge_failure gauge\n',
    ...report.failures.map((name) => `cps_bridge_failure{kind="${name}"} 1\n`),
  ].join('');
}

/**
 * Serves GET /health (200 or 503) and GET /metrics on loopback, only for the host names of loopback.
 * @throws Error if the port is taken
 */
export function serveHealth(health: Health, now: () => number, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (!isAllowedHost(request.headers.host)) {
      response.writeHead(421, { 'content-type': 'text/plain' }).end(HOST_REFUSED_TEXT);
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
      response.writeHead(200, headers).end(metrics(report, health.totals));
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
