import { screenLevels } from '#contract/access-levels';
import { IMPORT_BYTES_MAX } from '#contract/imports';
import {
  subjectListSchema,
  subjectTermSchema,
  type StoredTimetableImport,
  type SubjectsById,
} from '#contract/subjects';
import { Hono } from 'hono';
import { ApiError } from '#http/api-error';
import { actorOf, type AppEnv } from '../lib/app-env.ts';
import { jsonTextResponse } from '../lib/responses.ts';
import { firstRepeatedRow, parseRowId, validate, jsonBody } from '../lib/validate.ts';
import { requireLevel } from '../session/require-level.ts';
import { listTimetableImports, readTimetable, replaceTimetable, undoTimetableImport } from './data.ts';

const guard = requireLevel(screenLevels.subjects);

export const subjects = new Hono<AppEnv>()
  .get('/:dept/:year/:semester', guard, validate('param', subjectTermSchema), async (c) =>
    jsonTextResponse<SubjectsById>(c, await readTimetable(c.var.db, c.req.valid('param'))),
  )

  .put(
    '/:dept/:year/:semester',
    guard,
    jsonBody(subjectListSchema, IMPORT_BYTES_MAX),
    validate('param', subjectTermSchema),
    async (c) => {
      const list = c.req.valid('json');
      const row = firstRepeatedRow(list.map(({ id }) => id));
      if (row !== undefined)
        throw new ApiError(400, { message: '같은 학수번호가 두 번 있습니다', row, field: 'id' });
      const term = c.req.valid('param');
      return jsonTextResponse<SubjectsById>(c, await replaceTimetable(c.var.db, actorOf(c), term, list));
    },
  )

  .get('/imports', guard, async (c) =>
    c.json<StoredTimetableImport[]>(await listTimetableImports(c.var.db, actorOf(c))),
  )

  .delete('/imports/:id', guard, async (c) => {
    if (!(await undoTimetableImport(c.var.db, parseRowId(c.req.param('id')))))
      throw new ApiError(404, { message: '이미 되돌렸거나 그 뒤에 시간표가 다시 바뀌었습니다' });
    return c.json({ ok: true });
  });
