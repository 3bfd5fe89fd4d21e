import type { RosterImport, RosterImportResult, StoredRosterImport } from '#contract/students';
import { statement, type Database } from '#db/client';
import { enrolments, importRows, imports, rosterVersion } from '#db/roster';
import { accessLog, students, users } from '#db/schema';
import { asExcluded, insertFrom, jsonObject } from '#db/sql';
import {
  and,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  min,
  ne,
  notExists,
  or,
  sql,
  type SQLWrapper,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { loggedEach, loggedImporters, removeCounted } from '../access-log/data.ts';
import { takeBackUnproven, verifyProven } from '../claims/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { arrayOf, compared, enrolment, IS_UNCHANGED, person, valuesOf } from './compared-data.ts';
import { inCourse, TERM } from './data.ts';
import { isPersonChanged, selectChangedSince } from './undo-hindrances-data.ts';

const { added, changed, unchanged, removed, year, semester, subject } = imports;
const course = { year, semester, subject };
/** The import just added, because ids are never reused. */
const NEWEST = sql`(SELECT max(${imports.id}) FROM ${imports})`;
/**
 * Stores the rows, all or none, with the import's counts, its changes (inserting those applies them), the log and the
 * claims to a number that the new roster proves.
 * @param seen the version of the roster with which the rows were compared
 * @returns undefined when the roster is no longer that version: nothing is stored
 */
export async function importRoster(
  db: Database,
  by: Actor,
  roster: RosterImport,
  seen?: string,
): Promise<RosterImportResult | undefined> {
  // Inserting the rows changes the version, so they come last.
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
      enrolment_before: sql`enrolment_before`,
      enrolment_after: sql`enrolment_after`,
      last_import_before: sql`last_import`,
      last_term_before: sql`last_term`,
    },
    sql`FROM (
      SELECT * FROM compared WHERE NOT ${IS_UNCHANGED}
      UNION ALL
      SELECT ${students.id}, ${enrolments.last_import}, ${students.last_term}, NULL, ${arrayOf(person)}, ${arrayOf(person)},
             ${arrayOf(enrolment)}, NULL ${ended}) WHERE ${isSeen}`,
  );
  const [[result]] = await db.commit([
    statement<RosterImportResult>(db, sql`${compared(roster)} ${counted}`),
    loggedEach(
      db,
      by,
      {
        action: 'create',
        subject: 'enrolment',
        detail: jsonObject({ filter: jsonObject(course), added, changed, unchanged, removed }),
      },
      sql`FROM ${imports} WHERE ${imports.id} = ${NEWEST} AND ${isSeen}`,
    ),
    statement(db, sql`${compared(roster)} ${rows}`),
    ...verifyProven(db, by, now),
  ]);
  return result;
}

/** Every import that changed something, newest first, logging the access to who made them. */
export async function listImports(db: Database, by: Actor): Promise<StoredRosterImport[]> {
  const { id, at, user_id } = imports;
  const [stored] = await db.commit([
    db
      .select({ id, at, by: sql<string | null>`${users.name}`.as('by'), ...course, added, changed, removed })
      .from(imports)
      .leftJoin(users, eq(users.id, user_id))
      .where(sql`${added} + ${changed} + ${removed} > 0`)
      .orderBy(desc(id)),
    loggedImporters(db, by, imports, user_id),
  ]);
  return stored.map(({ at: time, ...each }) => Object.assign(each, { at: new Date(time).toISOString() }));
}

const { student_id, student_before, student_after, enrolment_before, enrolment_after } = importRows;

const laterRows = alias(importRows, 'later_rows');
const laterImports = alias(imports, 'later_imports');
const isLaterOfSame = and(
  eq(laterRows.student_id, student_id),
  gt(laterRows.import_id, importRows.import_id),
);

/** Whether a later import changed the same person or imported the same course for them: that one goes first. */
function isBelowAnother(db: Database) {
  const isSameCourse = sql`(${laterImports.year}, ${laterImports.semester}, ${laterImports.subject})
    = (${year}, ${semester}, ${subject})`;
  const isSamePerson = sql`(${isPersonChanged} AND ${laterRows.student_before} IS NOT ${laterRows.student_after})`;
  return exists(
    db
      .select({ id: student_id })
      .from(importRows)
      .innerJoin(laterRows, isLaterOfSame)
      .innerJoin(laterImports, eq(laterImports.id, laterRows.import_id))
      .where(and(eq(importRows.import_id, imports.id), or(isSameCourse, isSamePerson))),
  );
}

const termOf = (table: { year: SQLWrapper; semester: SQLWrapper }) =>
  sql`${table.year} * 10 + ${table.semester}`;

/**
 * Reverts an import; 'changed' if something of it has been modified since, 'below' if a later import has to be undone
 * first. Only the log statement checks this. The others look for its row: within this batch, it is the only one that
 * refers to an import that still exists.
 */
export async function undoImport(
  db: Database,
  by: Actor,
  asked: number,
): Promise<RosterImportResult | 'none' | 'below' | 'changed'> {
  const now = Date.now();
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
  const nextOfAdded = db
    .select({ id: laterRows.student_id, next: min(laterRows.import_id) })
    .from(importRows)
    .innerJoin(students, eq(students.id, student_id))
    .innerJoin(laterRows, isLaterOfSame)
    .where(and(isOfUndone, isNull(student_before)))
    .groupBy(laterRows.student_id);
  /** Later imports listed the person as this one had made them: what it changed stays for the first of these. */
  const heirs = sql`FROM ${importRows} JOIN ${imports} ON ${imports.id} = ${importRows.import_id}
    JOIN ${importRows} AS ${laterRows} ON ${isLaterOfSame}
    JOIN ${imports} AS ${laterImports} ON ${laterImports.id} = ${laterRows.import_id}
    WHERE ${isOfUndone} AND ${student_before} <> ${student_after} AND ${laterRows.student_after} = ${student_after}
      AND ${laterRows.enrolment_after} IS NOT NULL AND ${termOf(laterImports)} >= ${termOf(imports)}`;
  const undoneRow = sql`${importRows} AS undone_row WHERE undone_row.import_id IN ${undone}
    AND undone_row.student_id = ${student_id}`;
  /** The last term before a later import, without the one that is undone. */
  const termWithout = sql`(SELECT max(term) FROM (
    SELECT undone_row.last_term_before AS term FROM ${undoneRow}
    UNION ALL
    SELECT ${termOf(laterImports)} FROM ${importRows} AS ${laterRows}
      JOIN ${imports} AS ${laterImports} ON ${laterImports.id} = ${laterRows.import_id}
      WHERE ${laterRows.student_id} = ${student_id} AND ${laterRows.enrolment_after} IS NOT NULL
        AND ${laterRows.import_id} > ${asked} AND ${laterRows.import_id} < ${importRows.import_id}))`;
  const theirs = eq(enrolments.student_id, students.id);
  const lastTerm = sql`nullif(max(coalesce((SELECT max(${TERM}) FROM ${enrolments} WHERE ${theirs}), 0),
    coalesce(${importRows.last_term_before}, 0)), 0)`;

  const { no, year: school_year, type } = valuesOf(enrolment_before, enrolment);
  const last_import = sql`coalesce(${importRows.last_import_before}, 0)`;
  const put = { no, school_year, type, last_import };
  const detail = jsonObject({
    undone: jsonObject({ id: imports.id, ...course, added, changed, removed }),
  });
  const isBelow = isBelowAnother(db);
  const [[found], , [isTold]] = await db.commit([
    db
      .select({ added, changed, unchanged, isBelow: sql<0 | 1>`${isBelow}`.as('is_below') })
      .from(imports)
      .where(eq(imports.id, asked)),
    loggedEach(
      db,
      by,
      { action: 'change', subject: 'enrolment', detail },
      sql`FROM ${imports} WHERE ${imports.id} = ${asked} AND NOT ${isBelow} AND NOT ${exists(selectChangedSince(db, asked))}`,
    ),
    db.select({ id: imports.id }).from(imports).where(isUndone),
    db
      .update(students)
      .set(valuesOf(student_before, person))
      .from(importRows)
      .where(
        and(
          isOfUndone,
          eq(student_id, students.id),
          ne(student_before, student_after),
          sql`${students.id} NOT IN (SELECT ${laterRows.student_id} ${heirs})`,
        ),
      ),
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
    // Who stays for a later import has now been added by that one, and goes with it.
    db
      .update(importRows)
      .set({ student_before: null })
      .where(sql`(student_id, import_id) IN ${nextOfAdded}`),
    statement(
      db,
      sql`UPDATE ${importRows} SET student_before = (SELECT undone_row.student_before FROM ${undoneRow})
        WHERE (student_id, import_id) IN (
          SELECT ${laterRows.student_id}, min(${laterRows.import_id}) ${heirs} GROUP BY ${laterRows.student_id})`,
    ),
    statement(
      db,
      sql`UPDATE ${importRows} SET last_term_before = ${termWithout}
        WHERE ${importRows.import_id} > ${asked} AND EXISTS (SELECT 1 FROM ${undoneRow})
          AND last_term_before = (SELECT ${termOf(imports)} FROM ${imports} WHERE ${isUndone})`,
    ),
    db
      .update(students)
      .set({ last_term: lastTerm })
      .from(importRows)
      .where(and(isOfUndone, eq(student_id, students.id))),
    ...takeBackUnproven(db, by, db.select({ at: imports.at }).from(imports).where(isUndone)),
    ...verifyProven(db, by, now),
    db.delete(imports).where(isUndone),
  ]);
  if (!found) return 'none';
  const { isBelow: hasLater, ...counts } = found;
  if (isTold) return counts;
  return hasLater === 1 ? 'below' : 'changed';
}

/** Deletes imports before `limit` (milliseconds since 1970), which can then no longer be undone. */
export function removeImportsBefore(db: Database, by: Actor, limit: number): Promise<number> {
  const condition = lt(imports.at, limit);
  return removeCounted(db, by, { table: imports, condition, what: 'imports', subject: 'enrolment' });
}
