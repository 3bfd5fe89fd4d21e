import { ADMIN } from '#contract/access-levels';
import { accessLogQuerySchema, type AccessLogEntry } from '#contract/access-log';
import { database } from '#db/client';
import { Hono } from 'hono';
import { actorOf } from '../lib/actor.ts';
import type { AppEnv } from '../lib/app-env.ts';
import { requireLevel } from '../session/require-level.ts';
import { validate } from '../lib/validate.ts';
import { readLog } from './data.ts';

export const accessLog = new Hono<AppEnv>().get(
  '/',
  requireLevel(ADMIN),
  validate('query', accessLogQuerySchema),
  async (c) => {
    const { person, action, from, to, before } = c.req.valid('query');
    const filter = {
      ...(person !== undefined && { person }),
      ...(action !== undefined && { action }),
      ...(from !== undefined && { from: Date.parse(from) }),
      ...(to !== undefined && { to: Date.parse(to) }),
      ...(before !== undefined && { before }),
    };
    return c.json<AccessLogEntry[]>(await readLog(database(c.env.DB), actorOf(c), filter));
  },
);
