import { ADMIN } from '#contract/access-levels';
import { PLANT_POINTS_DEFAULT, plantQuerySchema, type PlantRecord } from '#contract/plants';
import { database } from '#db/client';
import { Hono } from 'hono';
import type { AppEnv } from '../lib/app-env.ts';
import { requireLevel } from '../lib/require-level.ts';
import { validate } from '../lib/validate.ts';
import { listReadings } from './data.ts';

export const plants = new Hono<AppEnv>().get(
  '/',
  requireLevel(ADMIN),
  validate('query', plantQuerySchema),
  async (c) => {
    const { plant, from, to, points } = c.req.valid('query');
    const range = {
      ...(plant !== undefined && { plant }),
      ...(from !== undefined && { from: Date.parse(from) }),
      ...(to !== undefined && { to: Date.parse(to) }),
    };
    return c.json<PlantRecord[]>(
      await listReadings(database(c.env.DB), range, points ?? PLANT_POINTS_DEFAULT),
    );
  },
);
