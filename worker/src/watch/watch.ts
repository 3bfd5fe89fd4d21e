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
import { messageOf } from './words.ts';

const SOMETIMES = '이 상태가 계속되는 동안에는 한 시간에 한 번만 알립니다.';

/** A look, and after a good one the sign of life. */
export async function watchOver(env: Env): Promise<void> {
  const { log } = await runTask(env, 'watch', watch);
  const { HEARTBEAT_URL: url } = readConfig(env);
  if (url === undefined) return;
  // Its staying away is the message: there is nothing to do about it here.
  await signLife(url).catch((error: unknown) =>
    log('error', 'sign_of_life_failed', { error: traceOf(error) }),
  );
}

/**
 * Looks at everything that is watched and tells the webhook what began and what is over, each once. What it did not take
 * is told the next time. What keeps the watch itself from seeing or saving is told like the rest.
 * @returns how many alerts there are
 * @throws Error when it could not look, save or tell
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
  // Saved before anybody is told, to learn whether it can be: what cannot be remembered must not be told each time.
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

/** What becomes of every alert by what was seen. What nobody saw stays; what is no more to be watched is over. */
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

/** How the watch itself did: each of its parts that did not get to see anything. */
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

/** Those that nobody was told the end of: without a receiver, what goes on is still to be told when one is there. */
const going = (alerts: KeptAlert[]) => alerts.filter(({ overAt }) => overAt === null);

async function save(
  db: Database,
  alerts: KeptAlert[],
  { log, now }: Pick<Run, 'log' | 'now'>,
): Promise<boolean> {
  const work = async () => {
    // A write even when there is no alert: the first one must not be what finds out that none is taken.
    await noteStart(db, 'watch', now);
    await saveAlerts(db, alerts);
    return true;
  };
  return (await tried('saving', work, log)) ?? false;
}

/** @returns the alerts that are left when everything was told */
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
