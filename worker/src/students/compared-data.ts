import type { RosterImport } from '#contract/students';
import { termOrder } from '#contract/terms';
import { fields, jsonRows } from '#db/json';
import { enrolments } from '#db/roster';
import { students } from '#db/schema';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { inCourse, TERM } from './data.ts';

/* What an import says of a person and of an enrolment: by the API's names, in the order of the arrays of import_rows. */
const { name, department, tel, email } = students;
export const person = { name, department, tel, email };
export const enrolment = { no: enrolments.no, year: enrolments.school_year, type: enrolments.type };

/** Such an array. */
export const arrayOf = (values: Record<string, SQLWrapper>): SQL =>
  sql`json_array(${sql.join(Object.values(values), sql`, `)})`;

/** The values of such an array by their names. */
export function valuesOf<Name extends string>(
  array: SQLWrapper,
  names: Record<Name, unknown>,
): Record<Name, SQL>;
export function valuesOf(array: SQLWrapper, names: Record<string, unknown>): Record<string, SQL> {
  const value = (at: number) => sql`${array} ->> ${sql.raw(String(at))}`;
  return Object.fromEntries(Object.keys(names).map((each, at) => [each, value(at)]));
}

/**
 * What an import would make of each row: the one comparison, by which the preview is told and the import is done. It
 * stands before a statement, whose `compared` holds each pasted row beside what is stored. An empty cell never
 * overwrites what is known of the person, nor does a term older than the newest one that the person has.
 */
export function compared(roster: RosterImport): SQL {
  const { id, no, year, type, ...cells } = fields({ id: students.id, ...person, ...enrolment });
  const isOlder = sql`newest_term > ${termOrder(roster)}`;
  const merged = (key: keyof typeof person) =>
    sql`iif(${cells[key]} = '' OR (${isOlder} AND ${person[key]} <> ''), coalesce(${person[key]}, ''), ${cells[key]})`;
  const after = {
    name: merged('name'),
    department: merged('department'),
    tel: merged('tel'),
    email: merged('email'),
  } satisfies Record<keyof typeof person, SQL>;
  return sql`WITH pasted AS MATERIALIZED (
      SELECT ${id} AS id, value,
             (SELECT max(${TERM}) FROM ${enrolments} WHERE ${enrolments.student_id} = ${id}) AS newest_term
      FROM ${jsonRows(roster.data)}
    ), compared AS MATERIALIZED (
      SELECT pasted.id, ${enrolments.last_import}, ${students.last_term},
             iif(${isOlder}, newest_term, NULL) AS newer_term,
             iif(${students.id} IS NULL, NULL, ${arrayOf(person)}) AS student_before,
             ${arrayOf(after)} AS student_after,
             iif(${enrolments.student_id} IS NULL, NULL, ${arrayOf(enrolment)}) AS enrolment_before,
             ${arrayOf({ no, year, type })} AS enrolment_after
      FROM pasted
      LEFT JOIN ${students} ON ${students.id} = pasted.id
      LEFT JOIN ${enrolments} ON ${enrolments.student_id} = pasted.id AND ${inCourse(roster)}
    )`;
}

export const IS_UNCHANGED = sql`(student_after IS student_before AND enrolment_after IS enrolment_before)`;
