import type { LastImport, RosterImport, RosterImportResult } from '#contract/students';
import type { Database } from '#db/client';
import { loggedBy, removeLogged } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';
import { jsonChunks } from '../lib/json-chunks.ts';
import { COURSE_FILTER } from './data.ts';

/*
 * ?1 to ?3 are the course, ?4 to ?6 the pasted rows. `compared` holds each of them beside what is stored, both as the
 * JSON that import_rows keeps. An empty cell never overwrites what is known of the person, nor does a term older than
 * the newest one that the person has. D1 binds numbers as REAL.
 */
const COMPARED = `
  WITH pasted AS MATERIALIZED (
    SELECT value ->> 1 AS id, value ->> 2 AS name, value ->> 3 AS department, value ->> 4 AS tel,
           value ->> 5 AS email, json_array(value ->> 0, value ->> 6, value ->> 7) AS enrolment
    FROM (VALUES (?4), (?5), (?6)) AS chunk, json_each(chunk.column1)
  ), beside AS (
    SELECT pasted.*, students.name AS old_name, students.department AS old_department, students.tel AS old_tel,
           students.email AS old_email,
           (SELECT max(year * 10 + semester) FROM enrolments WHERE student_id = students.id)
             > CAST(?1 AS INTEGER) * 10 + CAST(?2 AS INTEGER) AS is_older,
           iif(enrolments.student_id IS NULL, NULL, json_array(no, school_year, type)) AS old_enrolment
    FROM pasted
    LEFT JOIN students ON students.id = pasted.id
    LEFT JOIN enrolments ON student_id = pasted.id AND year = ?1 AND semester = ?2 AND subject = ?3
  ), compared AS MATERIALIZED (
    SELECT id,
           iif(old_name IS NULL, NULL, json_array(old_name, old_department, old_tel, old_email)) AS student_before,
           json_array(${merged('name')}, ${merged('department')}, ${merged('tel')}, ${merged('email')}) AS student_after,
           old_enrolment AS enrolment_before, enrolment AS enrolment_after
    FROM beside
  )`;

function merged(column: string): string {
  return `iif(${column} = '' OR (is_older AND old_${column} <> ''), coalesce(old_${column}, ''), ${column})`;
}

const IS_UNCHANGED = 'student_after IS student_before AND enrolment_after IS enrolment_before';

/** ?7 are the students whose enrolment ends. */
const ENDED = `SELECT student_id FROM enrolments
  WHERE year = ?1 AND semester = ?2 AND subject = ?3 AND student_id IN (SELECT value FROM json_each(?7))`;

/** Stores the rows, all or none: the import with its counts, what it changes (which is what changes it), the log. */
export async function importRoster(
  db: Database,
  by: Actor,
  roster: RosterImport,
): Promise<RosterImportResult> {
  const { year, semester, subject, data, remove = [] } = roster;
  const rows = data.map(({ no, id, name, department, year, type, tel, email }) => [
    no,
    id,
    name,
    department,
    tel,
    email,
    year,
    type,
  ]);
  const parameters = [year, semester, subject, ...jsonChunks(rows), JSON.stringify(remove)];
  const [counts] = await db.$client.batch<RosterImportResult>([
    db.$client
      .prepare(
        `${COMPARED}
         INSERT INTO imports (at, year, semester, subject, added, changed, unchanged, removed)
         SELECT ?8, ?1, ?2, ?3, count(*) FILTER (WHERE student_before IS NULL),
                count(*) FILTER (WHERE student_before IS NOT NULL AND NOT (${IS_UNCHANGED})),
                count(*) FILTER (WHERE ${IS_UNCHANGED}), (SELECT count(*) FROM (${ENDED}))
         FROM compared
         RETURNING added, changed, unchanged`,
      )
      .bind(...parameters, Date.now()),
    db.$client
      .prepare(
        `${COMPARED}
         INSERT INTO import_rows
         SELECT (SELECT max(id) FROM imports), id, student_before, student_after, enrolment_before, enrolment_after
         FROM compared WHERE NOT (${IS_UNCHANGED})
         UNION ALL
         SELECT (SELECT max(id) FROM imports), id, json_array(name, department, tel, email),
                json_array(name, department, tel, email), json_array(no, school_year, type), NULL
         FROM enrolments JOIN students ON id = student_id
         WHERE year = ?1 AND semester = ?2 AND subject = ?3 AND student_id IN (${ENDED})`,
      )
      .bind(...parameters),
    loggedBy(
      db,
      by,
      { action: 'create', subject: 'enrolment' },
      `SELECT NULL AS subject_id, json_object('filter', ${COURSE_FILTER}, 'added', added, 'changed', changed,
                'unchanged', unchanged, 'removed', removed) AS detail
       FROM imports WHERE id = (SELECT max(id) FROM imports)`,
      year,
      semester,
      subject,
    ),
  ]);
  const [result] = counts?.results ?? [];
  if (!result) throw new Error('the import has no counts');
  return result;
}

/** An import that changed nothing leaves its predecessor the last one. */
const LAST = 'SELECT max(id) FROM imports WHERE added + changed + removed > 0';

/** What an undo would take back. */
export async function lastImport({ $client }: Database): Promise<LastImport | null> {
  const row = await $client
    .prepare(
      `SELECT id, at, year, semester, subject, added, changed, unchanged FROM imports WHERE id = (${LAST})`,
    )
    .first<Omit<LastImport, 'at'> & { at: number }>();
  return row && { ...row, at: new Date(row.at).toISOString() };
}

/** Rows of the last import whose student or enrolment is not (any more) what the import made of it. */
const CHANGED_SINCE = `
  SELECT 1 FROM import_rows JOIN imports ON imports.id = import_id
  LEFT JOIN students ON students.id = import_rows.student_id
  LEFT JOIN enrolments ON enrolments.student_id = import_rows.student_id
    AND (enrolments.year, enrolments.semester, enrolments.subject) = (imports.year, imports.semester, imports.subject)
  WHERE import_id = (${LAST}) AND (
    students.id IS NULL OR json_array(name, department, tel, email) <> student_after
    OR iif(enrolments.student_id IS NULL, NULL, json_array(no, school_year, type)) IS NOT enrolment_after
    OR (student_before IS NULL AND EXISTS (SELECT 1 FROM pictures WHERE student_id = students.id)))`;

/** Puts back what the last import changed: 'changed' when some of it is not as the import left it. */
export async function undoLastImport(
  db: Database,
  by: Actor,
): Promise<RosterImportResult | 'none' | 'changed'> {
  const rows = `FROM import_rows JOIN imports ON imports.id = import_id WHERE import_id = (${LAST})`;
  try {
    const [last] = await db.$client.batch<RosterImportResult>([
      db.$client.prepare(`SELECT added, changed, unchanged FROM imports WHERE id = (${LAST})`),
      // The log refuses a row without detail, and with it the whole batch.
      loggedBy(
        db,
        by,
        { action: 'change', subject: 'enrolment' },
        `SELECT NULL AS subject_id, iif(EXISTS (${CHANGED_SINCE}), NULL,
                  json_object('undone', json_object('year', year, 'semester', semester, 'subject', subject,
                    'added', added, 'changed', changed, 'removed', removed))) AS detail
         FROM imports WHERE id = (${LAST})`,
      ),
      db.$client.prepare(
        `UPDATE students SET name = student_before ->> 0, department = student_before ->> 1,
                             tel = student_before ->> 2, email = student_before ->> 3
         FROM import_rows WHERE import_id = (${LAST}) AND student_id = students.id AND student_before <> student_after`,
      ),
      db.$client.prepare(
        `INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type)
         SELECT student_id, year, semester, subject, enrolment_before ->> 0, enrolment_before ->> 1,
                enrolment_before ->> 2
         ${rows} AND enrolment_before IS NOT NULL AND enrolment_before IS NOT enrolment_after
         ON CONFLICT (student_id, year, semester, subject) DO UPDATE
         SET no = excluded.no, school_year = excluded.school_year, type = excluded.type`,
      ),
      db.$client.prepare(
        `DELETE FROM enrolments WHERE (student_id, year, semester, subject) IN (
           SELECT student_id, year, semester, subject ${rows} AND enrolment_before IS NULL)`,
      ),
      db.$client.prepare(
        `DELETE FROM students WHERE id IN (SELECT student_id ${rows} AND student_before IS NULL)
           AND NOT EXISTS (SELECT 1 FROM enrolments WHERE student_id = students.id)`,
      ),
      db.$client.prepare(`DELETE FROM imports WHERE id = (${LAST})`),
    ]);
    return last?.results[0] ?? 'none';
  } catch (error) {
    if (String(error).includes('access_log.detail')) return 'changed';
    throw error;
  }
}

/** Forgets what imports before `limit` (milliseconds since 1970) changed: they cannot be undone any more. */
export function removeImportsBefore(db: Database, by: Actor, limit: number): Promise<number> {
  const condition = 'at < ?1';
  return removeLogged(db, by, { table: 'imports', condition, limit, what: 'imports', subject: 'enrolment' });
}
