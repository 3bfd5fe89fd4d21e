import type { ClassKey, StudentForm, StudentRecord } from '#contract/students';
import { statement, type Database } from '#db/client';
import { enrolments, importRows, pictures, students } from '#db/roster';
import { accessLog } from '#db/access-log';
import { excludedColumns, insertFrom, jsonObject } from '#db/sql';
import {
  and,
  eq,
  exists,
  gte,
  inArray,
  ne,
  notExists,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { logPerRow, logReadUnlessChanged } from '../access-log/data.ts';
import { verifyProvenClaims } from '../claims/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { copyPicture, removePictures } from '../pictures/data.ts';
import { courseFilter, inCourse } from './data.ts';

type Enrolment = NonNullable<StudentForm['enrolment']>;

/** Adds a student, with the enrolment if the form has one, unless the number is taken. */
export async function addStudent(
  db: Database,
  by: Actor,
  id: string,
  { enrolment, name, department, tel, email }: StudentForm,
): Promise<{ record: StudentRecord; isTaken: boolean }> {
  const now = Date.now();
  const filled = Object.fromEntries(
    Object.entries({ name, department, tel, email }).filter(([, text]) => text !== ''),
  );
  const isTaken = exists(db.select({ id: students.id }).from(students).where(eq(students.id, id)));
  const isLogged = logOf(db, by, 'create', id, now);
  const detail = enrolment ? jsonObject({ filter: courseFilter(enrolment.course) }) : '{}';
  const [, , added, , , , [record]] = await db.commit([
    logPerRow(
      db,
      by,
      { action: 'create', subject: 'student', subject_id: id, detail },
      sql`WHERE NOT ${isTaken}`,
    ),
    readOf(db, by, id),
    statement<{ id: string }>(
      db,
      sql`${insertFrom(students, { id, name, department, tel, email, by_hand: JSON.stringify(filled) }, sql`WHERE ${isLogged}`)} ON CONFLICT DO NOTHING RETURNING id`,
    ),
    storeEnrolment(db, id, enrolment, isLogged),
    ...verifyProvenClaims(db, by, now),
    selectRecords(db, [id], enrolment?.course),
  ]);
  if (!record) throw new Error('the student was not stored');
  return { record: recordOf(record), isTaken: added.length === 0 };
}

/**
 * Replaces the data of a student and of the enrolment, which begins if there was none, unless the version has
 * changed. Only the log statement checks the version, and lists the changed fields; the other statements
 * check that the log's row was just written. Triggers raise the version. With a new number everything stored
 * under the old number moves, and the log says so under both numbers.
 * @returns the current student; undefined if there is none, 'taken' if somebody has the new number
 */
export async function correctStudent(
  db: Database,
  files: R2Bucket,
  by: Actor,
  id: string,
  { enrolment, version, number = id, ...person }: StudentForm,
): Promise<{ record: StudentRecord; isOutdated: boolean } | 'taken' | undefined> {
  const now = Date.now();
  const isMoved = number !== id;
  const isLogged = logOf(db, by, 'change', id, now);
  const moves = sql`${isMoved ? 1 : 0} AND ${isLogged}`;
  const isFree = notExists(db.select({ id: students.id }).from(students).where(eq(students.id, number)));
  const copy = isMoved ? await copyPicture(db, files, id, number) : undefined;
  const etag = sql`(SELECT ${pictures.etag} FROM ${pictures} WHERE ${eq(pictures.student_id, id)})`;
  const canMove = isMoved ? and(isFree, sql`${etag} IS ${copy?.from.etag ?? null}`) : undefined;
  const isVersion = version === undefined ? undefined : eq(students.version, version);
  const moving = isMoved ? { number: sql`json_array(${id}, ${number})` } : {};
  const changes = [
    ...OF_PERSON.map((name) => changed(name, students[name], person[name])),
    ...(enrolment ? OF_ENROLMENT.map(([name, column]) => changed(name, column, enrolment[name])) : []),
  ];
  const fields = sql`(SELECT json_group_array(column1) FROM (VALUES ${sql.join(changes, sql`, `)}) WHERE column2)`;
  const detail = jsonObject({
    fields,
    ...moving,
    ...(enrolment && { filter: courseFilter(enrolment.course) }),
  });
  const from = sql`FROM ${students} ${joinOf(enrolment?.course)} WHERE ${and(eq(students.id, id), isVersion, canMove)}`;
  const [, , corrected, , , , , , , , , , , , records] = await db.commit([
    logPerRow(db, by, { action: 'change', subject: 'student', subject_id: students.id, detail }, from),
    readOf(db, by, id),
    statement<{ id: string }>(db, sql`SELECT ${id} AS id WHERE ${isLogged}`),
    // Update only if something changes, because an update gives the list a new tag.
    db
      .update(students)
      .set({ ...person, by_hand: typed(person) })
      .where(
        and(eq(students.id, id), isLogged, or(...OF_PERSON.map((name) => ne(students[name], person[name])))),
      ),
    // Foreign keys may be violated until the end of the transaction, when all rows have the new number.
    statement(db, sql`PRAGMA defer_foreign_keys = ON`),
    db
      .update(students)
      .set({ id: number, version: sql`${students.version} + 1` })
      .where(and(eq(students.id, id), moves)),
    db
      .update(enrolments)
      .set({ student_id: number })
      .where(and(eq(enrolments.student_id, id), moves)),
    db
      .update(pictures)
      .set({ student_id: number, ...copy?.to })
      .where(and(eq(pictures.student_id, id), moves)),
    // Delete the rows of a deleted student who had the new number.
    db.delete(importRows).where(and(eq(importRows.student_id, number), moves)),
    db
      .update(importRows)
      .set({ student_id: number })
      .where(and(eq(importRows.student_id, id), moves)),
    storeEnrolment(db, number, enrolment, isLogged),
    logPerRow(
      db,
      by,
      { action: 'change', subject: 'student', subject_id: number, detail: jsonObject(moving) },
      sql`WHERE ${moves}`,
    ),
    ...verifyProvenClaims(db, by, now),
    selectRecords(db, [id, number], enrolment?.course),
  ]);
  const isDone = corrected.length === 1;
  const record = records.find((each) => each.id === (isDone ? number : id));
  if (copy) await removePictures(files, [isDone ? copy.from : copy.to]);
  if (!isDone && isMoved && record && records.length === 2) return 'taken';
  return record && { record: recordOf(record), isOutdated: !isDone };
}

const OF_PERSON = ['name', 'department', 'tel', 'email'] as const;
const OF_ENROLMENT = [
  ['no', enrolments.no],
  ['year', enrolments.school_year],
  ['type', enrolments.type],
] as const;

/** A row with the field's name and whether its value changes. */
const changed = (name: string, column: SQLWrapper, value: string | number) =>
  sql`(${name}, ${column} IS NOT ${value})`;

/** The values set by hand: of the fields that change now, and of the fields set before. */
function typed(person: Record<(typeof OF_PERSON)[number], string>): SQL {
  const values = OF_PERSON.map((name) => {
    const before = sql`${students.by_hand} ->> ${name}`;
    return [name, sql`iif(${students[name]} IS ${person[name]}, ${before}, ${person[name]})`] as const;
  });
  // json_patch drops fields that are null.
  return sql`json_patch('{}', ${jsonObject(Object.fromEntries(values))})`;
}

const joinOf = (course: ClassKey | undefined): SQL =>
  course
    ? sql`LEFT JOIN ${enrolments} ON ${enrolments.student_id} = ${students.id} AND ${inCourse(course)}`
    : sql``;

/** Logs a read when the student was not changed but is shown in the response. */
const readOf = (db: Database, by: Actor, id: string) =>
  logReadUnlessChanged(
    db,
    by,
    { subject: 'student', subject_id: students.id },
    sql`FROM ${students} WHERE ${students.id} = ${id}`,
  );

/** Whether the log's newest row was just written by this request; another request may have the same id. */
function logOf(db: Database, by: Actor, action: 'create' | 'change', id: string, now: number): SQL {
  return exists(
    db
      .select({ id: accessLog.id })
      .from(accessLog)
      .where(
        and(
          gte(accessLog.at, now),
          sql`${accessLog.id} = (SELECT max(id) FROM ${accessLog})`,
          eq(accessLog.request_id, by.requestId),
          eq(accessLog.action, action),
          eq(accessLog.subject_id, id),
        ),
      ),
  );
}

function storeEnrolment(db: Database, id: string, enrolment: Enrolment | undefined, isLogged: SQL) {
  if (!enrolment) return statement(db, sql`SELECT 1 WHERE false`);
  const { course, no, year, type } = enrolment;
  const row = { student_id: students.id, ...course, no, school_year: year, type };
  const from = sql`FROM ${students} WHERE ${and(eq(students.id, id), isLogged)}`;
  return statement(
    db,
    sql`${insertFrom(enrolments, row, from)} ON CONFLICT DO UPDATE SET ${excludedColumns(['no', 'school_year', 'type'])}
      WHERE (${enrolments.no}, ${enrolments.school_year}, ${enrolments.type}) IS NOT (excluded.no, excluded.school_year, excluded.type)`,
  );
}

type RecordRow = Omit<StudentRecord, 'enrolment'> & { no: number | null; year: number; type: string };

function selectRecords(db: Database, ids: string[], course: ClassKey | undefined) {
  const { name, department, tel, email, version } = students;
  const enrolled = course
    ? sql`${enrolments.no}, ${enrolments.school_year} AS year, ${enrolments.type}`
    : sql`NULL AS no`;
  return statement<RecordRow>(
    db,
    sql`SELECT ${students.id}, ${name}, ${department}, ${tel}, ${email}, ${version}, ${enrolled}
      FROM ${students} ${joinOf(course)} WHERE ${inArray(students.id, ids)}`,
  );
}

const recordOf = ({ no, year, type, ...person }: RecordRow): StudentRecord => ({
  ...person,
  enrolment: no === null ? null : { no, year, type },
});
