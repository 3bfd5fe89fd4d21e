import type { TaskName } from '#contract/alert-list';
import type { Database } from '#db/client';
import { taskRuns } from '#db/watch';
import { and, asc, eq, isNotNull } from 'drizzle-orm';

/** Records the task's start; `recordTaskEnd` records the result. */
export async function recordTaskStart(db: Database, name: TaskName, startedAt: number): Promise<void> {
  await note(db, { name, started_at: startedAt, finished_at: null });
}

/** @param failure why the task failed, as in the log; null on success */
export async function recordTaskEnd(
  db: Database,
  name: TaskName,
  startedAt: number,
  failure: string | null,
): Promise<void> {
  await note(db, { name, started_at: startedAt, finished_at: Date.now(), ok: failure === null, failure });
}

async function note(db: Database, { name, ...run }: typeof taskRuns.$inferInsert): Promise<void> {
  await db.commit([
    db
      .insert(taskRuns)
      .values({ name, ...run })
      .onConflictDoUpdate({ target: taskRuns.name, set: run }),
  ]);
}

/** When the task's last finished run started, and whether it succeeded or why not. */
export async function lastFinishedTaskRun(
  db: Database,
  name: TaskName,
): Promise<{ at: number; ok: boolean; failure: string | null } | undefined> {
  const [run] = await db
    .select({ at: taskRuns.started_at, ok: taskRuns.ok, failure: taskRuns.failure })
    .from(taskRuns)
    .where(and(eq(taskRuns.name, name), isNotNull(taskRuns.finished_at)));
  return run && { ...run, ok: run.ok ?? false };
}

export async function listTaskRuns(db: Database) {
  return await db.select().from(taskRuns).orderBy(asc(taskRuns.name));
}
