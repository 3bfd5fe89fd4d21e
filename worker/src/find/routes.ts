import { ADMIN } from '#contract/access-levels';
import type { Findable } from '#contract/find';
import { listStates } from '#db/states';
import { Hono } from 'hono';
import { actorOf, type AppEnv } from '../lib/app-env.ts';
import { nullOnFailure } from '#http/log';
import { requireLevel } from '../session/require-level.ts';
import { listFindable } from './data.ts';

export const find = new Hono<AppEnv>().get('/', requireLevel(ADMIN), async (c) => {
  const states = await nullOnFailure(listStates(c.var.plants), c.var.log);
  const plants = states && states.map(({ plant }) => plant);
  return c.json<Findable>(await listFindable(c.var.db, actorOf(c), plants));
});
