import { database, type Database } from '#db/client';
import { readConfig, type Env } from '../lib/config.ts';
import type { Run } from '../tasks/run-task.ts';
import {
  keyOf,
  listAlerts,
  listBoards,
  listBridges,
  readBackupRecord,
  saveAlerts,
  type KeptAlert,
} from './data.ts';
import {
  follow,
  judgeBackup,
  judgeBridge,
  judgeSilence,
  judgeSpool,
  told,
  type AlertKey,
  type Verdict,
} from './rules.ts';
import { messageOf } from './words.ts';

const TIMEOUT_MS = 10_000;
const MINUTE = 60_000;

/** What is no more to be watched, such as a bridge whose keys were revoked, troubles nobody. */
const GONE: Verdict = { state: 'well', since: 0, holdMs: 0 };

/**
 * Looks at everything that is watched and tells the webhook what began and what is over, each once. What it did not take
 * is told the next time.
 * @returns how many alerts there are
 * @throws Error when the webhook did not take its message
 */
export async function watch(env: Env, { log, now }: Pick<Run, 'log' | 'now'>): Promise<{ alerts: number }> {
  const db = database(env.DB);
  const { ALERT_WEBHOOK_URL: url, BACKUP_ALERT_DAYS: days } = readConfig(env);
  const [kept, verdicts] = await Promise.all([listAlerts(db), judgeAll(db, days, now)]);
  const alertOf = new Map(kept.map((alert) => [keyOf(alert), alert]));
  const known = new Set(verdicts.map(({ key }) => keyOf(key)));
  const gone = kept.filter((alert) => !known.has(keyOf(alert))).map((key) => ({ key, verdict: GONE }));
  const alerts = [...verdicts, ...gone].flatMap(({ key: { kind, name }, verdict }): KeptAlert[] => {
    const alert = follow(alertOf.get(keyOf({ kind, name })), verdict, now);
    return alert ? [{ kind, name, ...alert }] : [];
  });
  if (url === undefined) {
    // What goes on is still to be told when somebody is there to hear it.
    const going = alerts.filter(({ overAt }) => overAt === null);
    await saveAlerts(db, going);
    return { alerts: going.length };
  }
  await saveAlerts(db, alerts);
  const text = messageOf(alerts);
  if (text === undefined) return { alerts: alerts.length };
  await tell(url, text);
  const left = alerts.flatMap(({ kind, name, ...alert }): KeptAlert[] => {
    const next = told(alert, now);
    return next ? [{ kind, name, ...next }] : [];
  });
  await saveAlerts(db, left);
  log('info', 'alerts_told', { alerts: left.length });
  return { alerts: left.length };
}

async function judgeAll(
  db: Database,
  days: number,
  now: number,
): Promise<{ key: AlertKey; verdict: Verdict }[]> {
  const [boards, bridges, backup] = await Promise.all([
    listBoards(db),
    listBridges(db),
    readBackupRecord(db),
  ]);
  return [
    ...boards.map(({ plant, heardAt, staleAfterMinutes }) => ({
      key: { kind: 'board' as const, name: plant },
      verdict: judgeSilence(heardAt, staleAfterMinutes * MINUTE, now),
    })),
    ...bridges.flatMap(({ bridgeId: name, reportedAt, validUntil, spoolOldestAt }) => [
      { key: { kind: 'bridge' as const, name }, verdict: judgeBridge(reportedAt, now) },
      { key: { kind: 'spool' as const, name }, verdict: judgeSpool(spoolOldestAt, validUntil > now, now) },
    ]),
    { key: { kind: 'backup', name: '' }, verdict: judgeBackup(backup, days, now) },
  ];
}

/** @throws Error without the address, which is a secret */
async function tell(url: string, text: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ text }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => (error instanceof Error ? error.name : 'unknown'));
  if (typeof answer === 'string') throw new Error(`the webhook does not answer (${answer})`);
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the webhook answered ${answer.status}`);
}
