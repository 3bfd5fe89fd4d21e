import { ADMIN, ANY_LEVEL, hasAccess } from '#contract/access-levels';
import type { Awaiting } from '#contract/awaiting';
import { database } from '#db/client';
import { Hono } from 'hono';
import type { AppEnv } from '../lib/app-env.ts';
import { known } from '#http/log';
import { requireLevel } from '../session/require-level.ts';
import { countAwaiting, countPlantsAwaiting } from './data.ts';

/** Counts alone, of nobody in particular, so the access log has no row of it. */
export const awaiting = new Hono<AppEnv>().get('/', requireLevel(ANY_LEVEL), async (c) => {
  const isAdmin = hasAccess(c.get('user').secureLevel, ADMIN);
  if (!isAdmin) return c.json<Awaiting>({});
  const ofPlants = await known(countPlantsAwaiting(database(c.env.PLANTS_DB)), c.var.log);
  return c.json<Awaiting>(await countAwaiting(database(c.env.DB), Date.now(), ofPlants));
});
