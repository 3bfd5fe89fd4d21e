import { localeSchema } from '#contract/locale';
import { visiblePeople, type People } from '#contract/people';
import { people as peopleEn } from '#content/people.en';
import { people as peopleKo } from '#content/people.ko';
import { Hono } from 'hono';
import * as z from 'zod';
import type { AppEnv } from '../lib/app-env.ts';
import { validate } from '../lib/validate.ts';
import { sessionUser } from '../session/session.ts';

const content = { ko: peopleKo, en: peopleEn };

const querySchema = z.object({ lang: localeSchema.default('ko') });

export const people = new Hono<AppEnv>().get('/', validate('query', querySchema), async (c) => {
  const user = await sessionUser(c);
  return c.json<People>(visiblePeople(content[c.req.valid('query').lang], user?.secureLevel));
});
