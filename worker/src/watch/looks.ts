import { MINUTE_MS } from '#contract/time';
import { BRIDGE_ALERTS, type AlertKey, type AlertKind, type WatchPart } from '#contract/alerts';
import type { Database } from '#db/client';
import { traceOf, type Log } from '#http/log';
import { lastEnded } from '../tasks/data.ts';
import { judgeBridge } from './bridge-rules.ts';
import { listBoards, listBridges, readBackupRecord } from './data.ts';
import { judgeBackup, judgeSilence, judgeTask, type Verdict } from './rules.ts';

/** What a database that does not answer may take from the time in which somebody can be told of it. */
const PATIENCE_MS = 10_000;

export type Judged = { key: AlertKey; verdict: Verdict };
/** What was seen of the kinds that one part of the watch looks at; null when that part did not get to see it. */
export type Look = { part: WatchPart; kinds: readonly AlertKind[]; judged: Judged[] | null };

/** Looks at each thing by itself: what cannot be seen hides nothing else. */
export async function lookAround(db: Database, backupDays: number, now: number, log: Log): Promise<Look[]> {
  const look = async (
    part: WatchPart,
    kinds: readonly AlertKind[],
    judge: () => Promise<Judged[]>,
  ): Promise<Look> => ({ part, kinds, judged: (await tried(part, judge, log)) ?? null });
  return await Promise.all([
    look('boards', ['board'], async () =>
      (await listBoards(db)).map(({ plant: name, heardAt, staleAfterMinutes }) => ({
        key: { kind: 'board', name },
        verdict: judgeSilence(heardAt, staleAfterMinutes * MINUTE_MS, now),
      })),
    ),
    look('bridges', BRIDGE_ALERTS, async () =>
      (await listBridges(db)).flatMap(({ bridge: name, word }) =>
        judgeBridge(word, now).map(([kind, verdict]) => ({ key: { kind, name }, verdict })),
      ),
    ),
    look('backups', ['backup'], async () => [
      {
        key: { kind: 'backup', name: '' },
        verdict: judgeBackup(await readBackupRecord(db), backupDays, now),
      },
    ]),
    look('tasks', ['task'], async () => [
      { key: { kind: 'task', name: 'retention' }, verdict: judgeTask(await lastEnded(db, 'retention'), now) },
    ]),
  ]);
}

/** What the work comes to; undefined, and a line in the log, when it fails or does not end in time. */
export async function tried<T>(part: WatchPart, work: () => Promise<T>, log: Log): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS);
  });
  try {
    return await Promise.race([work(), tooLong]);
  } catch (error) {
    log('error', 'watch_failed', { part, error: traceOf(error) });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
