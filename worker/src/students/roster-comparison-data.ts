import type { RosterImport, RosterPreview } from '#contract/students';
import { termSortKey } from '#contract/terms';
import { jsonFields, joinJsonParts, jsonParts, jsonRows, type JsonPart } from '#db/json';
import { enrolments, importRows, imports, rosterVersion, students } from '#db/roster';
import { accessLog } from '#db/access-log';
import { and, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { courseFilter, inCourse, selectRoster } from './data.ts';
import { statement, type Database } from '#db/client';
import { jsonObject } from '#db/sql';
import { logPerRow } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';

/* The fields of a person and of an enrolment: the API's names, in the order of the arrays in import_rows. */
const { name, department, tel, email } = students;
export const personColumns = { name, department, tel, email };
export const enrolmentColumns = { no: enrolments.no, year: enrolments.school_year, type: enrolments.type };

/** Builds an array of import_rows in SQL. */
export const jsonArrayOf = (values: Record<string, SQLWrapper>): SQL =>
  sql`json_array(${sql.join(Object.values(values), sql`, `)})`;

/** Reads the values of an array of import_rows, by name. */
function valuesOf<Name extends string>(array: SQLWrapper, names: Record<Name, unknown>): Record<Name, SQL>;
function valuesOf(array: SQLWrapper, names: Record<string, unknown>): Record<string, SQL> {
  const value = (at: number) => sql`${array} ->> ${sql.raw(String(at))}`;
  return Object.fromEntries(Object.keys(names).map((each, at) => [each, value(at)]));
}

/**
 * Compares each pasted row with the stored data, for the preview and the import, so that both always agree.
 * Returns a WITH clause; its `compared` has one row per pasted row. An empty cell (0 or '') never overwrites
 * a stored value, nor does a term older than the person's newest term, even if the person has left that term.
 */
export function rosterComparisonSql(roster: RosterImport): SQL {
  const { id, no, year, type, ...cells } = jsonFields({
    id: students.id,
    ...personColumns,
    ...enrolmentColumns,
  });
  const isOlder = sql`newest_term > ${termSortKey(roster)}`;
  const merged = (key: keyof typeof personColumns) =>
    sql`iif(${cells[key]} = '' OR (${isOlder} AND ${personColumns[key]} <> ''), coalesce(${personColumns[key]}, ''), ${cells[key]})`;
  const after = {
    name: merged('name'),
    department: merged('department'),
    tel: merged('tel'),
    email: merged('email'),
  } satisfies Record<keyof typeof personColumns, SQL>;
  const listed = {
    name: cells.name,
    department: cells.department,
    tel: cells.tel,
    email: cells.email,
  } satisfies typeof after;
  return sql`WITH pasted AS MATERIALIZED (
      SELECT ${id} AS id, value,
             (SELECT max(term) FROM (
               SELECT ${students.last_term} AS term FROM ${students} WHERE ${students.id} = ${id}
               UNION ALL ${listedIn(sql`${id}`)})) AS newest_term
      FROM ${jsonRows(roster.data)}
    ), compared AS MATERIALIZED (
      SELECT pasted.id, ${enrolments.last_import}, ${students.last_term},
             iif(${isOlder}, newest_term, NULL) AS newer_term, ${students.by_hand},
             iif(${students.id} IS NULL, NULL, ${jsonArrayOf(personColumns)}) AS student_before,
             ${jsonArrayOf(after)} AS student_after, ${jsonArrayOf(listed)} AS student_listed,
             iif(${enrolments.student_id} IS NULL, NULL, ${jsonArrayOf(enrolmentColumns)}) AS enrolment_before,
             ${jsonArrayOf({ no, year, type })} AS enrolment_after
      FROM pasted
      LEFT JOIN ${students} ON ${students.id} = pasted.id
      LEFT JOIN ${enrolments} ON ${enrolments.student_id} = pasted.id AND ${inCourse(roster)}
    )`;
}

const importOf = ({ year, semester, subject }: RosterImport) =>
  sql`${imports.year} = ${year} AND ${imports.semester} = ${semester} AND ${imports.subject} = ${subject}`;

/** The terms of the imports that listed a student. */
const listedIn = (id: SQL) => sql`
  SELECT ${imports.year} * 10 + ${imports.semester} FROM ${importRows} JOIN ${imports} ON ${imports.id} = ${importRows.import_id}
  WHERE ${importRows.student_id} = ${id} AND ${importRows.student_listed} IS NOT NULL`;

/** A student number without hyphens and leading zeros. */
const bare = (id: SQL) => sql`ltrim(replace(${id}, '-', ''), '0')`;

/** The present number of the student who had this number; the number itself if it was not corrected. */
const became = (id: SQL) => sql`(WITH RECURSIVE became(number, at) AS (
    SELECT ${id}, 0 UNION SELECT moved.detail ->> '$.number[1]', moved.id FROM became JOIN ${accessLog} AS moved
      ON moved.subject_id = became.number AND moved.detail ->> '$.number' IS NOT NULL AND moved.id > became.at
      WHERE moved.detail ->> '$.number[0]' = became.number
  ) SELECT number FROM became ORDER BY at DESC LIMIT 1)`;

/**
 * Pasted rows with an unknown number that probably belong to a stored person. Either name or email are the
 * same, and the number differs only in spelling or was corrected; or name and a contact are those of a person
 * whom the table does not list, and the number is mistyped or new.
 */
function selectAlike(db: Database, roster: RosterImport) {
  const pasted = jsonFields({ id: students.id, name, tel, email });
  const row = jsonObject({
    id: sql`pasted_id`,
    stored: sql`id`,
    name: sql`name`,
    corrected: sql`json(iif(corrected, 'true', 'false'))`,
  } satisfies Record<keyof RosterPreview['alike'][number], SQL>);
  const isSame = sql`(stored.name = pasted.name OR (stored.email = pasted.email AND pasted.email <> ''))`;
  const hasContact = sql`stored.name = pasted.name AND ((stored.tel = pasted.tel AND pasted.tel <> '') OR (stored.email = pasted.email AND pasted.email <> ''))`;
  const found = (corrected: SQL, join: SQL) =>
    sql`SELECT pasted.id AS pasted_id, stored.id, stored.name, ${corrected} AS corrected FROM pasted JOIN stored ON ${join}`;
  const from = sql`FROM (
    WITH pasted AS MATERIALIZED (
      SELECT ${pasted.id} AS id, ${bare(pasted.id)} AS bare_id, ${pasted.name} AS name, ${pasted.tel} AS tel, lower(${pasted.email}) AS email
      FROM ${jsonRows(roster.data)} WHERE NOT EXISTS (SELECT 1 FROM ${students} WHERE ${students.id} = ${pasted.id})),
    stored AS (SELECT id, name, tel, lower(email) AS email, ${bare(sql`id`)} AS bare_id FROM ${students})
    SELECT * FROM (
      ${found(sql`0`, sql`stored.bare_id = pasted.bare_id AND ${isSame}`)}
      UNION ALL ${found(sql`1`, sql`stored.id = ${became(sql`pasted.id`)} AND ${isSame}`)}
      UNION ALL ${found(sql`0`, sql`${hasContact} AND stored.id NOT IN (SELECT ${pasted.id} FROM ${jsonRows(roster.data)})`)})
    GROUP BY pasted_id)`;
  return statement<JsonPart>(db, jsonParts(row, from, sql`pasted_id`));
}

export const IS_UNCHANGED = sql`(student_after IS student_before AND enrolment_before IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM json_each(enrolment_after) AS cell
  WHERE cell.value NOT IN (0, '') AND cell.value IS NOT enrolment_before ->> cell.key))`;

/** What the import would do, as JSON text, by the same comparison that the import uses. */
export async function previewRoster(db: Database, by: Actor, roster: RosterImport): Promise<string> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(roster.data.map(({ id }) => id))}))`;
  const enrolled = db.select({ id: enrolments.student_id }).from(enrolments).where(inCourse(roster));
  const detail = jsonObject({ count: sql`count(*)`, filter: courseFilter(roster) });
  const [, rows, alike, missing, [version]] = await db.commit([
    logPerRow(
      db,
      by,
      { action: 'read', subject: 'enrolment', detail },
      sql`FROM ${students} WHERE ${students.id} IN ${ids} OR ${students.id} IN ${enrolled}`,
    ),
    statement<JsonPart>(
      db,
      sql`${rosterComparisonSql(roster)} ${jsonParts(rowOf(roster), sql`FROM compared`, IN_ORDER)}`,
    ),
    selectAlike(db, roster),
    selectRoster(db, and(inCourse(roster), sql`${enrolments.student_id} NOT IN ${ids}`)),
    db.select({ version: rosterVersion.tag }).from(rosterVersion),
  ]);
  if (!version) throw new Error('the roster has no version');
  return `{"rows":[${joinJsonParts(rows)}],"alike":[${joinJsonParts(alike)}],"missing":[${joinJsonParts(missing)}],"version":${JSON.stringify(version.version)}}`;
}

const objectOf = (array: string, names: Record<string, unknown>) =>
  sql`json(iif(${sql.identifier(array)} IS NULL, NULL, ${jsonObject(valuesOf(sql.identifier(array), names))}))`;

/** No sorting is needed: materialised rows keep the order of the paste. */
const IN_ORDER = sql`NULL`;

const BEFORE = objectOf('student_before', personColumns);

const rowOf = (roster: RosterImport) =>
  jsonObject({
    id: sql`id`,
    before: BEFORE,
    after: objectOf('student_after', personColumns),
    enrolment: objectOf('enrolment_before', enrolmentColumns),
    by_hand: sql`(SELECT json_group_array(typed.key) FROM json_each(by_hand) AS typed
    WHERE typed.value = json_extract(${BEFORE}, '$.' || typed.key))`,
    dropped: sql`json(iif(enrolment_before IS NULL AND EXISTS (${listedIn(sql`compared.id`)} AND ${importOf(roster)}), 'true', 'false'))`,
    newer: sql`json(iif(newer_term IS NULL, NULL, json_object('year', newer_term / 10, 'semester', newer_term % 10)))`,
  } satisfies Record<keyof RosterPreview['rows'][number], SQLWrapper>);
