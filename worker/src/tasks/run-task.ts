import { newRequestId } from '#contract/request-id';
import { database } from '#db/client';
import { readConfig, readLogLevel, type Env } from '../lib/config.ts';
import { createLog, reasonOf, traceOf, type Log } from '../lib/log.ts';
import { noteEnd, noteStart, type TaskName } from './data.ts';

/** One run of a task: its id, the log of its lines, and its moment in milliseconds since 1970. */
export type Run = { id: string; log: Log; now: number };
/** @returns facts for the log */
type Task = (env: Env, run: Run) => Promise<Record<string, number>>;

/**
 * Runs a scheduled task under an id of its own, as requests have one, and writes down when it ran and how it ended.
 * @throws Error when the configuration is wrong or the task failed: the platform's own list of runs shows it too
 */
export async function runTask(env: Env, name: TaskName, task: Task): Promise<void> {
  const id = newRequestId();
  const log = createLog(id, readLogLevel(env));
  const startedAt = Date.now();
  const failure = await attempt(env, name, async () => {
    readConfig(env);
    const facts = await task(env, { id, log, now: startedAt });
    log('info', 'task_done', { task: name, ms: Date.now() - startedAt, ...facts });
  });
  if (failure === undefined) return;
  log('error', 'task_failed', { task: name, ms: Date.now() - startedAt, error: traceOf(failure.error) });
  // Without its cause, which the platform would print, parameters and all.
  throw new Error(`the task ${name} failed: ${reasonOf(failure.error)}`);
}

async function attempt(
  env: Env,
  name: TaskName,
  work: () => Promise<void>,
): Promise<{ error: unknown } | undefined> {
  try {
    const db = database(env.DB);
    await noteStart(db, name);
    const failure = await work().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    await noteEnd(db, name, failure === undefined);
    return failure;
  } catch (error) {
    return { error };
  }
}
