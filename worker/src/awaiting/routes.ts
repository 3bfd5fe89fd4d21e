import { ADMIN, ANY_LEVEL, hasAccess } from '#contract/access-levels';
import type { Awaiting } from '#contract/awaiting';
import { Hono } from 'hono';
import type { AppEnv } from '../lib/app-env.ts';
import { known } from '#http/log';
import { requireLevel } from '../session/require-level.ts';
import { countAwaiting, countPlantsAwaiting } from './data.ts';

/** Counts alone, of nobody in particular, so the access log has no row of it. */
export const awaiting = new Hono<AppEnv>().get('/', requireLevel(ANY_LEVEL), async (c) => {
  const isAdmin = hasAccess(c.get('user').secureLevel, ADMIN);
  if (!isAdmin) return c.json<Awaiting>({});
  const ofPlants = await known(countPlantsAwaiting(c.var.plants), c.var.log);
  return c.json<Awaiting>(await countAwaiting(c.var.db, Date.now(), ofPlants));
});
