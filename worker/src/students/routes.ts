import { screenLevels } from '#contract/access-levels';
import { IMPORT_BYTES_MAX } from '#contract/imports';
import {
  IF_MATCH_HEADER,
  courseKeyQuerySchema,
  studentExportSchema,
  listExportSchema,
  termPurgeSchema,
  rosterImportSchema,
  studentFormSchema,
  studentPathSchema,
  studentsQuerySchema,
  type TermPurgeCount,
  type RosterCourse,
  type RosterImport,
  type RosterImportResult,
  type RosterPreview,
  type RosterUndoResult,
  type Student,
  type StoredRosterImport,
  type StudentExport,
  type StudentRecord,
} from '#contract/students';
import type { Term } from '#contract/terms';
import { Hono } from 'hono';
import { actorOf, type AppEnv } from '../lib/app-env.ts';
import { ApiError, outdatedError } from '#http/api-error';
import {
  jsonTextResponse,
  jsonTextResponseOr304,
  cachePrivately,
  ifNoneMatchTags,
  parseEntityTags,
} from '../lib/responses.ts';
import {
  firstRepeatedRow,
  parseRowId,
  parseStudentId,
  studentNotFoundError,
  validate,
  jsonBody,
} from '../lib/validate.ts';
import { requireLevel } from '../session/require-level.ts';
import { removePictures } from '../pictures/data.ts';
import {
  deleteEnrolment,
  deleteStudent,
  exportStudent,
  listRosterCourses,
  listStudents,
  logListExport,
} from './data.ts';
import { importRoster, listRosterImports } from './import-data.ts';
import { previewRosterUndo, undoRosterImport } from './undo-data.ts';
import { previewRoster } from './roster-comparison-data.ts';
import { addStudent, correctStudent } from './record-data.ts';
import { countTermPurge, listTerms, purgeTerm } from './purge-data.ts';

const termSchema = courseKeyQuerySchema.omit({ subject: true });

const guard = requireLevel(screenLevels.students);

export const students = new Hono<AppEnv>()
  .get('/', guard, validate('query', studentsQuerySchema), async (c) => {
    const { course } = c.req.valid('query');
    const { tag, list } = await listStudents(c.var.db, actorOf(c), ifNoneMatchTags(c), course);
    cachePrivately(c, tag);
    return jsonTextResponseOr304<Student[]>(c, list);
  })

  .get('/courses', guard, async (c) => c.json<RosterCourse[]>(await listRosterCourses(c.var.db)))

  .post('/preview', guard, jsonBody(rosterImportSchema, IMPORT_BYTES_MAX), async (c) => {
    const roster = c.req.valid('json');
    refuseContradictions(roster);
    return jsonTextResponse<RosterPreview>(c, await previewRoster(c.var.db, actorOf(c), roster));
  })

  .get('/imports', guard, async (c) =>
    c.json<StoredRosterImport[]>(await listRosterImports(c.var.db, actorOf(c))),
  )

  .get('/imports/:id', guard, async (c) => {
    const outcome = await previewRosterUndo(c.var.db, actorOf(c), parseRowId(c.req.param('id')));
    if (!outcome) throw new ApiError(404, { message: '되돌릴 가져오기가 없습니다' });
    return c.json<RosterUndoResult>(outcome);
  })

  .delete('/imports/:id', guard, async (c) => {
    const [db, id] = [c.var.db, parseRowId(c.req.param('id'))];
    const outcome = await undoRosterImport(db, actorOf(c), id);
    if (outcome === 'none') throw new ApiError(404, { message: '되돌릴 가져오기가 없습니다' });
    if (outcome === 'changed') throw new ApiError(409, { message: '그 사이에 명단이 바뀌었습니다' });
    return c.json<RosterUndoResult>(outcome);
  })

  .get('/terms', guard, async (c) => c.json<Term[]>(await listTerms(c.var.db)))

  .get('/terms/:year/:semester', guard, validate('param', termSchema), async (c) => {
    const { year, semester } = c.req.valid('param');
    return c.json<TermPurgeCount>(await countTermPurge(c.var.db, year, semester));
  })

  .delete(
    '/terms/:year/:semester',
    guard,
    jsonBody(termPurgeSchema),
    validate('param', termSchema),
    async (c) => {
      const { year, semester } = c.req.valid('param');
      const { enrolments } = c.req.valid('json');
      const purged = await purgeTerm(c.var.db, actorOf(c), year, semester, enrolments);
      if (!purged) throw new ApiError(409, { message: '확인한 뒤에 명단이 바뀌었습니다. 다시 확인하세요' });
      await removePictures(c.env.FILES, purged.pictures);
      return c.json<TermPurgeCount>(purged.count);
    },
  )

  .post('/exports', guard, jsonBody(listExportSchema), async (c) => {
    await logListExport(c.var.db, actorOf(c), c.req.valid('json'));
    return c.json({ ok: true });
  })

  .post('/:id/export', guard, jsonBody(studentExportSchema), async (c) => {
    const id = parseStudentId(c.req.param('id'));
    const { reason } = c.req.valid('json');
    const found = await exportStudent(c.var.db, actorOf(c), id, reason);
    if (!found) throw studentNotFoundError();
    return c.json<StudentExport>(found);
  })

  .post('/:id', guard, jsonBody(studentFormSchema), validate('param', studentPathSchema), async (c) => {
    const { id } = c.req.valid('param');
    const { record, isTaken } = await addStudent(c.var.db, actorOf(c), id, c.req.valid('json'));
    if (isTaken) throw new ApiError(409, { message: '이미 등록된 학번입니다', current: record });
    return c.json<StudentRecord, 201>(record, 201);
  })

  .put('/:id', guard, jsonBody(studentFormSchema), async (c) => {
    const id = parseStudentId(c.req.param('id'));
    const found = await correctStudent(c.var.db, c.env.FILES, actorOf(c), id, c.req.valid('json'));
    if (found === 'taken') throw new ApiError(409, { message: '이미 등록된 학번입니다', field: 'number' });
    if (!found) throw studentNotFoundError();
    if (found.isOutdated) throw outdatedError(found.record);
    return c.json<StudentRecord>(found.record);
  })

  .delete('/:id/enrolment', guard, validate('query', courseKeyQuerySchema), async (c) => {
    const id = parseStudentId(c.req.param('id'));
    if (!(await deleteEnrolment(c.var.db, actorOf(c), id, c.req.valid('query'))))
      throw new ApiError(404, { message: '이 강의의 수강생이 아닙니다' });
    return c.json({ ok: true });
  })

  .delete('/:id', guard, async (c) => {
    const id = parseStudentId(c.req.param('id'));
    const gone = await deleteStudent(c.var.db, actorOf(c), id);
    if (!gone) throw studentNotFoundError();
    await removePictures(c.env.FILES, gone);
    return c.json({ ok: true });
  });

/** Mounted at both /api/students and /api/students/. */
export const rosterImport = new Hono<AppEnv>().post(
  '/',
  guard,
  jsonBody(rosterImportSchema, IMPORT_BYTES_MAX),
  async (c) => {
    const roster = c.req.valid('json');
    refuseContradictions(roster);
    const [seen] = parseEntityTags(c.req.header(IF_MATCH_HEADER));
    const result = await importRoster(c.var.db, actorOf(c), roster, seen);
    if (!result)
      throw new ApiError(409, { message: '그 사이에 명단이 바뀌었습니다', field: IF_MATCH_HEADER });
    return c.json<RosterImportResult, 201>(result, 201);
  },
);

/** @throws ApiError 400 if a student is in two rows, or both in a row and in `remove` */
function refuseContradictions({ data, remove = [] }: RosterImport): void {
  const ids = data.map(({ id }) => id);
  const row = firstRepeatedRow(ids);
  if (row !== undefined) throw new ApiError(400, { message: '같은 학번이 두 번 있습니다', row, field: 'id' });
  const leaving = new Set(remove);
  const index = ids.findIndex((id) => leaving.has(id));
  if (index !== -1)
    throw new ApiError(400, {
      message: '수강에서 제외할 학번이 명단에도 있습니다',
      row: index + 1,
      field: 'id',
    });
}
