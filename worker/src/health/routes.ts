import { screenLevels } from '#contract/access-levels';
import { PLANT_ALERT_KINDS } from '#contract/alerts';
import { VERSION } from '#contract/release';
import type { BridgeDetails, Health, HealthDetails, PlanUsageDetails } from '#contract/health';
import type { CloudflarePlan } from '#contract/alert-limits';
import { database } from '#db/client';
import { listPlantStates } from '#db/plant-states';
import { Hono } from 'hono';
import type { AppEnv } from '../lib/app-env.ts';
import { readConfig, type Env } from '../lib/config.ts';
import { databaseFailedRecently } from '#http/broken-database';
import { nullOnFailure, type Log, stackTrace } from '#http/log';
import { requireLevel } from '../session/require-level.ts';
import { namesByTopic } from '../plants/states-data.ts';
import { listTaskRuns } from '../tasks/data.ts';
import {
  listAlerts,
  lastDrill,
  listWatchedBridges,
  readBackupRecord,
  type WatchedBridge,
  readUsage,
} from '../watch/data.ts';
import { daysUntilFull, rowsWritten, type Usage } from '../watch/usage-rules.ts';
import { reportsQuotas } from '../watch/bridge-rules.ts';
import { databaseSize, lastBackups, storageSize } from './data.ts';

export const health = new Hono<AppEnv>()
  .get('/', async (c) => {
    const { plants: _plants, ...parts } = await recentParts(c.env, c.var.log);
    const ok = Object.values(parts).every(Boolean);
    return c.json<Health>({ ok, parts }, ok ? 200 : 503);
  })

  .get('/details', requireLevel(screenLevels.health), async (c) => {
    const { db, plants, log } = c.var;
    const { ALERT_WEBHOOK_URL, HEARTBEAT_URL, BACKUP_ALERT_DAYS, CLOUDFLARE_PLAN } = readConfig(c.env);
    const [parts, bridges, states, names, storage, plantsSize, usage, last, record, drills, tasks, alerts] =
      await Promise.all([
        askParts(c.env, log),
        nullOnFailure(listWatchedBridges(plants), log),
        nullOnFailure(listPlantStates(plants), log),
        nullOnFailure(namesByTopic(plants), log),
        nullOnFailure(storageSize(db), log),
        nullOnFailure(databaseSize(plants), log),
        nullOnFailure(readUsage(db, plants), log),
        nullOnFailure(lastBackups(db), log),
        nullOnFailure(readBackupRecord(db), log),
        nullOnFailure(lastDrill(db), log),
        nullOnFailure(listTaskRuns(db), log),
        nullOnFailure(listAlerts(db), log),
      ]);
    const nameOf = (topic: string) => names?.get(topic) ?? topic;
    return c.json<HealthDetails>({
      at: iso(Date.now()),
      version: VERSION,
      parts,
      bridges: bridges && bridges.map((each) => bridgeDetails(each, nameOf)),
      plants:
        states &&
        states.map(({ plant, last_received_at, silent_after_minutes, board }) => ({
          plant,
          last_received_at,
          stale_after_minutes: silent_after_minutes,
          board,
        })),
      storage: storage && { ...storage, plants: plantsSize },
      usage: usage && usageDetails(usage, CLOUDFLARE_PLAN),
      backup: last &&
        record &&
        drills && {
          last: last[0]
            ? {
                at: iso(last[0].at),
                rows: last[0].rows ?? 0,
                files: last[0].files ?? 0,
                bytes: last[0].bytes ?? 0,
              }
            : null,
          before: last[1] ? { rows: last[1].rows ?? 0, files: last[1].files ?? 0 } : null,
          failed_at: isoOrNull(record.failedAt),
          alert_days: BACKUP_ALERT_DAYS,
          drill: drills[0] ? drillDetails(drills[0]) : null,
        },
      tasks:
        tasks &&
        tasks.map(({ name, started_at, finished_at, ok, failure }) => ({
          task: name,
          started_at: iso(started_at),
          finished_at: isoOrNull(finished_at),
          ok,
          failure,
        })),
      alerts:
        alerts &&
        alerts
          .filter(({ kind, overAt }) => kind !== 'dry' && overAt === null)
          .map(({ kind, name, since, detail }) => ({
            kind,
            detail,
            name: PLANT_ALERT_KINDS.includes(kind) ? nameOf(name) : name,
            since: iso(since),
          })),
      webhook: ALERT_WEBHOOK_URL !== undefined,
      heartbeat: HEARTBEAT_URL !== undefined,
    });
  });

type Drill = Awaited<ReturnType<typeof lastDrill>>[number];

const drillDetails = ({ at, made_at, rows, files }: Drill) => ({
  at: iso(at),
  restored: made_at === null ? null : { made_at: iso(made_at), rows: rows ?? 0, files: files ?? 0 },
});

const isAlive = ({ valid_until }: NonNullable<WatchedBridge['word']>) => valid_until > Date.now();

function bridgeDetails({ bridge, word }: WatchedBridge, nameOf: (topic: string) => string): BridgeDetails {
  return {
    bridge,
    alive: word !== null && isAlive(word),
    reported_at: isoOrNull(word?.reported_at ?? null),
    version: word?.version ?? null,
    broker_connected: word?.broker_connected ?? null,
    spool:
      word === null || word.spool_state === null
        ? null
        : {
            state: word.spool_state,
            depth: word.spool_depth,
            oldest_at: isoOrNull(word.spool_oldest_at),
            dead: word.spool_dead,
          },
    certificate_until: isoOrNull(word?.certificate_until ?? null),
    disk_free: word?.disk_free ?? null,
    boards_passed_over: word?.boards_passed_over ?? null,
    over_quota:
      word !== null && reportsQuotas(word, Date.now())
        ? (word.over_quota?.map(({ plant, waiting, refused }) => ({
            plant: nameOf(plant),
            waiting,
            refused,
          })) ?? null)
        : null,
  };
}

function usageDetails(usage: Usage, plan: CloudflarePlan): PlanUsageDetails {
  const now = Date.now();
  const { today, endsAt } = rowsWritten(usage, plan, now);
  return {
    plan,
    full_in_days: daysUntilFull(usage, 'size', plan, now),
    plants_full_in_days: daysUntilFull(usage, 'plantsSize', plan, now),
    rows_today: today,
    rows_end_at: isoOrNull(endsAt),
  };
}

const iso = (instant: number) => new Date(instant).toISOString();
const isoOrNull = (instant: number | null) => (instant === null ? null : iso(instant));

/** Anybody may ask at any rate, so an answer is reused for this long. */
const KEPT_MS = 1000;
let kept: { at: number; parts: HealthDetails['parts'] } | undefined;

async function recentParts(env: Env, log: Log): Promise<HealthDetails['parts']> {
  const age = Date.now() - (kept?.at ?? 0);
  if (kept && age >= 0 && age < KEPT_MS) return kept.parts;
  const parts = await askParts(env, log);
  kept = { at: Date.now(), parts };
  return parts;
}

async function askParts(env: Env, log: Log): Promise<HealthDetails['parts']> {
  const [api, ofPlants, ingest] = await Promise.all([
    askDatabase(env, log),
    askPlants(env, log),
    askIngest(env, log),
  ]);
  return { api, ...ofPlants, ingest };
}

async function askDatabase(env: Env, log: Log): Promise<boolean> {
  try {
    await lastBackups(database(env.DB));
    // These routes use PLANTS_DB; all others use DB.
    return !databaseFailedRecently((route) => !/^\/api\/(plants|bridges)/.test(route));
  } catch (error) {
    log('error', 'database_does_not_answer', { database: 'DB', error: stackTrace(error) });
    return false;
  }
}

async function askPlants(env: Env, log: Log): Promise<Omit<HealthDetails['parts'], 'api' | 'ingest'>> {
  try {
    const bridges = await listWatchedBridges(database(env.PLANTS_DB));
    // A bridge that never reported is not set up; a silent bridge is missing until its keys are revoked.
    const words = bridges.flatMap(({ word }) => word ?? []);
    const living = words.filter(isAlive);
    return {
      plants: true,
      bridge:
        living.length > 0 &&
        living.length === words.length &&
        living.every(({ spool_state }) => spool_state === null || spool_state === 'ok'),
      broker: living.length > 0 && living.every(({ broker_connected }) => broker_connected),
    };
  } catch (error) {
    log('error', 'database_does_not_answer', { database: 'PLANTS_DB', error: stackTrace(error) });
    return { plants: false, bridge: false, broker: false };
  }
}

async function askIngest(env: Env, log: Log): Promise<boolean> {
  try {
    return (await env.INGEST.fetch('http://ingest/health')).ok;
  } catch (error) {
    log('error', 'ingest_does_not_answer', { error: stackTrace(error) });
    return false;
  }
}
