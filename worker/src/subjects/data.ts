import type { Department, StoredTimetableImport, Subject, SubjectSemester } from '#contract/subjects';
import { statement, type Database } from '#db/client';
import { jsonFields, joinJsonParts, jsonParts, jsonRows, type JsonPart } from '#db/json';
import { replacedSubjects, subjectImports, subjects } from '#db/roster';
import { users } from '#db/users';
import { insertFrom, jsonObject } from '#db/sql';
import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { logImportAuthorsRead } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';

type Term = { dept: Department; year: number; semester: SubjectSemester };

const { department: _, year: __, semester: ___, grade, ...named } = getTableColumns(subjects);
/** The column of each field of the API. */
const columns = { ...named, year: grade } satisfies Record<keyof Subject, unknown>;

/** The term's subjects as JSON text of one object, keyed by id. */
export async function readTimetable(db: Database, term: Term): Promise<string> {
  return `{${joinJsonParts(await selectTerm(db, term))}}`;
}

/**
 * Replaces the term's subjects and returns them as `readTimetable` does. A change can be undone: a trigger
 * stores the replaced subjects for the import, so the import's row must be inserted first.
 */
export async function replaceTimetable(
  db: Database,
  by: Actor,
  term: Term,
  list: Subject[],
): Promise<string> {
  const { dept: department, year, semester } = term;
  const { year: ofStudents, ...pasted } = jsonFields(columns);
  const row = { ...pasted, grade: ofStudents, department, year, semester };
  const values = sql.join(Object.values({ ...pasted, grade: ofStudents }), sql`, `);
  const kept = sql.join(
    Object.keys({ ...pasted, grade: ofStudents }).map((name) => sql.identifier(name)),
    sql`, `,
  );
  const before = sql`SELECT ${kept} FROM ${subjects} WHERE ${inTerm(term)}`;
  const isDifferent = sql`EXISTS (SELECT * FROM pasted EXCEPT ${before})
    OR EXISTS (${before} EXCEPT SELECT * FROM pasted)`;
  const change = { at: Date.now(), user_id: by.id, department, year, semester };
  const [, , , parts] = await db.commit([
    statement(
      db,
      sql`WITH pasted AS MATERIALIZED (SELECT ${values} FROM ${jsonRows(list)})
        ${insertFrom(subjectImports, change, sql`WHERE ${isDifferent}`)}`,
    ),
    db.delete(subjects).where(inTerm(term)),
    statement(db, insertFrom(subjects, row, sql`FROM ${jsonRows(list)}`)),
    selectTerm(db, term),
  ]);
  return `{${joinJsonParts(parts)}}`;
}

/** The last change of each term, newest first, logging the access to their authors' names. */
export async function listTimetableImports(db: Database, by: Actor): Promise<StoredTimetableImport[]> {
  const { id, at, user_id, ...term } = getTableColumns(subjectImports);
  const [stored] = await db.commit([
    db
      .select({
        id,
        at,
        by: sql<string | null>`${users.name}`.as('by'),
        ...term,
        subjects: sql<number>`${db.$count(subjects, IS_OF_IMPORT)}`.as('subjects'),
        before: sql<number>`${db.$count(replacedSubjects, eq(replacedSubjects.import_id, id))}`.as('before'),
      })
      .from(subjectImports)
      .leftJoin(users, eq(users.id, user_id))
      .where(IS_LAST)
      .orderBy(desc(id)),
    logImportAuthorsRead(db, by, subjectImports, user_id),
  ]);
  return stored.map(({ at: time, ...each }) => Object.assign(each, { at: new Date(time).toISOString() }));
}

/** An earlier change can be undone only after the later ones: each has replaced the whole timetable. */
const IS_LAST = sql`${subjectImports.id} IN (SELECT max(id) FROM ${subjectImports} GROUP BY department, year, semester)`;

const IS_OF_IMPORT = and(
  eq(subjects.department, subjectImports.department),
  eq(subjects.year, subjectImports.year),
  eq(subjects.semester, subjectImports.semester),
);

/** Restores what the change replaced. @returns false if already undone, or the term changed again */
export async function undoTimetableImport(db: Database, id: number): Promise<boolean> {
  const { import_id, ...kept } = getTableColumns(replacedSubjects);
  const { department, year, semester } = subjectImports;
  const isIt = and(eq(subjectImports.id, id), IS_LAST);
  const [, , undone] = await db.commit([
    db
      .delete(subjects)
      .where(
        sql`(department, year, semester) = (SELECT ${department}, ${year}, ${semester} FROM ${subjectImports} WHERE ${isIt})`,
      ),
    statement(
      db,
      insertFrom(
        subjects,
        { department, year, semester, ...kept },
        sql`FROM ${replacedSubjects} JOIN ${subjectImports} ON ${subjectImports.id} = ${import_id} WHERE ${isIt}`,
      ),
    ),
    db.delete(subjectImports).where(isIt).returning({ id: subjectImports.id }),
  ]);
  return undone.length === 1;
}

/** Deletes imports from before `limit` (milliseconds since 1970): they cannot be undone. @returns how many */
export async function removeTimetableImportsBefore(db: Database, limit: number): Promise<number> {
  const [{ meta }] = await db.commit([db.delete(subjectImports).where(lt(subjectImports.at, limit))]);
  return meta.changes;
}

const inTerm = ({ dept, year, semester }: Term) =>
  and(eq(subjects.department, dept), eq(subjects.year, year), eq(subjects.semester, semester));

function selectTerm(db: Database, term: Term) {
  const member = sql`json_quote(${subjects.id}) || ':' || ${jsonObject(columns)}`;
  const from = sql`FROM ${subjects} WHERE ${inTerm(term)}`;
  return statement<JsonPart>(db, jsonParts(member, from, sql`${subjects.id}`));
}
