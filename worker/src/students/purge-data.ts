import type { TermPurgeCount } from '#contract/students';
import { nextTerm, currentTerm, type Term, termSortKey, termStart } from '#contract/terms';
import { statement, type Database } from '#db/client';
import { enrolments, importRows, imports, pictures, students } from '#db/roster';
import { accessLog } from '#db/access-log';
import { toInt, jsonObject } from '#db/sql';
import {
  and,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNull,
  lte,
  max,
  notExists,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { logPerRow } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { pictureKeyColumns, type PictureKey } from '../pictures/data.ts';

export async function countTermPurge(db: Database, year: number, semester: number): Promise<TermPurgeCount> {
  const [count] = await selectCount(db, year, semester);
  if (!count) throw new Error('a count has no row');
  return count;
}

const selectCount = (db: Database, year: number, semester: number) =>
  statement<TermPurgeCount>(
    db,
    sql`SELECT ${sql.join(
      Object.entries(countsOf(db, year, semester)).map(
        ([name, count]) => sql`${count} AS ${sql.identifier(name)}`,
      ),
      sql`, `,
    )}`,
  );

const countsOf = (db: Database, year: number, semester: number) => ({
  enrolments: db.$count(enrolments, isInTerm(year, semester)),
  students: db.$count(students, isOnlyInTerm(db, year, semester)),
  left: db.$count(students, and(isOnlyInTerm(db, year, semester), notExists(enrolmentsOf(db)))),
});

const enrolmentsOf = (db: Database, condition?: SQL) =>
  db
    .select({ id: enrolments.student_id })
    .from(enrolments)
    .where(and(eq(enrolments.student_id, students.id), condition));

const isInTerm = (year: number, semester: number) =>
  sql`(${enrolments.year}, ${enrolments.semester}) = (${year}, ${semester})`;

/** Students whose last term is this term and who have no enrolment in any other term. */
function isOnlyInTerm(db: Database, year: number, semester: number) {
  const elsewhere = enrolmentsOf(db, sql`NOT ${isInTerm(year, semester)}`);
  return and(eq(students.last_term, termSortKey({ year, semester })), notExists(elsewhere));
}

/**
 * Removes the term's enrolments, the students who have no other enrolment, and every import whose undo could
 * restore them. Only the log statement checks the confirmed number; the other statements check that this
 * request has just written the log's newest row. The request id is not enough: two requests may have one id.
 * @param confirmed the number of enrolments that the person saw
 * @returns what was removed and the pictures to remove from R2; undefined if the number has changed
 */
export async function purgeTerm(
  db: Database,
  by: Actor,
  year: number,
  semester: number,
  confirmed: number,
): Promise<{ count: TermPurgeCount; pictures: PictureKey[] } | undefined> {
  const now = Date.now();
  const { left: _, ...counts } = countsOf(db, year, semester);
  const filter = jsonObject({ year: toInt(year), semester: toInt(semester) });
  const isLogged = exists(
    db
      .select({ id: accessLog.id })
      .from(accessLog)
      .where(
        and(
          gte(accessLog.at, now),
          sql`${accessLog.id} = (SELECT max(id) FROM ${accessLog})`,
          eq(accessLog.request_id, by.requestId),
          eq(accessLog.action, 'delete'),
          eq(accessLog.subject, 'enrolment'),
          sql`${accessLog.detail} ->> '$.filter' = ${filter}`,
        ),
      ),
  );
  const isEnrolment = isInTerm(year, semester);
  const isStudent = isOnlyInTerm(db, year, semester);
  const whoGoes = db.select({ id: students.id }).from(students).where(isStudent);
  const whoIsThere = db.select({ id: enrolments.student_id }).from(enrolments).where(isEnrolment);
  /**
   * The newest import whose undo would restore something of the term. Older imports are deleted too, because
   * an undo replays all remaining imports without a gap.
   */
  const newestTouching = db
    .select({ id: max(imports.id) })
    .from(imports)
    .leftJoin(importRows, eq(importRows.import_id, imports.id))
    .where(
      or(
        sql`(${imports.year}, ${imports.semester}) = (${year}, ${semester})`,
        inArray(importRows.student_id, whoIsThere),
        inArray(importRows.student_id, whoGoes),
      ),
    );
  const [[count], , gone] = await db.commit([
    selectCount(db, year, semester),
    logPerRow(
      db,
      by,
      { action: 'delete', subject: 'enrolment', detail: jsonObject({ filter, ...counts }) },
      sql`WHERE ${counts.enrolments} = ${confirmed}`,
    ),
    db
      .select(pictureKeyColumns)
      .from(pictures)
      .where(and(isLogged, inArray(pictures.student_id, whoGoes))),
    db.delete(imports).where(and(isLogged, lte(imports.id, newestTouching))),
    db.delete(students).where(and(isLogged, isStudent)),
    db.delete(enrolments).where(and(isLogged, isEnrolment)),
  ]);
  if (!count) throw new Error('a count has no row');
  return count.enrolments === confirmed ? { count, pictures: gone } : undefined;
}

/** Terms with data, newest first: those with enrolments, and last terms of students without enrolments. */
export async function listTerms(db: Database): Promise<Term[]> {
  return await statement<Term>(
    db,
    sql`SELECT ${enrolments.year}, ${enrolments.semester} FROM ${enrolments}
      UNION SELECT ${students.last_term} / 10, ${students.last_term} % 10 FROM ${students}
      WHERE ${students.last_term} IS NOT NULL ORDER BY 1 DESC, 2 DESC`,
  );
}

/**
 * Starts the retention period of students without enrolments whose last term is unknown or has not begun: the
 * period counts from the current term.
 */
export async function recordCurrentTerm(db: Database, now: number): Promise<void> {
  const running = termSortKey(currentTerm(now));
  await db.commit([
    db
      .update(students)
      .set({ last_term: running })
      .where(
        and(or(isNull(students.last_term), gt(students.last_term, running)), notExists(enrolmentsOf(db))),
      ),
  ]);
}

/** When a term's roster has been stored for `years` after the end of the term, in milliseconds since 1970. */
export function termRetentionEnd({ year, semester }: Term, years: number): number {
  return termStart(nextTerm({ year: year + years, semester }));
}
