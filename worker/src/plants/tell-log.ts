import { traceOf } from '#http/log';
import type { Context } from 'hono';
import type { UserEnv } from '../lib/app-env.ts';
import { carryLog } from './log-data.ts';

/** The change is made and its line kept: what cannot be carried now is carried by the watch. */
export async function tellLog({ var: { plants, db, log } }: Context<UserEnv>): Promise<void> {
  await carryLog(plants, db).catch((error: unknown) =>
    log('error', 'plant_log_waits', { error: traceOf(error) }),
  );
}
