import { personCards } from '#contract/public-content';
import { localeSchema } from '#contract/locale';
import { visiblePeople, type People } from '#contract/people-groups';
import { database } from '#db/client';
import { Hono } from 'hono';
import * as z from 'zod';
import { readPublishedPeople } from '../content/data.ts';
import type { AppEnv } from '../lib/app-env.ts';
import { validate } from '../lib/validate.ts';
import { sessionUser } from '../session/session.ts';

const querySchema = z.object({ lang: localeSchema.default('ko') });

export const people = new Hono<AppEnv>().get('/', validate('query', querySchema), async (c) => {
  const user = await sessionUser(c);
  const groups = personCards(await readPublishedPeople(database(c.env.DB)), c.req.valid('query').lang);
  return c.json<People>(visiblePeople(groups, user?.secureLevel));
});
