import type {
  ClassKey,
  ListExportForm,
  RosterCourse,
  RosterRow,
  Student,
  StudentExport,
} from '#contract/students';
import { statement, type Database } from '#db/client';
import { joinJsonParts, jsonParts, type JsonPart } from '#db/json';
import { personalData, STUDENT_SUBJECTS } from '#db/personal-data';
import { enrolments, importRows, imports, pictures, rosterVersion, students } from '#db/roster';
import { accessLog } from '#db/access-log';
import { toInt, jsonObject } from '#db/sql';
import { and, asc, count, desc, eq, max, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { logAction, logPerRow, maskStoredPeople } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { pictureKeyColumns, type PictureKey } from '../pictures/data.ts';

/** An enrolment's term as one number. */
export const TERM_NUMBER = sql`(${enrolments.year} * 10 + ${enrolments.semester})`;

type TaggedList = { tag: string; list: Uint8Array<ArrayBuffer> };

/** All students, as last read by this isolate: valid while the tag matches, as tags are never reused. */
let kept: TaggedList | undefined;

/**
 * The list of all students or of one class, as JSON with a tag that changes with every change, or only the
 * tag if it is among the reader's `known` tags. Reads the list only if neither reader nor isolate has it.
 */
export async function listStudents(
  db: Database,
  by: Actor,
  known: string[],
  course: ClassKey | undefined,
): Promise<TaggedList | { tag: string; list?: never }> {
  const current = db.select({ tag: rosterVersion.tag }).from(rosterVersion).where(eq(rosterVersion.id, 1));
  const detail = course
    ? jsonObject({ count: db.$count(enrolments, inCourse(course)), filter: courseFilter(course) })
    : jsonObject({ count: rosterVersion.students });
  const [[now]] = await db.commit([
    current,
    logPerRow(db, by, { action: 'read', subject: 'student', detail }, sql`FROM ${rosterVersion}`),
  ]);
  if (!now) throw new Error('the roster has no version');
  if (known.includes(now.tag)) return now;
  if (!course && kept?.tag === now.tag) return kept;
  const [[newest], parts] = await db.batch([current, course ? selectClass(db, course) : selectStudents(db)]);
  if (!newest) throw new Error('the roster has no version');
  const read = { tag: newest.tag, list: new TextEncoder().encode(`[${joinJsonParts(parts)}]`) };
  if (!course) kept = read;
  return read;
}

const { id, name, department, tel, email, version } = students;
const person = { id, name, department, tel, email, version };
const picture = sql`json(iif(${pictures.student_id} IS NULL, 'false', 'true'))`;
const WITH_PICTURES = sql`LEFT JOIN ${pictures} ON ${pictures.student_id} = ${id}`;

function selectStudents(db: Database) {
  // SQLite takes bare columns from the row with max(): the newest enrolment and, within a term, the one
  // imported last.
  const newest = db
    .select({
      student_id: enrolments.student_id,
      newest: max(sql`${TERM_NUMBER} * 10000000000000 + ${enrolments.last_import}`).as('newest'),
      no: enrolments.no,
      school_year: enrolments.school_year,
      type: enrolments.type,
      subjects: sql`json_group_array(DISTINCT ${enrolments.subject})`.as('subjects'),
    })
    .from(enrolments)
    .groupBy(enrolments.student_id)
    .as('newest');
  const student = jsonObject({
    ...person,
    year: newest.school_year,
    type: sql`coalesce(${newest.type}, '')`,
    no: newest.no,
    subjects: sql`json(coalesce(${newest.subjects}, '[]'))`,
    picture,
  } satisfies Record<keyof Student, SQLWrapper>);
  const from = sql`FROM ${students} LEFT JOIN ${newest} ON ${newest.student_id} = ${id} ${WITH_PICTURES}`;
  return statement<JsonPart>(db, jsonParts(student, from, sql`${id}`));
}

/** The students of a class, with their enrolments in this class. */
function selectClass(db: Database, course: ClassKey) {
  const { school_year, type, no, student_id } = enrolments;
  const all = alias(enrolments, 'all_enrolments');
  const subjects = db
    .select({ subjects: sql`json_group_array(DISTINCT ${all.subject})` })
    .from(all)
    .where(eq(all.student_id, id));
  const student = jsonObject({
    ...person,
    year: school_year,
    type,
    no,
    subjects: sql`json(${subjects})`,
    picture,
  } satisfies Record<keyof Student, SQLWrapper>);
  const from = sql`FROM ${enrolments} JOIN ${students} ON ${id} = ${student_id} ${WITH_PICTURES}
    WHERE ${inCourse(course)}`;
  return statement<JsonPart>(db, jsonParts(student, from, sql`${no}, ${id}`));
}

export const inCourse = ({ year, semester, subject }: ClassKey) =>
  and(eq(enrolments.year, year), eq(enrolments.semester, semester), eq(enrolments.subject, subject));

/** The course for the log; a subject only if it is stored, because any other text may be a person's name. */
export const courseFilter = (course: ClassKey) => {
  const { year, semester } = course;
  const subject = sql`(SELECT ${enrolments.subject} FROM ${enrolments} WHERE ${inCourse(course)} LIMIT 1)`;
  return jsonObject({ year: toInt(year), semester: toInt(semester), subject });
};

/** Rows as in an import, by serial number. */
export function selectRoster(db: Database, condition: SQL | undefined) {
  const row = jsonObject({
    no: enrolments.no,
    id: students.id,
    name: students.name,
    department: students.department,
    year: enrolments.school_year,
    type: enrolments.type,
    tel: students.tel,
    email: students.email,
  } satisfies Record<keyof RosterRow, SQLWrapper>);
  const from = sql`FROM ${enrolments} JOIN ${students} ON ${students.id} = ${enrolments.student_id}
    WHERE ${condition}`;
  return statement<JsonPart>(db, jsonParts(row, from, sql`${enrolments.no}, ${students.id}`));
}

/** Every course with enrolments, newest first; within a term, the course imported last comes first. */
export async function listRosterCourses(db: Database): Promise<RosterCourse[]> {
  const { year, semester, subject, last_import } = enrolments;
  return await db
    .select({ year, semester, subject, students: count() })
    .from(enrolments)
    .groupBy(year, semester, subject)
    .orderBy(desc(year), desc(semester), desc(max(last_import)), asc(subject));
}

/**
 * Deletes the student with their enrolments and the record of their picture.
 * @returns the pictures to remove from R2; undefined if there is no such student
 */
export async function deleteStudent(db: Database, by: Actor, id: string): Promise<PictureKey[] | undefined> {
  const [, pictured, deleted] = await db.commit([
    loggedOf(db, by, 'delete', id, {}),
    db.select(pictureKeyColumns).from(pictures).where(eq(pictures.student_id, id)),
    db.delete(students).where(eq(students.id, id)).returning({ id: students.id }),
  ]);
  return deleted.length === 1 ? pictured : undefined;
}

/** Ends the student's enrolment in a class; false if there is none. The person's data stays. */
export async function deleteEnrolment(
  db: Database,
  by: Actor,
  id: string,
  course: ClassKey,
): Promise<boolean> {
  const isIts = and(eq(enrolments.student_id, id), inCourse(course));
  const row = { action: 'delete', subject: 'enrolment', subject_id: id } as const;
  const detail = jsonObject({ filter: courseFilter(course) });
  const [, ended] = await db.commit([
    logPerRow(db, by, { ...row, detail }, sql`FROM ${enrolments} WHERE ${isIts}`),
    db.delete(enrolments).where(isIts).returning({ id: enrolments.student_id }),
  ]);
  return ended.length === 1;
}

/** Everything stored about the student, with the log row of this export; undefined if there is none. */
export async function exportStudent(
  db: Database,
  by: Actor,
  id: string,
  reason: string,
): Promise<StudentExport | undefined> {
  const said = await maskStoredPeople(db, reason);
  const [, [student], enrolled, [picture], imported, log] = await db.commit([
    loggedOf(db, by, 'export', id, { reason: said }),
    db.select(exported(students, personalData.students)).from(students).where(eq(students.id, id)),
    db
      .select(exported(enrolments, personalData.enrolments))
      .from(enrolments)
      .where(eq(enrolments.student_id, id))
      .orderBy(enrolments.year, enrolments.semester, enrolments.subject),
    db.select(exported(pictures, personalData.pictures)).from(pictures).where(eq(pictures.student_id, id)),
    db
      .select({
        at: imports.at,
        year: imports.year,
        semester: imports.semester,
        subject: imports.subject,
        student_before: importRows.student_before,
        student_after: importRows.student_after,
        student_listed: importRows.student_listed,
        student_shown: importRows.student_shown,
        enrolment_before: importRows.enrolment_before,
        enrolment_after: importRows.enrolment_after,
        corrected: importRows.corrected,
      })
      .from(importRows)
      .innerJoin(imports, eq(imports.id, importRows.import_id))
      .where(eq(importRows.student_id, id))
      .orderBy(imports.id),
    db
      .select({ at: accessLog.at, action: accessLog.action, detail: accessLog.detail })
      .from(accessLog)
      .where(
        sql`${accessLog.id} IN ${logOfStudent(id)} AND ${accessLog.subject} IN ${sql.raw(STUDENT_SUBJECTS)}`,
      )
      .orderBy(accessLog.id),
  ]);
  if (!student) return undefined;
  return {
    student,
    enrolments: enrolled,
    picture: picture ? { ...picture, uploaded_at: new Date(picture.uploaded_at).toISOString() } : null,
    imports: imported.map((each) => ({
      at: new Date(each.at).toISOString(),
      year: each.year,
      semester: each.semester,
      subject: each.subject,
      student_before: cellsOf(each.student_before),
      student_after: cellsOf(each.student_after),
      student_listed: cellsOf(each.student_listed),
      student_shown: cellsOf(each.student_shown),
      enrolment_before: cellsOf(each.enrolment_before),
      enrolment_after: cellsOf(each.enrolment_after),
      corrected:
        each.corrected === null ? null : z.record(z.string(), z.unknown()).parse(JSON.parse(each.corrected)),
    })),
    log: log.map(({ at, action, detail }) => ({
      at: new Date(at).toISOString(),
      action,
      detail: z.record(z.string(), z.unknown()).parse(JSON.parse(detail)),
    })),
  };
}

/** Ids of the log's rows about the student. Rows with an earlier number count until its correction. */
const logOfStudent = (id: string) => sql`(WITH RECURSIVE had(number, until) AS (
    SELECT ${id}, 9e15 UNION SELECT moved.detail ->> '$.number[0]', moved.id FROM had JOIN ${accessLog} AS moved
      ON moved.subject_id = had.number AND moved.id <= had.until AND moved.subject = 'student'
      WHERE moved.detail ->> '$.number[1]' = had.number
  ) SELECT row.id FROM had JOIN ${accessLog} AS row ON row.subject_id = had.number AND row.id <= had.until)`;

const cellsSchema = z.array(z.union([z.string(), z.number()]));
const cellsOf = (json: string | null) => (json === null ? null : cellsSchema.parse(JSON.parse(json)));

function exported<Table, Name extends keyof Table>(
  table: Table,
  holding: { exported: readonly Name[] },
): Pick<Table, Name>;
function exported(table: Record<string, unknown>, holding: { exported: readonly string[] }) {
  return Object.fromEntries(holding.exported.map((name) => [name, table[name]]));
}

export async function logListExport(
  db: Database,
  by: Actor,
  { reason, count, course, search, emails, printed }: ListExportForm,
): Promise<void> {
  const said = await maskStoredPeople(db, reason);
  const detail = jsonObject({
    reason: said,
    count: toInt(count),
    ...(course && { filter: courseFilter(course) }),
    ...(search && { search: sql`json('true')` }),
    ...(emails && { emails: sql`json('true')` }),
    ...(printed && { printed: sql`json('true')` }),
  });
  await db.commit([logAction(db, by, { action: 'export', subject: 'student', detail })]);
}

/** Logs an action on the student; writes nothing if there is no such student. */
function loggedOf(db: Database, by: Actor, action: 'delete' | 'export', id: string, detail: object) {
  const row = {
    action,
    subject: 'student',
    subject_id: students.id,
    detail: JSON.stringify(detail),
  } as const;
  return logPerRow(db, by, row, sql`FROM ${students} WHERE ${eq(students.id, id)}`);
}
