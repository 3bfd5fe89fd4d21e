import type { LastImport, RosterImport, RosterImportResult } from '#contract/students';
import { statement, type Database } from '#db/client';
import { enrolments, importRows, imports, pictures } from '#db/roster';
import { accessLog, students } from '#db/schema';
import { asExcluded, insertFrom, jsonObject } from '#db/sql';
import { and, eq, exists, gte, inArray, isNull, lt, ne, notExists, or, sql } from 'drizzle-orm';
import { loggedEach, removeCounted } from '../access-log/data.ts';
import { takeBackUnproven, verifyProven } from '../claims/data.ts';
import type { Actor } from '../lib/actor.ts';
import { arrayOf, compared, enrolment, IS_UNCHANGED, person, valuesOf } from './compared-data.ts';
import { inCourse, TERM } from './data.ts';

const { added, changed, unchanged, removed, year, semester, subject } = imports;
const course = { year, semester, subject };
/** The import just added, because ids are never reused. */
const NEWEST = sql`(SELECT max(${imports.id}) FROM ${imports})`;
/** An import that changed nothing does not replace the one before as the last. */
const LAST = sql`(SELECT max(${imports.id}) FROM ${imports} WHERE ${added} + ${changed} + ${removed} > 0)`;

/**
 * Stores the rows, all or none, with the import's counts, its changes (inserting those applies them), the log and the
 * claims to a number that the new roster proves.
 */
export async function importRoster(
  db: Database,
  by: Actor,
  roster: RosterImport,
): Promise<RosterImportResult> {
  const now = Date.now();
  const { data: _, remove = [], ...of } = roster;
  const ended = sql`FROM ${enrolments} JOIN ${students} ON ${students.id} = ${enrolments.student_id}
    WHERE ${inCourse(of)} AND ${students.id} IN (SELECT value FROM json_each(${JSON.stringify(remove)}))`;
  const counted = insertFrom(
    imports,
    {
      at: now,
      ...of,
      added: sql`count(*) FILTER (WHERE student_before IS NULL)`,
      changed: sql`count(*) FILTER (WHERE student_before IS NOT NULL AND NOT ${IS_UNCHANGED})`,
      unchanged: sql`count(*) FILTER (WHERE ${IS_UNCHANGED})`,
      removed: sql`(SELECT count(*) ${ended})`,
    },
    sql`FROM compared RETURNING added, changed, unchanged`,
  );
  const rows = insertFrom(
    importRows,
    {
      import_id: NEWEST,
      student_id: sql`id`,
      student_before: sql`student_before`,
      student_after: sql`student_after`,
      enrolment_before: sql`enrolment_before`,
      enrolment_after: sql`enrolment_after`,
      last_import_before: sql`last_import`,
      last_term_before: sql`last_term`,
    },
    sql`FROM (
      SELECT * FROM compared WHERE NOT ${IS_UNCHANGED}
      UNION ALL
      SELECT ${students.id}, ${enrolments.last_import}, ${students.last_term}, NULL, ${arrayOf(person)}, ${arrayOf(person)},
             ${arrayOf(enrolment)}, NULL ${ended})`,
  );
  const [[result]] = await db.batch([
    statement<RosterImportResult>(db, sql`${compared(roster)} ${counted}`),
    statement(db, sql`${compared(roster)} ${rows}`),
    loggedEach(
      db,
      by,
      {
        action: 'create',
        subject: 'enrolment',
        detail: jsonObject({ filter: jsonObject(course), added, changed, unchanged, removed }),
      },
      sql`FROM ${imports} WHERE ${imports.id} = ${NEWEST}`,
    ),
    ...verifyProven(db, by, now),
  ]);
  if (!result) throw new Error('the import has no counts');
  return result;
}

export async function lastImport(db: Database): Promise<LastImport | null> {
  const { id, at } = imports;
  const [last] = await db
    .select({ id, at, ...course, added, changed, unchanged })
    .from(imports)
    .where(eq(id, LAST));
  return last ? { ...last, at: new Date(last.at).toISOString() } : null;
}

/** Whether a student or an enrolment differs from what the import made of it. */
function isChangedSince(db: Database) {
  const isIts = and(
    eq(enrolments.year, year),
    eq(enrolments.semester, semester),
    eq(enrolments.subject, subject),
  );
  const stored = sql`iif(${enrolments.student_id} IS NULL, NULL, ${arrayOf(enrolment)})`;
  const picture = db
    .select({ id: pictures.student_id })
    .from(pictures)
    .where(eq(pictures.student_id, students.id));
  return exists(
    db
      .select({ id: importRows.student_id })
      .from(importRows)
      .leftJoin(students, eq(students.id, importRows.student_id))
      .leftJoin(enrolments, and(eq(enrolments.student_id, importRows.student_id), isIts))
      .where(
        and(
          eq(importRows.import_id, imports.id),
          or(
            isNull(students.id),
            ne(arrayOf(person), importRows.student_after),
            sql`${stored} IS NOT ${importRows.enrolment_after}`,
            and(isNull(importRows.student_before), exists(picture)),
          ),
        ),
      ),
  );
}

/**
 * Reverts the last import; 'changed' if something has been modified since, 'newer' if `asked` is not the last one. Only the log statement checks this. The
 * others look for its row: within this batch, it is the only one that refers to an import that still exists.
 */
export async function undoLastImport(
  db: Database,
  by: Actor,
  asked: number,
): Promise<RosterImportResult | 'none' | 'newer' | 'changed'> {
  const now = Date.now();
  const { student_id, student_before, student_after, enrolment_before, enrolment_after } = importRows;
  const undone = db
    .select({ id: sql`${accessLog.detail} ->> '$.undone.id'` })
    .from(accessLog)
    .where(and(gte(accessLog.at, now), eq(accessLog.action, 'change'), eq(accessLog.subject, 'enrolment')));
  const isUndone = inArray(imports.id, undone);
  const isOfUndone = inArray(importRows.import_id, undone);
  const rows = sql`FROM ${importRows} JOIN ${imports} ON ${imports.id} = ${importRows.import_id} WHERE ${isOfUndone}`;
  const whoWasAdded = db
    .select({ id: student_id })
    .from(importRows)
    .where(and(isOfUndone, isNull(student_before)));
  const theirs = eq(enrolments.student_id, students.id);
  const lastTerm = sql`(SELECT max(${TERM}) FROM ${enrolments} WHERE ${theirs})`;

  const { no, year: school_year, type } = valuesOf(enrolment_before, enrolment);
  const last_import = sql`coalesce(${importRows.last_import_before}, 0)`;
  const put = { no, school_year, type, last_import };
  const detail = jsonObject({
    undone: jsonObject({ id: imports.id, ...course, added, changed, removed }),
  });
  const [[last], , [isTold]] = await db.batch([
    db.select({ id: imports.id, added, changed, unchanged }).from(imports).where(eq(imports.id, LAST)),
    loggedEach(
      db,
      by,
      { action: 'change', subject: 'enrolment', detail },
      sql`FROM ${imports} WHERE ${imports.id} = ${LAST} AND ${imports.id} = ${asked} AND NOT ${isChangedSince(db)}`,
    ),
    db.select({ id: imports.id }).from(imports).where(isUndone),
    db
      .update(students)
      .set(valuesOf(student_before, person))
      .from(importRows)
      .where(and(isOfUndone, eq(student_id, students.id), ne(student_before, student_after))),
    statement(
      db,
      sql`${insertFrom(enrolments, { student_id, ...course, ...put }, rows)}
          AND ${enrolment_before} IS NOT NULL AND ${enrolment_before} IS NOT ${enrolment_after}
        ON CONFLICT DO UPDATE SET ${asExcluded(Object.keys(put))}`,
    ),
    db.delete(enrolments).where(
      sql`(student_id, year, semester, subject) IN (
        SELECT ${student_id}, ${year}, ${semester}, ${subject} ${rows} AND ${enrolment_before} IS NULL)`,
    ),
    db
      .delete(students)
      .where(
        and(
          inArray(students.id, whoWasAdded),
          notExists(db.select({ id: enrolments.student_id }).from(enrolments).where(theirs)),
        ),
      ),
    db
      .update(students)
      .set({ last_term: sql`coalesce(${lastTerm}, ${importRows.last_term_before}, ${students.last_term})` })
      .from(importRows)
      .where(and(isOfUndone, eq(student_id, students.id))),
    ...takeBackUnproven(db, by, db.select({ at: imports.at }).from(imports).where(isUndone)),
    ...verifyProven(db, by, now),
    db.delete(imports).where(isUndone),
  ]);
  if (!last) return 'none';
  const { id, ...counts } = last;
  if (id !== asked) return 'newer';
  return isTold ? counts : 'changed';
}

/** Deletes imports before `limit` (milliseconds since 1970), which can then no longer be undone. */
export function removeImportsBefore(db: Database, by: Actor, limit: number): Promise<number> {
  const condition = lt(imports.at, limit);
  return removeCounted(db, by, { table: imports, condition, what: 'imports', subject: 'enrolment' });
}
