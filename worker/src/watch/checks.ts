import type { WatchPart } from '#contract/alert-list';
import { alertKindsOfPart, type AlertKey, type AlertKind } from '#contract/alerts';
import { PLANTS_MAX } from '#contract/plants';
import type { Database } from '#db/client';
import { stackTrace, type Log } from '#http/log';
import type { Config } from '../lib/config.ts';
import { readWatermark } from '../plants/rollups-data.ts';
import { lastFinishedTaskRun } from '../tasks/data.ts';
import { judgeBridge, judgeQuotas, judgeReconnecting } from './bridge-rules.ts';
import {
  countPlants,
  lastDrill,
  listBoards,
  listWatchedBridges,
  readBackupRecord,
  recordUsageDay,
  readUsage,
} from './data.ts';
import { judgeBoard, judgeClock, judgeSensor, judgeSoil } from './plant-rules.ts';
import {
  badVerdict,
  wellVerdict,
  judgeBackup,
  judgeDrill,
  judgeRollups,
  judgeTask,
  UNKNOWN_VERDICT,
  type Verdict,
} from './rules.ts';
import { judgeDatabase, judgeRows } from './usage-rules.ts';

/** How long to wait for a database that does not answer, leaving enough time to report it. */
const PATIENCE_MS = 10_000;

export type JudgedAlert = { key: AlertKey; verdict: Verdict };
/** The result of one part of the watch for its kinds of alert; `judged` is null if the part failed. */
export type CheckResult = { part: WatchPart; kinds: readonly AlertKind[]; judged: JudgedAlert[] | null };

type Limits = Pick<Config, 'BACKUP_ALERT_DAYS' | 'CLOUDFLARE_PLAN'>;

/** Runs each check independently, so that one failure does not hide the others. */
export async function runChecks(
  { db, plants }: { db: Database; plants: Database },
  { BACKUP_ALERT_DAYS: backupDays, CLOUDFLARE_PLAN: plan }: Limits,
  now: number,
  log: Log,
): Promise<CheckResult[]> {
  const look = async (part: WatchPart, judge: () => Promise<JudgedAlert[]>): Promise<CheckResult> => ({
    part,
    kinds: alertKindsOfPart(part),
    judged: (await tryCheck(part, judge, log)) ?? null,
  });
  return await Promise.all([
    look('boards', async () => {
      const boards = await listBoards(plants);
      const count = await countPlants(plants);
      // Ignored here, because another check reports that the bridges cannot be read.
      const bridges = await listWatchedBridges(plants).catch(() => []);
      const held = judgeQuotas(
        bridges.flatMap(({ word }) => word ?? []),
        now,
      );
      const crowded: JudgedAlert = {
        key: { kind: 'plants', name: '' },
        verdict: count < PLANTS_MAX ? wellVerdict(now) : badVerdict(now),
      };
      const ofEach = boards.flatMap((board): JudgedAlert[] => {
        const { topic: name } = board;
        // Readings held by a quota reach the bridge but not this server, so only the quota's alert is right.
        const isHeld = held.get(name)?.state === 'bad';
        return [
          { key: { kind: 'board', name }, verdict: isHeld ? UNKNOWN_VERDICT : judgeBoard(board, now) },
          { key: { kind: 'dry', name }, verdict: judgeSoil(board, now) },
          { key: { kind: 'sensor', name }, verdict: judgeSensor(board, now) },
          { key: { kind: 'clock', name }, verdict: judgeClock(board, now) },
        ];
      });
      return [crowded, ...ofEach];
    }),
    look('bridges', async () => {
      const bridges = await listWatchedBridges(plants);
      const words = bridges.flatMap(({ word }) => word ?? []);
      return [
        ...bridges.flatMap(({ bridge: name, word }) =>
          judgeBridge(word, now).map(([kind, verdict]): JudgedAlert => ({ key: { kind, name }, verdict })),
        ),
        ...Array.from(judgeQuotas(words, now), ([name, verdict]): JudgedAlert => ({
          key: { kind: 'quota', name },
          verdict,
        })),
        ...Array.from(judgeReconnecting(words, now), ([name, verdict]): JudgedAlert => ({
          key: { kind: 'reconnecting', name },
          verdict,
        })),
      ];
    }),
    look('backups', async () => [
      {
        key: { kind: 'backup', name: '' },
        verdict: judgeBackup(await readBackupRecord(db), backupDays, now),
      },
      { key: { kind: 'drill', name: '' }, verdict: judgeDrill((await lastDrill(db))[0], now) },
    ]),
    look('usage', async () => {
      const usage = await readUsage(db, plants);
      // Ignored here: saving the alerts reports a database that refuses writes.
      await recordUsageDay(db, usage, now).catch(() => undefined);
      return [
        { key: { kind: 'database', name: '' }, verdict: judgeDatabase(usage, 'size', plan, now) },
        {
          key: { kind: 'database', name: 'plants' },
          verdict: judgeDatabase(usage, 'plantsSize', plan, now),
        },
        { key: { kind: 'rows', name: '' }, verdict: judgeRows(usage, plan, now) },
      ];
    }),
    look('tasks', async () => {
      // Ignored here, because another check reports that the plants cannot be read.
      const mark = await readWatermark(plants).catch(() => 0);
      return [
        {
          key: { kind: 'task', name: 'retention' },
          verdict: judgeTask(await lastFinishedTaskRun(db, 'retention'), now),
        },
        {
          key: { kind: 'task', name: 'rollups' },
          verdict: judgeRollups(await lastFinishedTaskRun(db, 'rollups'), mark, now),
        },
      ];
    }),
  ]);
}

/** Runs `work`; logs a failure or timeout and returns undefined. */
export async function tryCheck<T>(part: WatchPart, work: () => Promise<T>, log: Log): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS);
  });
  try {
    return await Promise.race([work(), tooLong]);
  } catch (error) {
    log('error', 'watch_failed', { part, error: stackTrace(error) });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
