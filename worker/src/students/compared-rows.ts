import type { RosterImport } from '#contract/students';
import { jsonChunks } from '../lib/json-chunks.ts';

/*
 * What an import would make of each row: the one comparison, by which the preview is told and the import is done.
 * ?1 to ?3 are the course, ?4 to ?6 the pasted rows. `compared` holds each of them beside what is stored, both as the
 * JSON that import_rows keeps. An empty cell never overwrites what is known of the person, nor does a term older than
 * the newest one that the person has. D1 binds numbers as REAL.
 */
export const COMPARED = `
  WITH pasted AS MATERIALIZED (
    SELECT value ->> 1 AS id, value ->> 2 AS name, value ->> 3 AS department, value ->> 4 AS tel,
           value ->> 5 AS email, json_array(value ->> 0, value ->> 6, value ->> 7) AS enrolment
    FROM (VALUES (?4), (?5), (?6)) AS chunk, json_each(chunk.column1)
  ), beside AS (
    SELECT pasted.*, students.name AS old_name, students.department AS old_department, students.tel AS old_tel,
           students.email AS old_email, last_term,
           (SELECT max(year * 10 + semester) FROM enrolments WHERE student_id = students.id) AS newest_term,
           iif(enrolments.student_id IS NULL, NULL, json_array(no, school_year, type)) AS old_enrolment, last_import
    FROM pasted
    LEFT JOIN students ON students.id = pasted.id
    LEFT JOIN enrolments ON student_id = pasted.id AND year = ?1 AND semester = ?2 AND subject = ?3
  ), judged AS (
    SELECT *, newest_term > CAST(?1 AS INTEGER) * 10 + CAST(?2 AS INTEGER) AS is_older FROM beside
  ), compared AS MATERIALIZED (
    SELECT id, last_import, last_term, iif(is_older, newest_term, NULL) AS newer_term,
           iif(old_name IS NULL, NULL, json_array(old_name, old_department, old_tel, old_email)) AS student_before,
           json_array(${merged('name')}, ${merged('department')}, ${merged('tel')}, ${merged('email')}) AS student_after,
           old_enrolment AS enrolment_before, enrolment AS enrolment_after
    FROM judged
  )`;

function merged(column: string): string {
  return `iif(${column} = '' OR (is_older AND old_${column} <> ''), coalesce(old_${column}, ''), ${column})`;
}

export const IS_UNCHANGED = 'student_after IS student_before AND enrolment_after IS enrolment_before';

/** ?1 to ?6. */
export function comparedWith({ year, semester, subject, data }: RosterImport): (string | number | null)[] {
  const rows = data.map((row) => [
    row.no,
    row.id,
    row.name,
    row.department,
    row.tel,
    row.email,
    row.year,
    row.type,
  ]);
  return [year, semester, subject, ...jsonChunks(rows)];
}
