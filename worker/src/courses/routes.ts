import type { Course } from '#contract/courses';
import { database } from '#db/client';
import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { AppEnv } from '../lib/app-env.ts';
import { SESSION_COOKIE } from '../session/session.ts';
import { listCourses } from './data.ts';

export const courses = new Hono<AppEnv>().get('/', async (c) => {
  const list = await listCourses(database(c.env.DB));
  // Whoever is signed in may have just changed the list: nothing between us keeps it for them.
  const isVisitor = getCookie(c, SESSION_COOKIE) === undefined;
  c.header(
    'cache-control',
    isVisitor ? 'public, max-age=0, s-maxage=60, stale-while-revalidate=86400' : 'private, no-cache',
  );
  return c.json<Course[]>(list);
});
