import { ADMIN } from '#contract/access-levels';
import type { SearchableRecords } from '#contract/find';
import { listPlantStates } from '#db/plant-states';
import { Hono } from 'hono';
import { actorOf, type AppEnv } from '../lib/app-env.ts';
import { nullOnFailure } from '#http/log';
import { requireLevel } from '../session/require-level.ts';
import { listSearchableRecords } from './data.ts';

export const find = new Hono<AppEnv>().get('/', requireLevel(ADMIN), async (c) => {
  const states = await nullOnFailure(listPlantStates(c.var.plants), c.var.log);
  const plants = states && states.map(({ plant }) => plant);
  return c.json<SearchableRecords>(await listSearchableRecords(c.var.db, actorOf(c), plants));
});
