import { ADMIN } from '#contract/access-levels';
import { subjectListSchema, subjectTermSchema, type SubjectsById } from '#contract/subjects';
import { database } from '#db/client';
import { Hono } from 'hono';
import { ApiError } from '#http/api-error';
import type { AppEnv } from '../lib/app-env.ts';
import { jsonText } from '../lib/json-text.ts';
import { repeatedRow } from '../lib/repeated-row.ts';
import { requireLevel } from '../session/require-level.ts';
import { IMPORT_BYTES, limitBody, requireJson, validate } from '../lib/validate.ts';
import { readTerm, replaceTerm } from './data.ts';

export const subjects = new Hono<AppEnv>()
  .get('/:dept/:year/:semester', requireLevel(ADMIN), validate('param', subjectTermSchema), async (c) =>
    jsonText<SubjectsById>(c, await readTerm(database(c.env.DB), c.req.valid('param'))),
  )

  .put(
    '/:dept/:year/:semester',
    requireLevel(ADMIN),
    limitBody(IMPORT_BYTES),
    requireJson,
    validate('param', subjectTermSchema),
    validate('json', subjectListSchema),
    async (c) => {
      const list = c.req.valid('json');
      const row = repeatedRow(list.map(({ id }) => id));
      if (row !== undefined)
        throw new ApiError(400, { message: '같은 과목 번호가 두 번 있습니다', row, field: 'id' });
      return jsonText<SubjectsById>(c, await replaceTerm(database(c.env.DB), c.req.valid('param'), list));
    },
  );
