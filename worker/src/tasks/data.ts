import type { Database } from '#db/client';
import { taskRuns } from '#db/watch';
import { asc, eq } from 'drizzle-orm';

export type TaskName = typeof taskRuns.$inferSelect.name;

/** Writes down that the task runs. */
export async function noteStart(db: Database, name: TaskName): Promise<void> {
  const run = { startedAt: Date.now(), finishedAt: null };
  await db
    .insert(taskRuns)
    .values({ name, ...run })
    .onConflictDoUpdate({ target: taskRuns.name, set: run });
}

/** Writes down how the run that was begun has ended. */
export async function noteEnd(db: Database, name: TaskName, ok: boolean): Promise<void> {
  await db.update(taskRuns).set({ finishedAt: Date.now(), ok }).where(eq(taskRuns.name, name));
}

/** The last run of each task that ever ran. */
export async function listTaskRuns(db: Database) {
  return await db.select().from(taskRuns).orderBy(asc(taskRuns.name));
}
