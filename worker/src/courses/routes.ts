import type { Course } from '#contract/courses';
import { database } from '#db/client';
import { Hono } from 'hono';
import type { AppEnv } from '../lib/app-env.ts';
import { listCourses } from './data.ts';

export const courses = new Hono<AppEnv>().get('/', async (c) => {
  const list = await listCourses(database(c.env.DB));
  c.header('cache-control', 'public, max-age=0, s-maxage=60, stale-while-revalidate=86400');
  return c.json<Course[]>(list);
});
