import type { WatchPart } from '#contract/alert-list';
import type { AlertKey } from '#contract/alerts';
import { database, type Database } from '#db/client';
import { readConfig, type Env } from '../lib/config.ts';
import { stackTrace } from '#http/log';
import { movePlantLog } from '../plants/log-data.ts';
import { recordTaskStart } from '../tasks/data.ts';
import { runTask, type TaskRun } from '../tasks/run-task.ts';
import {
  clearNotified,
  type StoredAlert,
  alertStorageKey,
  lastNotifiedAt,
  listAlerts,
  recordNotified,
  saveAlerts,
} from './data.ts';
import { runChecks, tryCheck, type JudgedAlert, type CheckResult } from './checks.ts';
import {
  nextAlert,
  badVerdict,
  wellVerdict,
  alertAfterNotification,
  UNKNOWN_VERDICT,
  WATCH_EVERY_MS,
} from './rules.ts';
import { composeMessage, messageOptionsOf, type MessageOptions } from '../receivers/message.ts';
import {
  isInQuietHours,
  type ReceiverWithQuietHours,
  listReceiversWithQuietHours,
  type Notification,
  OPERATOR_RECEIVER_ID,
  pendingFailure,
  type OutboxUpdate,
} from '../receivers/outbox-data.ts';
import { fetchWithoutRedirect, sendMessage, type Channel, deliverNotifications } from '../receivers/send.ts';
import { HOUR_MS } from '#contract/time';

const SOMETIMES = {
  ko: '이 상태가 계속되는 동안에는 한 시간에 한 번만 알립니다.',
  en: 'While this problem lasts, one message is sent per hour.',
};

/** Runs the watch and, if it succeeded, pings the heartbeat service. */
export async function runWatch(env: Env): Promise<void> {
  const { log } = await runTask(env, 'watch', watch);
  const { HEARTBEAT_URL: url } = readConfig(env);
  if (url === undefined) return;
  // The heartbeat service alerts when the ping is missing, so nothing else is needed here.
  await pingHeartbeat(url).catch((error: unknown) =>
    log('error', 'sign_of_life_failed', { error: stackTrace(error) }),
  );
}

/**
 * Runs every check and notifies the receivers of begun and ended alerts, each once; failed deliveries are
 * retried. Failures of the watch itself are reported in the same way.
 * @returns the number of alerts
 * @throws Error if a check, saving or notifying the operator failed
 */
async function watch(env: Env, { log, now }: TaskRun): Promise<{ alerts: number }> {
  const db = database(env.DB);
  const plants = database(env.PLANTS_DB);
  const config = readConfig(env);
  const operator = operatorOf(config.ALERT_WEBHOOK_URL);
  const [kept, looks] = await Promise.all([
    tryCheck(
      'alerts',
      async () => ({ alerts: await listAlerts(db), listeners: await listReceiversWithQuietHours(db) }),
      log,
    ),
    runChecks({ db, plants }, config, now, log),
  ]);
  const failed = looks.filter(({ judged }) => judged === null).map(({ part }) => part);
  const unseen = areAll(failed, PLANTS_PARTS)
    ? [...failed.filter((part) => !PLANTS_PARTS.includes(part)), 'plants_database' as const]
    : failed;
  const alerts = nextAlerts(kept?.alerts ?? [], [...looks, ownLook(unseen, now)], now);
  const everybody = [...operator, ...(kept?.listeners ?? [])];
  const left = everybody.length === 0 ? going(alerts) : handedOn(alerts, now);
  const news = kept && (await save(db, left, { everybody, watched: watchedIn(looks), now }, log));
  const way = { ...config, EMAIL: env.EMAIL };
  const wording = messageOptionsOf(config);

  if (news === undefined) {
    const part = kept !== undefined ? 'saving' : areAll(failed, DB_PARTS) ? 'database' : 'alerts';
    const all = [...(part === 'database' ? [] : alerts), ...ownAlert(part, now)];
    for (const to of operator) await tellSometimes(env.FILES, to, all, { way, wording, now });
    throw new Error(`the watch failed: ${[...unseen, part].join(', ')}`);
  }
  await movePlantLog(plants, db).catch((error: unknown) =>
    log('error', 'plant_log_waits', { error: stackTrace(error) }),
  );
  await deliverNotifications(db, { plants, news, claimedAt: now, addressees: everybody, wording, way, log });
  // If the operator cannot be reached, fail: then the heartbeat service gets no ping and raises its alarm.
  const failure = await pendingFailure(db, OPERATOR_RECEIVER_ID);
  if (failure !== null) throw new Error(`the webhook: ${failure}`);
  if (unseen.length > 0) throw new Error(`the watch failed: ${unseen.join(', ')}`);
  await clearNotified(env.FILES);
  return { alerts: left.length };
}

/** Parts of the watch by the database that they read. */
const DB_PARTS: readonly WatchPart[] = ['backups', 'tasks', 'usage'];
const PLANTS_PARTS: readonly WatchPart[] = ['boards', 'bridges'];
const areAll = (failed: readonly WatchPart[], parts: readonly WatchPart[]) =>
  parts.every((part) => failed.includes(part));

/** The operator's webhook, which works without the database. */
const operatorOf = (url: string | undefined): ReceiverWithQuietHours[] =>
  url === undefined
    ? []
    : [{ id: OPERATOR_RECEIVER_ID, kind: 'slack', address: url, quiet_from: null, quiet_to: null }];

/** Applies the results to the stored alerts. Alerts whose check failed stay; alerts no longer checked end. */
function nextAlerts(kept: StoredAlert[], looks: CheckResult[], now: number): StoredAlert[] {
  const alertOf = new Map(kept.map((alert) => [alertStorageKey(alert), alert]));
  const judged = looks.flatMap((look) => look.judged ?? []);
  const known = new Set(judged.map(({ key }) => alertStorageKey(key)));
  const isUnseen = ({ kind }: AlertKey) => looks.some((look) => !look.judged && look.kinds.includes(kind));
  const rest = kept
    .filter((alert) => !known.has(alertStorageKey(alert)))
    .map((key): JudgedAlert => ({ key, verdict: isUnseen(key) ? UNKNOWN_VERDICT : wellVerdict(now) }));
  return [...judged, ...rest].flatMap(({ key: { kind, name }, verdict }): StoredAlert[] => {
    const alert = nextAlert(alertOf.get(alertStorageKey({ kind, name })), verdict, now);
    return alert ? [{ kind, name, ...alert }] : [];
  });
}

/** Judges the watch itself: a part whose check failed is bad. */
function ownLook(unseen: WatchPart[], now: number): CheckResult {
  const parts: WatchPart[] = ['boards', 'bridges', 'plants_database', 'backups', 'tasks', 'usage'];
  const judged = parts.map((name): JudgedAlert => ({
    key: { kind: 'watch', name },
    verdict: unseen.includes(name) ? badVerdict(now) : wellVerdict(now),
  }));
  return { part: 'database', kinds: ['watch'], judged };
}

const ownAlert = (name: WatchPart, now: number) =>
  nextAlerts(
    [],
    [{ part: name, kinds: [], judged: [{ key: { kind: 'watch', name }, verdict: badVerdict(now) }] }],
    now,
  );

/**
 * Drops alerts that have ended. Without a receiver nobody needs their end, but active alerts are sent once
 * there is a receiver.
 */
const going = (alerts: StoredAlert[]) => alerts.filter(({ overAt }) => overAt === null);

/** The alerts once the news of their start or end is in the outbox. */
const handedOn = (alerts: StoredAlert[], now: number) =>
  alerts.flatMap(({ kind, name, ...alert }): StoredAlert[] => {
    const next = alertAfterNotification(alert, now);
    return next ? [{ kind, name, ...next }] : [];
  });

/** Topics of the plants whose boards were checked; null if the check failed. */
const watchedIn = (looks: CheckResult[]) =>
  looks
    .find(({ part }) => part === 'boards')
    ?.judged?.flatMap(({ key: { kind, name } }) => (kind === 'board' ? [name] : [])) ?? null;

/** @returns the news to send now; undefined if nothing could be saved */
async function save(
  db: Database,
  alerts: StoredAlert[],
  post: Omit<OutboxUpdate, 'awake'>,
  log: TaskRun['log'],
): Promise<Notification[] | undefined> {
  const awake = post.everybody.filter((each) => !isInQuietHours(each, post.now));
  const work = async () => {
    // Write even without an alert, so that a failing database is found before the first alert.
    await recordTaskStart(db, 'watch', post.now);
    return await saveAlerts(db, alerts, { ...post, awake });
  };
  return await tryCheck('saving', work, log);
}

type Telling = { way: Channel; wording: MessageOptions; now: number };

async function tellSometimes(
  files: R2Bucket,
  to: ReceiverWithQuietHours,
  alerts: StoredAlert[],
  { way, wording, now }: Telling,
): Promise<void> {
  const news = alerts
    .filter(({ toldAt, overAt }) => toldAt === null || overAt !== null)
    .map(({ kind, name, since, overAt, detail }) => ({ kind, name, since, over_at: overAt, detail }));
  if (news.length === 0 || !(await isAlertDue(files, now))) return;
  const message = composeMessage(news, null, wording);
  const failure = await sendMessage(
    to,
    { ...message, lines: [...message.lines, SOMETIMES[wording.language]] },
    way,
  );
  if (failure === undefined) return;
  await clearNotified(files);
  throw new Error(`the webhook: ${failure}`);
}

/**
 * Limits messages that the database cannot record to one per hour. R2 stores when the last message was sent;
 * if R2 fails too, only the first run of each hour may send.
 */
export async function isAlertDue(files: R2Bucket, now: number): Promise<boolean> {
  try {
    const last = await lastNotifiedAt(files);
    if (last !== null && now - last < HOUR_MS) return false;
    await recordNotified(files);
    return true;
  } catch {
    return now % HOUR_MS < WATCH_EVERY_MS;
  }
}

/**
 * Pings a service that raises the alarm when the ping is missing (a dead man's switch). Uses GET, which every
 * such service accepts. @throws Error without the address, which is a secret
 */
async function pingHeartbeat(url: string): Promise<void> {
  const failure = await fetchWithoutRedirect(url, { method: 'GET' });
  if (failure !== undefined) throw new Error(`the service that expects the heartbeat: ${failure}`);
}
