import { screenLevels } from '#contract/access-levels';
import { courseFormSchema, type Course } from '#contract/courses';
import { database } from '#db/client';
import { Hono } from 'hono';
import { ApiError, outdatedError } from '#http/api-error';
import type { AppEnv } from '../lib/app-env.ts';
import { requireLevel } from '../session/require-level.ts';
import { parseRowId, jsonBody } from '../lib/validate.ts';
import { cacheForVisitors } from '../lib/responses.ts';
import { createCourse, deleteCourse, listCourses, replaceCourse } from './data.ts';

const unknownCourse = () => new ApiError(404, { message: '강의를 찾을 수 없습니다' });

const guard = requireLevel(screenLevels.courses);

export const courses = new Hono<AppEnv>()
  .get('/', async (c) => {
    const list = await listCourses(database(c.env.DB));
    cacheForVisitors(c, 'public, max-age=0, s-maxage=60, stale-while-revalidate=60, stale-if-error=86400');
    return c.json<Course[]>(list);
  })

  .post('/', guard, jsonBody(courseFormSchema), async (c) => {
    const { id, version, ...fields } = c.req.valid('json');
    const { db } = c.var;
    const isNew = id === undefined || id === null || id < 1;
    if (isNew) return c.json<Course, 201>(await createCourse(db, fields), 201);
    const found = await replaceCourse(db, id, version, fields);
    if (!found) throw unknownCourse();
    if (found.isOutdated) throw outdatedError(found.course);
    return c.json<Course, 201>(found.course, 201);
  })

  .delete('/:id', guard, async (c) => {
    if (!(await deleteCourse(c.var.db, parseRowId(c.req.param('id'))))) throw unknownCourse();
    return c.json({ ok: true });
  });

/** The staff's own list is never cached. */
export const staffCourses = new Hono<AppEnv>().get('/', guard, async (c) =>
  c.json<Course[]>(await listCourses(c.var.db)),
);
