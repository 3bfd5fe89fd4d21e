import { ADMIN } from '#contract/access-levels';
import type { Health, HealthDetails } from '#contract/health';
import { database } from '#db/client';
import { Hono } from 'hono';
import type { AppEnv } from '../lib/app-env.ts';
import { readConfig, type Env } from '../lib/config.ts';
import { traceOf, type Log } from '../lib/log.ts';
import { requireLevel } from '../lib/require-level.ts';
import { listStates } from '../plants/states-data.ts';
import { listTaskRuns } from '../tasks/data.ts';
import { listAlerts, listBridges, readBackupRecord } from '../watch/data.ts';
import { lastBackup, livingBridges, storageSize } from './data.ts';

export const health = new Hono<AppEnv>()
  .get('/', async (c) => {
    const parts = await askParts(c.env, c.var.log);
    const ok = Object.values(parts).every(Boolean);
    return c.json<Health>({ ok, parts }, ok ? 200 : 503);
  })

  .get('/details', requireLevel(ADMIN), async (c) => {
    const db = database(c.env.DB);
    const [parts, bridges, states, storage, last, record, tasks, alerts] = await Promise.all([
      askParts(c.env, c.var.log),
      listBridges(db),
      listStates(db),
      storageSize(db),
      lastBackup(db),
      readBackupRecord(db),
      listTaskRuns(db),
      listAlerts(db),
    ]);
    const { ALERT_WEBHOOK_URL, BACKUP_ALERT_DAYS } = readConfig(c.env);
    return c.json<HealthDetails>({
      parts,
      bridges: bridges.map((bridge) => ({
        bridge: bridge.bridgeId,
        alive: bridge.validUntil > Date.now(),
        broker_connected: bridge.brokerConnected,
        reported_at: iso(bridge.reportedAt),
        spool:
          bridge.spoolDepth === null
            ? null
            : {
                depth: bridge.spoolDepth,
                oldest_at: isoOrNull(bridge.spoolOldestAt),
                dead: bridge.spoolDead ?? 0,
              },
      })),
      plants: states.map(({ plant, last_received_at, stale_after_minutes, board }) => ({
        plant,
        last_received_at,
        stale_after_minutes,
        board,
      })),
      storage,
      backup: {
        last: last
          ? { at: iso(last.at), rows: last.rows ?? 0, files: last.files ?? 0, bytes: last.bytes ?? 0 }
          : null,
        failed_at: isoOrNull(record.failedAt),
        alert_days: BACKUP_ALERT_DAYS,
      },
      tasks: tasks.map(({ name, startedAt, finishedAt, ok }) => ({
        task: name,
        started_at: iso(startedAt),
        finished_at: isoOrNull(finishedAt),
        ok,
      })),
      alerts: alerts
        .filter(({ overAt }) => overAt === null)
        .map(({ kind, name, since }) => ({ kind, name, since: iso(since) })),
      webhook: ALERT_WEBHOOK_URL !== undefined,
    });
  });

const iso = (instant: number) => new Date(instant).toISOString();
const isoOrNull = (instant: number | null) => (instant === null ? null : iso(instant));

async function askParts(env: Env, log: Log): Promise<Health['parts']> {
  const [stored, ingest] = await Promise.all([askDatabase(env, log), askIngest(env, log)]);
  return { ...stored, ingest };
}

async function askDatabase(env: Env, log: Log): Promise<Omit<Health['parts'], 'ingest'>> {
  try {
    const bridges = await livingBridges(database(env.DB), Date.now());
    return {
      api: true,
      bridge: bridges.length > 0,
      broker: bridges.some((bridge) => bridge.brokerConnected),
    };
  } catch (error) {
    log('error', 'database_does_not_answer', { error: traceOf(error) });
    return { api: false, bridge: false, broker: false };
  }
}

async function askIngest(env: Env, log: Log): Promise<boolean> {
  try {
    return (await env.INGEST.fetch('http://ingest/health')).ok;
  } catch (error) {
    log('error', 'ingest_does_not_answer', { error: traceOf(error) });
    return false;
  }
}
