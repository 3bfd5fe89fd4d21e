import type { AlertKey, WatchPart } from '#contract/alerts';
import { database, type Database } from '#db/client';
import { readConfig, type Env } from '../lib/config.ts';
import { traceOf } from '#http/log';
import { noteStart } from '../tasks/data.ts';
import { runTask, type Run } from '../tasks/run-task.ts';
import { forgetTold, keyOf, listAlerts, saveAlerts, type KeptAlert } from './data.ts';
import { lookAround, tried, type Judged, type Look } from './looks.ts';
import { follow, isBad, isWell, told, UNKNOWN } from './rules.ts';
import { signLife, tellWebhook } from './tell.ts';
import { mayTell } from './told-lately.ts';
import { messageOf } from './message.ts';

const SOMETIMES = '이 상태가 계속되는 동안에는 한 시간에 한 번만 알립니다.';

/** Runs the watch and, if it succeeded, sends the sign of life. */
export async function watchOver(env: Env): Promise<void> {
  const { log } = await runTask(env, 'watch', watch);
  const { HEARTBEAT_URL: url } = readConfig(env);
  if (url === undefined) return;
  // A missing ping is itself the alarm, so there is nothing else to do here.
  await signLife(url).catch((error: unknown) =>
    log('error', 'sign_of_life_failed', { error: traceOf(error) }),
  );
}

/**
 * Runs every check and reports to the webhook what began and what ended, each once; what could not be delivered is sent
 * next time. Failures of the watch itself are reported in the same way.
 * @returns the number of alerts
 * @throws Error when a check, saving or reporting failed
 */
async function watch(env: Env, { log, now }: Run): Promise<{ alerts: number }> {
  const db = database(env.DB);
  const { ALERT_WEBHOOK_URL: url, BACKUP_ALERT_DAYS: days } = readConfig(env);
  const [kept, looks] = await Promise.all([
    tried('alerts', () => listAlerts(db), log),
    lookAround(db, days, now, log),
  ]);
  const unseen = looks.filter(({ judged }) => judged === null).map(({ part }) => part);
  const alerts = nextAlerts(kept ?? [], [...looks, ownLook(unseen, now)], now);
  // Save before reporting, to learn whether it works: an alert that cannot be recorded would be sent on every run.
  const remembers = kept !== undefined && (await save(db, url ? alerts : going(alerts), { log, now }));

  if (!remembers) {
    const part = kept !== undefined ? 'saving' : unseen.length === looks.length ? 'database' : 'alerts';
    const all = [...(part === 'database' ? [] : alerts), ...ownAlert(part, now)];
    if (url !== undefined) await tellSometimes(env.FILES, url, all, now);
    throw new Error(`the watch failed: ${[...unseen, part].join(', ')}`);
  }
  const left = url === undefined ? going(alerts) : await tellNews(db, url, alerts, { log, now });
  if (unseen.length > 0) throw new Error(`the watch failed: ${unseen.join(', ')}`);
  await forgetTold(env.FILES);
  return { alerts: left.length };
}

/** Applies the results to the stored alerts. Alerts whose check failed stay; those no longer checked end. */
function nextAlerts(kept: KeptAlert[], looks: Look[], now: number): KeptAlert[] {
  const alertOf = new Map(kept.map((alert) => [keyOf(alert), alert]));
  const judged = looks.flatMap((look) => look.judged ?? []);
  const known = new Set(judged.map(({ key }) => keyOf(key)));
  const isUnseen = ({ kind }: AlertKey) => looks.some((look) => !look.judged && look.kinds.includes(kind));
  const rest = kept
    .filter((alert) => !known.has(keyOf(alert)))
    .map((key): Judged => ({ key, verdict: isUnseen(key) ? UNKNOWN : isWell(now) }));
  return [...judged, ...rest].flatMap(({ key: { kind, name }, verdict }): KeptAlert[] => {
    const alert = follow(alertOf.get(keyOf({ kind, name })), verdict, now);
    return alert ? [{ kind, name, ...alert }] : [];
  });
}

/** Judges the watch itself: a part whose check failed is bad. */
function ownLook(unseen: WatchPart[], now: number): Look {
  const parts: WatchPart[] = ['boards', 'bridges', 'backups', 'tasks'];
  const judged = parts.map((name): Judged => ({
    key: { kind: 'watch', name },
    verdict: unseen.includes(name) ? isBad(now) : isWell(now),
  }));
  return { part: 'database', kinds: ['watch'], judged };
}

const ownAlert = (name: WatchPart, now: number) =>
  nextAlerts(
    [],
    [{ part: name, kinds: [], judged: [{ key: { kind: 'watch', name }, verdict: isBad(now) }] }],
    now,
  );

/**
 * Drops alerts that have ended. Without a webhook nobody needs their end, but active ones are still reported once there
 * is one.
 */
const going = (alerts: KeptAlert[]) => alerts.filter(({ overAt }) => overAt === null);

async function save(
  db: Database,
  alerts: KeptAlert[],
  { log, now }: Pick<Run, 'log' | 'now'>,
): Promise<boolean> {
  const work = async () => {
    // Write even when there is no alert, so that the first alert is not the one to discover that writes fail.
    await noteStart(db, 'watch', now);
    await saveAlerts(db, alerts);
    return true;
  };
  return (await tried('saving', work, log)) ?? false;
}

/** @returns the alerts that remain after everything was reported */
async function tellNews(
  db: Database,
  url: string,
  alerts: KeptAlert[],
  { log, now }: Pick<Run, 'log' | 'now'>,
): Promise<KeptAlert[]> {
  const text = messageOf(alerts);
  if (text === undefined) return alerts;
  await tellWebhook(url, text);
  const left = alerts.flatMap(({ kind, name, ...alert }): KeptAlert[] => {
    const next = told(alert, now);
    return next ? [{ kind, name, ...next }] : [];
  });
  await saveAlerts(db, left);
  log('info', 'alerts_told', { alerts: left.length });
  return left;
}

async function tellSometimes(files: R2Bucket, url: string, alerts: KeptAlert[], now: number): Promise<void> {
  const text = messageOf(alerts);
  if (text === undefined || !(await mayTell(files, now))) return;
  try {
    await tellWebhook(url, `${text}\n${SOMETIMES}`);
  } catch (error) {
    await forgetTold(files);
    throw error;
  }
}
