import type { Department, Subject, SubjectSemester } from '#contract/subjects';
import type { Database } from '#db/client';
import { joinJson, jsonChunks } from '../lib/json-chunks.ts';

export type Term = { dept: Department; year: number; semester: SubjectSemester };

/** The term's subjects as the text of one JSON object, keyed by id. */
export async function readTerm({ $client }: Database, term: Term): Promise<string> {
  return objectOf(await selectTerm($client, term).all<Part>());
}

/** Puts these subjects in place of the term's and returns them as `readTerm` does. */
export async function replaceTerm({ $client }: Database, term: Term, subjects: Subject[]): Promise<string> {
  const { dept, year, semester } = term;
  const rows = subjects.map(({ id, name, year, type, score, prof, time, classroom, etc }) => [
    id,
    name,
    year,
    type,
    score,
    prof,
    time,
    classroom,
    etc,
  ]);
  const [, , parts] = await $client.batch<Part>([
    $client
      .prepare('DELETE FROM subjects WHERE department = ? AND year = ? AND semester = ?')
      .bind(dept, year, semester),
    $client
      .prepare(
        `INSERT INTO subjects
           (department, year, semester, id, name, grade, type, score, prof, time, classroom, etc)
         SELECT ?1, ?2, ?3, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
                value ->> 6, value ->> 7, value ->> 8
         FROM (VALUES (?4), (?5), (?6)) AS chunk, json_each(chunk.column1)`,
      )
      .bind(dept, year, semester, ...jsonChunks(rows)),
    selectTerm($client, term),
  ]);
  if (!parts) throw new Error('the batch left its last statement out');
  return objectOf(parts);
}

type Part = { part: string };

/** Several rows at a time become one object, so that no value outgrows what D1 gives. */
function selectTerm($client: D1Database, { dept, year, semester }: Term): D1PreparedStatement {
  return $client
    .prepare(
      `SELECT json_group_object(id, json_object('id', id, 'name', name, 'year', grade, 'type', type, 'score', score,
                'prof', prof, 'time', time, 'classroom', classroom, 'etc', etc)) AS part
       FROM (SELECT *, (row_number() OVER (ORDER BY id) - 1) / 300 AS chunk FROM subjects
             WHERE department = ? AND year = ? AND semester = ?)
       GROUP BY chunk ORDER BY chunk`,
    )
    .bind(dept, year, semester);
}

const objectOf = ({ results }: D1Result<Part>) =>
  joinJson(
    results.map(({ part }) => part),
    '{}',
  );
