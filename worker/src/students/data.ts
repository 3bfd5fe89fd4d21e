import type { RosterCourse, StudentExport } from '#contract/students';
import type { Database } from '#db/client';
import { personalData, STUDENT_SUBJECTS } from '#db/personal-data';
import * as z from 'zod';
import { loggedBy } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';
import { joinJson } from '../lib/json-chunks.ts';

export type CourseKey = { year: number; semester: number; subject: string };

type Version = { tag: string };
type Part = { part: string };

/** Students in one value of the list, which D1 limits in size. */
const CHUNK = 500;
/**
 * The values of the newest enrolment, of a term the one imported last, stand beside its max(): SQLite takes bare columns
 * from the row that holds it.
 */
const LIST = `
  SELECT json_group_array(json_object(
    'id', id, 'name', name, 'department', department, 'tel', tel, 'email', email,
    'year', school_year, 'type', coalesce(type, ''), 'no', no, 'subjects', json(coalesce(subjects, '[]')),
    'picture', json(iif(picture IS NULL, 'false', 'true')))) AS part
  FROM (
    SELECT students.*, newest.*, pictures.student_id AS picture,
           (row_number() OVER (ORDER BY id) - 1) / ${CHUNK} AS chunk
    FROM students
    LEFT JOIN (SELECT student_id, max((year * 10 + semester) * 10000000000000 + last_import), no, school_year, type,
                      json_group_array(DISTINCT subject) AS subjects
               FROM enrolments GROUP BY student_id) AS newest ON newest.student_id = id
    LEFT JOIN pictures ON pictures.student_id = id
    ORDER BY id)
  GROUP BY chunk ORDER BY chunk`;
const VERSION = 'SELECT tag FROM roster_version';

export type TaggedList = { tag: string; list: Uint8Array<ArrayBuffer> };

/** The list as this isolate read it last. A tag is never given twice, so it is right for as long as its tag is. */
let kept: TaggedList | undefined;

/**
 * The list as JSON under a tag that is another after each change; without the list when the reader has it under one of
 * the `known` tags. Students are read only when neither the reader nor this isolate has them under the tag of the moment.
 */
export async function listStudents(
  db: Database,
  by: Actor,
  known: string[],
): Promise<TaggedList | { tag: string; list?: never }> {
  const { $client } = db;
  const [version] = await $client.batch<Version>([
    $client.prepare(VERSION),
    loggedBy(
      db,
      by,
      { action: 'read', subject: 'student' },
      "SELECT NULL AS subject_id, json_object('count', students) AS detail FROM roster_version",
    ),
  ]);
  const tag = tagOf(version);
  if (known.includes(tag)) return { tag };
  if (kept?.tag === tag) return kept;
  const [newest, parts] = await $client.batch<Version & Part>([
    $client.prepare(VERSION),
    $client.prepare(LIST),
  ]);
  kept = { tag: tagOf(newest), list: new TextEncoder().encode(arrayOf(parts)) };
  return kept;
}

/** One course as stored, in the order of its serial numbers, as JSON text. */
export async function readRoster(db: Database, by: Actor, course: CourseKey): Promise<string> {
  const key = [course.year, course.semester, course.subject] as const;
  const [, parts] = await db.$client.batch<Part>([
    loggedBy(
      db,
      by,
      { action: 'read', subject: 'enrolment' },
      `SELECT NULL AS subject_id, json_object('count', count(*), 'filter', ${COURSE_FILTER}) AS detail
       FROM enrolments WHERE year = ?6 AND semester = ?7 AND subject = ?8`,
      ...key,
    ),
    db.$client
      .prepare(
        `SELECT json_group_array(json_object('no', no, 'id', id, 'name', name, 'department', department,
                  'year', school_year, 'type', type, 'tel', tel, 'email', email)) AS part
         FROM (SELECT *, (row_number() OVER (ORDER BY no, id) - 1) / ${CHUNK} AS chunk
               FROM enrolments JOIN students ON id = student_id
               WHERE year = ? AND semester = ? AND subject = ? ORDER BY no, id)
         GROUP BY chunk ORDER BY chunk`,
      )
      .bind(...key),
  ]);
  return arrayOf(parts);
}

/** JSON of the course that the parameters ?6 to ?8 name. D1 binds numbers as REAL. */
export const COURSE_FILTER =
  "json_object('year', CAST(?6 AS INTEGER), 'semester', CAST(?7 AS INTEGER), 'subject', ?8)";

/** Every course that has enrolments, newest first: of a term the one imported last. */
export async function listRosterCourses({ $client }: Database): Promise<RosterCourse[]> {
  const { results } = await $client
    .prepare(
      `SELECT year, semester, subject, count(*) AS students FROM enrolments
       GROUP BY year, semester, subject ORDER BY year DESC, semester DESC, max(last_import) DESC, subject`,
    )
    .all<RosterCourse>();
  return results;
}

/** Deletes the student with enrolments and picture's record; false when there is none. */
export async function deleteStudent(db: Database, by: Actor, id: string): Promise<boolean> {
  const [, deleted] = await db.$client.batch([
    loggedOf(db, by, 'delete', id, {}),
    db.$client.prepare('DELETE FROM students WHERE id = ? RETURNING id').bind(id),
  ]);
  return deleted?.results.length === 1;
}

/** Everything stored of the student, this export's own row of the log included; undefined when there is none. */
export async function exportStudent(
  db: Database,
  by: Actor,
  id: string,
  reason: string,
): Promise<StudentExport | undefined> {
  const query = (text: string) => db.$client.prepare(text).bind(id);
  const [, students, enrolments, pictures, log] = await db.$client.batch([
    loggedOf(db, by, 'export', id, { reason }),
    query(`SELECT ${personalData.students.exported.join(', ')} FROM students WHERE id = ?`),
    query(
      `SELECT ${personalData.enrolments.exported.join(', ')} FROM enrolments
       WHERE student_id = ? ORDER BY year, semester, subject`,
    ),
    query(`SELECT ${personalData.pictures.exported.join(', ')} FROM pictures WHERE student_id = ?`),
    query(
      `SELECT at, action, detail FROM access_log
       WHERE subject_id = ? AND subject IN ${STUDENT_SUBJECTS} ORDER BY id`,
    ),
  ]);
  const [student] = exported.student.parse(students?.results);
  if (!student) return undefined;
  const [picture = null] = exported.picture.parse(pictures?.results);
  return {
    student,
    enrolments: exported.enrolments.parse(enrolments?.results),
    picture,
    log: exported.log.parse(log?.results),
  };
}

const instant = z.int().transform((at) => new Date(at).toISOString());
const detail = z.string().transform((text) => z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
/** Rows of a batch come without types. */
const exported = {
  student: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      department: z.string(),
      tel: z.string(),
      email: z.string(),
      last_term: z.int().nullable(),
    }),
  ),
  enrolments: z.array(
    z.object({
      year: z.int(),
      semester: z.int(),
      subject: z.string(),
      no: z.int(),
      school_year: z.int(),
      type: z.string(),
    }),
  ),
  picture: z.array(z.object({ content_type: z.string(), size: z.int(), uploaded_at: instant })),
  log: z.array(z.object({ at: instant, action: z.string(), detail })),
};

/** Writes down that the list which somebody sees has left the system. */
export async function logListExport(
  db: Database,
  by: Actor,
  detail: { reason: string; count: number; filter: string },
): Promise<void> {
  const select = 'SELECT NULL AS subject_id, ?6 AS detail';
  await loggedBy(db, by, { action: 'export', subject: 'student' }, select, JSON.stringify(detail)).run();
}

/** A row of the log about the student; none when there is no such student. */
function loggedOf(db: Database, by: Actor, action: 'delete' | 'export', id: string, detail: object) {
  const select = 'SELECT id AS subject_id, ?7 AS detail FROM students WHERE id = ?6';
  return loggedBy(db, by, { action, subject: 'student' }, select, id, JSON.stringify(detail));
}

function tagOf(version: D1Result<Version> | undefined): string {
  const tag = version?.results[0]?.tag;
  if (tag === undefined) throw new Error('the roster has no version');
  return tag;
}

const arrayOf = (parts: D1Result<Part> | undefined) =>
  joinJson(
    (parts?.results ?? []).map(({ part }) => part),
    '[]',
  );
