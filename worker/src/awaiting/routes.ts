import { ADMIN, ANY_LEVEL, hasAccess, screenLevels } from '#contract/access-levels';
import type { Awaiting, Overview } from '#contract/awaiting';
import { seoulDay } from '#contract/time';
import { Hono } from 'hono';
import type { AppEnv } from '../lib/app-env.ts';
import { nullOnFailure } from '#http/log';
import { requireLevel } from '../session/require-level.ts';
import { countAwaiting, countManagedRecords, countPlantsAwaiting, sumLedger } from './data.ts';

/** Returns only counts, about no particular person, so the access log gets no row. */
export const awaiting = new Hono<AppEnv>().get('/', requireLevel(ANY_LEVEL), async (c) => {
  const isAdmin = hasAccess(c.get('user').secureLevel, ADMIN);
  if (!isAdmin) return c.json<Awaiting>({});
  const ofPlants = await nullOnFailure(countPlantsAwaiting(c.var.plants), c.var.log);
  return c.json<Awaiting>(await countAwaiting(c.var.db, Date.now(), ofPlants));
});

/** Sums and counts for the tiles of the settings page, about no particular person, so without a log row. */
export const overview = new Hono<AppEnv>().get('/', requireLevel(ANY_LEVEL), async (c) => {
  const { secureLevel } = c.get('user');
  const now = Date.now();
  const [account, lab] = await Promise.all([
    hasAccess(secureLevel, screenLevels.account) ? sumLedger(c.var.db, seoulDay(now)) : undefined,
    hasAccess(secureLevel, ADMIN) ? countManagedRecords(c.var.db, now) : undefined,
  ]);
  return c.json<Overview>({ ...(account && { account }), ...(lab && { lab }) });
});
