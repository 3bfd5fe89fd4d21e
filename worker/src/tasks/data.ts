import type { TaskName } from '#contract/alerts';
import type { Database } from '#db/client';
import { taskRuns } from '#db/watch';
import { and, asc, eq, isNotNull } from 'drizzle-orm';

/** Records the task's start; `noteEnd` records the rest. */
export async function noteStart(db: Database, name: TaskName, startedAt: number): Promise<void> {
  await note(db, { name, started_at: startedAt, finished_at: null });
}

export async function noteEnd(db: Database, name: TaskName, startedAt: number, ok: boolean): Promise<void> {
  await note(db, { name, started_at: startedAt, finished_at: Date.now(), ok });
}

async function note(db: Database, { name, ...run }: typeof taskRuns.$inferInsert): Promise<void> {
  await db
    .insert(taskRuns)
    .values({ name, ...run })
    .onConflictDoUpdate({ target: taskRuns.name, set: run });
}

/** When the task's last finished run started, and whether it succeeded. */
export async function lastEnded(
  db: Database,
  name: TaskName,
): Promise<{ at: number; ok: boolean } | undefined> {
  const [run] = await db
    .select({ at: taskRuns.started_at, ok: taskRuns.ok })
    .from(taskRuns)
    .where(and(eq(taskRuns.name, name), isNotNull(taskRuns.finished_at)));
  return run && { at: run.at, ok: run.ok ?? false };
}

export async function listTaskRuns(db: Database) {
  return await db.select().from(taskRuns).orderBy(asc(taskRuns.name));
}
