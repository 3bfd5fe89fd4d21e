import type { TaskName } from '#contract/alert-list';
import { newRequestId } from '#contract/log-line';
import { database } from '#db/client';
import { readConfig, type Env } from '../lib/config.ts';
import { createLog, errorReason, stackTrace, type Log } from '#http/log';
import { recordTaskEnd } from './data.ts';

/** One run of a task: its id, its logger and its start in milliseconds since 1970. */
export type TaskRun = { id: string; log: Log; now: number };
const REASON_MAX = 200;

/** @returns facts for the log */
export type Task = (env: Env, run: TaskRun) => Promise<Record<string, number | Record<string, number>>>;

/**
 * Runs a scheduled task under its own id, as requests have one, and records the result afterwards, so that a
 * database that rejects writes does not stop the watch.
 * @throws Error if the configuration is invalid, or if the task or the recording failed, so that the
 * platform's list of runs shows the failure too
 */
export async function runTask(env: Env, name: TaskName, task: Task): Promise<TaskRun> {
  const id = newRequestId();
  const run: TaskRun = { id, log: createLog(id, env), now: Date.now() };
  const failure = await failureOf(async () => {
    readConfig(env);
    const facts = await task(env, run);
    run.log('info', 'task_done', { task: name, ms: Date.now() - run.now, ...facts });
  });
  const why = failure === undefined ? null : errorReason(failure.error).slice(0, REASON_MAX);
  const unnoted = await failureOf(() => recordTaskEnd(database(env.DB), name, run.now, why));
  const ending = failure ?? unnoted;
  if (ending === undefined) return run;
  run.log('error', 'task_failed', { task: name, ms: Date.now() - run.now, error: stackTrace(ending.error) });
  // Throw without the cause, because the platform would print it, query parameters included.
  throw new Error(`the task ${name} failed: ${errorReason(ending.error)}`);
}

async function failureOf(work: () => Promise<void>): Promise<{ error: unknown } | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return { error };
  }
}
