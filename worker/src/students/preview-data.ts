import type { RosterImport } from '#contract/students';
import type { Database } from '#db/client';
import { loggedBy } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';
import { joinJson } from '../lib/json-chunks.ts';
import { COMPARED, comparedWith } from './compared-rows.ts';
import { COURSE_FILTER } from './data.ts';

/** Rows in one value of the answer, which D1 limits in size. */
const CHUNK = 500;

const person = (column: string) =>
  `json(iif(${column} IS NULL, NULL, json_object('name', ${column} ->> 0, 'department', ${column} ->> 1,
     'tel', ${column} ->> 2, 'email', ${column} ->> 3)))`;

const ROWS = `${COMPARED}
  SELECT json_group_array(json_object(
    'id', id, 'before', ${person('student_before')}, 'after', ${person('student_after')},
    'enrolment', json(iif(enrolment_before IS NULL, NULL, json_object('no', enrolment_before ->> 0,
      'year', enrolment_before ->> 1, 'type', enrolment_before ->> 2))),
    'newer', json(iif(newer_term IS NULL, NULL, json_object('year', newer_term / 10, 'semester', newer_term % 10))))) AS part
  FROM (SELECT *, (row_number() OVER () - 1) / ${CHUNK} AS chunk FROM compared)
  GROUP BY chunk ORDER BY chunk`;

const MISSING = `${COMPARED}
  SELECT json_group_array(json_object('no', no, 'id', id, 'name', name, 'department', department,
    'year', school_year, 'type', type, 'tel', tel, 'email', email)) AS part
  FROM (SELECT students.*, no, school_year, type, (row_number() OVER (ORDER BY no, students.id) - 1) / ${CHUNK} AS chunk
        FROM enrolments JOIN students ON students.id = student_id
        WHERE year = ?1 AND semester = ?2 AND subject = ?3 AND student_id NOT IN (SELECT id FROM compared)
        ORDER BY no, students.id)
  GROUP BY chunk ORDER BY chunk`;

/** What the same import would do, as JSON text: by the comparison that does it, so that both say the same. */
export async function previewRoster(db: Database, by: Actor, roster: RosterImport): Promise<string> {
  const { year, semester, subject, data } = roster;
  const parameters = comparedWith(roster);
  const ids = JSON.stringify(data.map(({ id }) => id));
  const [, rows, missing] = await db.$client.batch<{ part: string }>([
    loggedBy(
      db,
      by,
      { action: 'read', subject: 'enrolment' },
      `SELECT NULL AS subject_id, json_object('count', count(*), 'filter', ${COURSE_FILTER}) AS detail
       FROM students WHERE id IN (SELECT value FROM json_each(?9))
         OR id IN (SELECT student_id FROM enrolments WHERE year = ?6 AND semester = ?7 AND subject = ?8)`,
      year,
      semester,
      subject,
      ids,
    ),
    db.$client.prepare(ROWS).bind(...parameters),
    db.$client.prepare(MISSING).bind(...parameters),
  ]);
  const partsOf = (result: D1Result<{ part: string }> | undefined) =>
    joinJson(
      (result?.results ?? []).map(({ part }) => part),
      '[]',
    );
  return `{"rows":${partsOf(rows)},"missing":${partsOf(missing)}}`;
}
