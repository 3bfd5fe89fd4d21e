import { hasAccess, MEMBER } from '#contract/access-levels';
import { localeSchema } from '#contract/locale';
import { PEOPLE_GROUPS, type People, type PersonCard } from '#contract/people';
import { people as peopleEn } from '#content/people.en';
import { people as peopleKo } from '#content/people.ko';
import { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../lib/app-env.ts';
import { validate } from '../lib/validate.ts';
import { sessionUser } from '../session/session.ts';

const content = { ko: peopleKo, en: peopleEn };
/** Groups whose names nobody outside the lab may read. */
const membersOnly = new Set<string>(['undergraduate_students', 'undergraduate_alumnis']);

const querySchema = z.object({ lang: localeSchema.default('ko') });

export const people = new Hono<AppEnv>().get('/', validate('query', querySchema), async (c) => {
  const user = await sessionUser(c);
  const isMember = user !== undefined && hasAccess(user.secureLevel, MEMBER);
  const groups = content[c.req.valid('query').lang];
  const answer: People = {};
  for (const group of PEOPLE_GROUPS) {
    if (membersOnly.has(group) && !isMember) continue;
    answer[group] = user ? groups[group] : groups[group].map(withObfuscatedEmail);
  }
  return c.json<People>(answer);
});

function withObfuscatedEmail(card: PersonCard): PersonCard {
  return card.email === undefined ? card : { ...card, email: card.email.replace('@', ' AT ') };
}
