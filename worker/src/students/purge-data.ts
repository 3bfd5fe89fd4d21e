import type { PurgeCount } from '#contract/students';
import type { Database } from '#db/client';
import { loggedBy } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';

/** Students who have enrolments in the term ?1, ?2 and in no other. */
const ONLY_THEN = `SELECT student_id FROM enrolments GROUP BY student_id
  HAVING count(*) = count(*) FILTER (WHERE year = ?1 AND semester = ?2)`;

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
 * Removes the term's enrolments and the students who have no other.
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

/** Terms that have enrolments, oldest first. */
export async function listTerms({ $client }: Database): Promise<{ year: number; semester: number }[]> {
  const { results } = await $client
    .prepare('SELECT DISTINCT year, semester FROM enrolments ORDER BY year, semester')
    .all<{ year: number; semester: number }>();
  return results;
}
