import type { PurgeCount } from '#contract/students';
import { runningTerm, termOrder, type Term } from '#contract/terms';
import type { Database } from '#db/client';
import { loggedBy } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';

/** Students whose last term is ?1, ?2 and who have no enrolment in another, or none at all any more. */
const ONLY_THEN = `SELECT id FROM students
  WHERE last_term = ?1 * 10 + ?2 AND NOT EXISTS (
    SELECT 1 FROM enrolments WHERE student_id = students.id AND (year, semester) <> (?1, ?2))`;

/** Imports whose undo would bring something of the term ?1, ?2 back. */
const IMPORTS = `SELECT id FROM imports WHERE (year, semester) = (?1, ?2)
  UNION SELECT import_id FROM import_rows WHERE student_id IN (
    SELECT student_id FROM enrolments WHERE (year, semester) = (?1, ?2) UNION ${ONLY_THEN})`;

const COUNT = `SELECT
  (SELECT count(*) FROM enrolments WHERE year = ?1 AND semester = ?2) AS enrolments,
  (SELECT count(*) FROM (${ONLY_THEN})) AS students`;

/** What a purge of the term would remove. */
export async function countTerm({ $client }: Database, year: number, semester: number): Promise<PurgeCount> {
  const count = await $client.prepare(COUNT).bind(year, semester).first<PurgeCount>();
  if (!count) throw new Error('a count has no row');
  return count;
}

/**
 * Removes the term's enrolments and the students who have no other. What is removed cannot be brought back by the undo
 * of an import: that goes too.
 * @param enrolments how many somebody saw and confirmed; undefined comes back when it is another number now
 * @returns what was removed, and whose pictures R2 holds for nobody any more
 */
export async function purgeTerm(
  db: Database,
  by: Actor,
  year: number,
  semester: number,
  enrolments: number,
): Promise<{ count: PurgeCount; pictures: string[] } | undefined> {
  const inTerm = (text: string) => db.$client.prepare(text).bind(year, semester);
  try {
    const [, counts, pictures] = await db.$client.batch<PurgeCount & { student_id: string }>([
      // The log refuses a row without detail, and with it the whole batch.
      loggedBy(
        db,
        by,
        { action: 'delete', subject: 'enrolment' },
        `SELECT NULL AS subject_id, iif(enrolments = ?8, json_object(
                  'filter', json_object('year', CAST(?6 AS INTEGER), 'semester', CAST(?7 AS INTEGER)),
                  'enrolments', enrolments, 'students', students), NULL) AS detail
         FROM (${COUNT.replaceAll('?1', '?6').replaceAll('?2', '?7')})`,
        year,
        semester,
        enrolments,
      ),
      inTerm(COUNT),
      inTerm(`SELECT student_id FROM pictures WHERE student_id IN (${ONLY_THEN})`),
      inTerm(`DELETE FROM imports WHERE id IN (${IMPORTS})`),
      inTerm(`DELETE FROM students WHERE id IN (${ONLY_THEN})`),
      inTerm('DELETE FROM enrolments WHERE year = ?1 AND semester = ?2'),
    ]);
    const [count] = counts?.results ?? [];
    if (!count) throw new Error('a count has no row');
    return { count, pictures: (pictures?.results ?? []).map(({ student_id }) => student_id) };
  } catch (error) {
    if (String(error).includes('access_log.detail')) return undefined;
    throw error;
  }
}

/** Terms of which somebody is stored, newest first: those with enrolments, and the last ones of students without. */
export async function listTerms({ $client }: Database): Promise<Term[]> {
  const { results } = await $client
    .prepare(
      `SELECT year, semester FROM enrolments
       UNION SELECT last_term / 10, last_term % 10 FROM students WHERE last_term IS NOT NULL
       ORDER BY 1 DESC, 2 DESC`,
    )
    .all<Term>();
  return results;
}

/**
 * Counts from the running term for whoever has no enrolment and remembers no term that has begun: nobody knows when
 * they left, or they left a term before it came.
 */
export async function rememberRunningTerm({ $client }: Database, now: number): Promise<void> {
  await $client
    .prepare(
      `UPDATE students SET last_term = ?1 WHERE (last_term IS NULL OR last_term > ?1)
         AND NOT EXISTS (SELECT 1 FROM enrolments WHERE student_id = students.id)`,
    )
    .bind(termOrder(runningTerm(now)))
    .run();
}
