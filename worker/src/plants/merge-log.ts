import { stackTrace } from '#http/log';
import type { Context } from 'hono';
import type { UserEnv } from '../lib/app-env.ts';
import { moveLog } from './log-data.ts';

/** The change is made and its line kept: what cannot be carried now is carried by the watch. */
export async function mergePlantLog({ var: { plants, db, log } }: Context<UserEnv>): Promise<void> {
  await moveLog(plants, db).catch((error: unknown) =>
    log('error', 'plant_log_waits', { error: stackTrace(error) }),
  );
}
