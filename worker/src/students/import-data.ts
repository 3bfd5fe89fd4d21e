import type { LastImport, RosterImport, RosterImportResult } from '#contract/students';
import type { Database } from '#db/client';
import { loggedBy, removeLogged } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';
import { takeBackVerified, verifyClaims } from '../claims/data.ts';
import { COMPARED, comparedWith, IS_UNCHANGED } from './compared-rows.ts';
import { COURSE_FILTER } from './data.ts';

/** ?7 are the students whose enrolment ends. */
const ENDED = `SELECT student_id FROM enrolments
  WHERE year = ?1 AND semester = ?2 AND subject = ?3 AND student_id IN (SELECT value FROM json_each(?7))`;

/**
 * Stores the rows, all or none: the import with its counts, what it changes (which is what changes it), the log, and the
 * claims to a number that it proves.
 */
export async function importRoster(
  db: Database,
  by: Actor,
  roster: RosterImport,
): Promise<RosterImportResult> {
  const { year, semester, subject, remove = [] } = roster;
  const parameters = [...comparedWith(roster), JSON.stringify(remove)];
  const now = Date.now();
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
      .bind(...parameters, now),
    db.$client
      .prepare(
        `${COMPARED}
         INSERT INTO import_rows (import_id, student_id, student_before, student_after, enrolment_before,
                                  enrolment_after, last_import_before, last_term_before)
         SELECT (SELECT max(id) FROM imports), id, student_before, student_after, enrolment_before, enrolment_after,
                last_import, last_term
         FROM compared WHERE NOT (${IS_UNCHANGED})
         UNION ALL
         SELECT (SELECT max(id) FROM imports), id, json_array(name, department, tel, email),
                json_array(name, department, tel, email), json_array(no, school_year, type), NULL,
                last_import, last_term
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
    ...verifyClaims(db, by, now),
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
        `INSERT INTO enrolments (student_id, year, semester, subject, no, school_year, type, last_import)
         SELECT student_id, year, semester, subject, enrolment_before ->> 0, enrolment_before ->> 1,
                enrolment_before ->> 2, coalesce(last_import_before, 0)
         ${rows} AND enrolment_before IS NOT NULL AND enrolment_before IS NOT enrolment_after
         ON CONFLICT (student_id, year, semester, subject) DO UPDATE
         SET no = excluded.no, school_year = excluded.school_year, type = excluded.type,
             last_import = excluded.last_import`,
      ),
      db.$client.prepare(
        `DELETE FROM enrolments WHERE (student_id, year, semester, subject) IN (
           SELECT student_id, year, semester, subject ${rows} AND enrolment_before IS NULL)`,
      ),
      db.$client.prepare(
        `DELETE FROM students WHERE id IN (SELECT student_id ${rows} AND student_before IS NULL)
           AND NOT EXISTS (SELECT 1 FROM enrolments WHERE student_id = students.id)`,
      ),
      db.$client.prepare(
        `UPDATE students SET last_term = coalesce(
           (SELECT max(year * 10 + semester) FROM enrolments WHERE student_id = students.id),
           last_term_before, last_term)
         FROM import_rows WHERE import_id = (${LAST}) AND student_id = students.id`,
      ),
      ...takeBackVerified(db, by, `SELECT at FROM imports WHERE id = (${LAST})`),
      ...verifyClaims(db, by, Date.now()),
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
