import { stackTrace } from '#http/log';
import type { Context } from 'hono';
import type { UserEnv } from '../lib/app-env.ts';
import { movePlantLog } from './log-data.ts';

/** Change and log line are already stored: if the line cannot be moved now, the watch moves it later. */
export async function mergePlantLog({ var: { plants, db, log } }: Context<UserEnv>): Promise<void> {
  await movePlantLog(plants, db).catch((error: unknown) =>
    log('error', 'plant_log_waits', { error: stackTrace(error) }),
  );
}
