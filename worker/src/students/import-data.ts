import type { RosterImport, RosterImportResult, StoredRosterImport } from '#contract/students';
import { statement, type Database } from '#db/client';
import { enrolments, importRows, imports, rosterVersion, students } from '#db/roster';
import { users } from '#db/users';
import { insertFrom, jsonObject } from '#db/sql';
import { desc, eq, lt, sql } from 'drizzle-orm';
import { logPerRow, logImportAuthorsRead, deleteAndLogCount } from '../access-log/data.ts';
import { verifyProvenClaims } from '../claims/data.ts';
import type { Actor } from '../lib/app-env.ts';
import {
  jsonArrayOf,
  rosterComparisonSql,
  enrolmentColumns,
  IS_UNCHANGED,
  personColumns,
} from './roster-comparison-data.ts';
import { inCourse } from './data.ts';

const { added, changed, unchanged, removed, year, semester, subject } = imports;
const course = { year, semester, subject };
/** The id of the import just added, because ids are never reused. */
const NEWEST = sql`(SELECT max(${imports.id}) FROM ${imports})`;
/**
 * Stores an import, all or nothing: its counts, its rows (a trigger applies each inserted row), the log, and
 * the claims to a number that the new roster proves.
 * @param seen the version of the roster with which the rows were compared
 * @returns undefined if the roster no longer has that version: nothing is stored
 */
export async function importRoster(
  db: Database,
  by: Actor,
  roster: RosterImport,
  seen?: string,
): Promise<RosterImportResult | undefined> {
  // Insert the rows last, because they change the version that the other statements check.
  const isSeen =
    seen === undefined ? sql`true` : sql`(SELECT ${rosterVersion.tag} FROM ${rosterVersion}) = ${seen}`;
  const now = Date.now();
  const { data: _, remove = [], ...of } = roster;
  const ended = sql`FROM ${enrolments} JOIN ${students} ON ${students.id} = ${enrolments.student_id}
    WHERE ${inCourse(of)} AND ${students.id} IN (SELECT value FROM json_each(${JSON.stringify(remove)}))`;
  const counted = insertFrom(
    imports,
    {
      at: now,
      user_id: by.id,
      ...of,
      added: sql`count(*) FILTER (WHERE student_before IS NULL)`,
      changed: sql`count(*) FILTER (WHERE student_before IS NOT NULL AND NOT ${IS_UNCHANGED})`,
      unchanged: sql`count(*) FILTER (WHERE ${IS_UNCHANGED})`,
      removed: sql`(SELECT count(*) ${ended})`,
    },
    sql`FROM compared HAVING ${isSeen} RETURNING added, changed, unchanged`,
  );
  const rows = insertFrom(
    importRows,
    {
      import_id: NEWEST,
      student_id: sql`id`,
      student_before: sql`student_before`,
      student_after: sql`student_after`,
      student_listed: sql`student_listed`,
      student_shown: sql`student_after`,
      enrolment_before: sql`enrolment_before`,
      enrolment_after: sql`enrolment_after`,
      last_import_before: sql`last_import`,
      last_term_before: sql`last_term`,
    },
    sql`FROM (
      SELECT * FROM compared
      UNION ALL
      SELECT ${students.id}, ${enrolments.last_import}, ${students.last_term}, NULL, NULL, ${jsonArrayOf(personColumns)}, ${jsonArrayOf(personColumns)},
             NULL, ${jsonArrayOf(enrolmentColumns)}, NULL ${ended}) WHERE ${isSeen}`,
  );
  const [[result]] = await db.commit([
    statement<RosterImportResult>(db, sql`${rosterComparisonSql(roster)} ${counted}`),
    logPerRow(
      db,
      by,
      {
        action: 'create',
        subject: 'enrolment',
        detail: jsonObject({ filter: jsonObject(course), added, changed, unchanged, removed }),
      },
      sql`FROM ${imports} WHERE ${imports.id} = ${NEWEST} AND ${isSeen}`,
    ),
    statement(db, sql`${rosterComparisonSql(roster)} ${rows}`),
    ...verifyProvenClaims(db, by, now),
  ]);
  return result;
}

/** Every import, newest first, logging the access to their authors' names. */
export async function listRosterImports(db: Database, by: Actor): Promise<StoredRosterImport[]> {
  const { id, at, user_id } = imports;
  const [stored] = await db.commit([
    db
      .select({ id, at, by: sql<string | null>`${users.name}`.as('by'), ...course, added, changed, removed })
      .from(imports)
      .leftJoin(users, eq(users.id, user_id))
      .orderBy(desc(id)),
    logImportAuthorsRead(db, by, imports, user_id),
  ]);
  return stored.map(({ at: time, ...each }) => Object.assign(each, { at: new Date(time).toISOString() }));
}

/** Deletes imports before `limit` (milliseconds since 1970), which can then no longer be undone. */
export function removeRosterImportsBefore(db: Database, by: Actor, limit: number): Promise<number> {
  const condition = lt(imports.at, limit);
  return deleteAndLogCount(db, by, { table: imports, condition, what: 'imports', subject: 'enrolment' });
}
