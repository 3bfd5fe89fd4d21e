import type { RosterImportResult, RosterUndoResult } from '#contract/students';
import { statement, type Database } from '#db/client';
import { joinJsonParts, jsonParts, jsonRows, type JsonPart } from '#db/json';
import { enrolments, importRows, imports, pictures, rosterVersion, students } from '#db/roster';
import { accessLog } from '#db/access-log';
import { excludedColumns, insertFrom, toInt, jsonObject } from '#db/sql';
import { and, eq, gte, inArray, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { logPerRow } from '../access-log/data.ts';
import { revokeUnprovenClaims, verifyProvenClaims } from '../claims/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { jsonArrayOf, enrolmentColumns, personColumns } from './roster-comparison-data.ts';
import { TERM_NUMBER } from './data.ts';
import {
  recordedRowSchema,
  replayWithoutImport,
  rosterStateSchema,
  type ReplayedStudent,
} from './roster-replay.ts';

const { year, semester, subject, added, changed, unchanged, removed } = imports;
const course = { year, semester, subject };
const { import_id, student_id } = importRows;

/** How often an undo is recomputed when the roster has changed meanwhile. */
const TRIES = 5;

/** Changes whenever any input of an undo changes. */
const VERSION = sql<string>`(SELECT ${rosterVersion.tag} FROM ${rosterVersion})
  || (SELECT '-' || count(*) || '-' || coalesce(max(${imports.id}), 0) FROM ${imports})`;

/**
 * Computes the roster from the remaining imports; corrections by hand stay and are listed. Returns 'none' if
 * there is no such import, 'changed' if the roster keeps changing meanwhile.
 */
export async function undoRosterImport(
  db: Database,
  by: Actor,
  id: number,
): Promise<RosterUndoResult | 'none' | 'changed'> {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await readImport(db, id);
    if (!found) return 'none';
    if (await storeUndo(db, by, id, found)) return { ...found.counts, ...found.told };
  }
  return 'changed';
}

/** What an undo would do. Stores at most a log row of this read. Undefined if there is no such import. */
export async function previewRosterUndo(
  db: Database,
  by: Actor,
  id: number,
): Promise<RosterUndoResult | undefined> {
  const found = await readImport(db, id);
  if (!found) return undefined;
  const named = namedIn(found.told);
  const detail = jsonObject({ count: toInt(named), filter: jsonObject(course) });
  const from = sql`FROM ${imports} WHERE ${imports.id} = ${id} AND ${named} > 0`;
  await db.commit([logPerRow(db, by, { action: 'read', subject: 'enrolment', detail }, from)]);
  return { ...found.counts, ...found.told };
}

type Told = Omit<RosterUndoResult, keyof RosterImportResult>;

/** How many people's names the response contains. */
const namedIn = (told: Told) =>
  new Set(
    Object.values(told)
      .flat()
      .map(({ id }) => id),
  ).size;

/** The import, and the result of its undo for each of its students. */
async function readImport(db: Database, id: number) {
  const [[found], rows, states] = await db.batch([
    db
      .select({ added, changed, unchanged, version: VERSION.as('version') })
      .from(imports)
      .where(eq(imports.id, id)),
    selectRows(db, id),
    selectStates(db, id),
  ]);
  if (!found) return undefined;
  const { version, ...counts } = found;
  const recorded = Map.groupBy(parsed(recordedRowSchema, rows), (row) => row.student_id);
  const told: Told = { kept: [], gone: [], altered: [], stays: [] };
  const replayed: ReplayedStudent[] = [];
  for (const now of parsed(rosterStateSchema, states)) {
    const theirs = recorded.get(now.id)?.some((row) => row.import_id === id) && recorded.get(now.id);
    if (theirs && now.student !== null) {
      const after = replayWithoutImport(id, theirs, now);
      replayed.push(after);
      const who = { id: now.id, name: String(now.student[0]) };
      if (after.student === null) told.gone.push(who);
      if (after.kept.length > 0) told.kept.push({ ...who, fields: after.kept });
      if (after.stays.length > 0) told.stays.push({ ...who, fields: after.stays });
      if (after.change) told.altered.push(after.change);
    } else if (now.student === null) told.kept.push({ id: now.id, name: null, fields: ['student'] });
  }
  return { version, counts, told, replayed };
}

const parsed = <Row>(schema: z.ZodType<Row>, parts: JsonPart[]): Row[] =>
  z.array(schema).parse(JSON.parse(`[${joinJsonParts(parts)}]`));

/** All recorded rows about the import's students; nothing is recorded about deleted students. */
function selectRows(db: Database, id: number) {
  const isSameCourse = sql`(${year}, ${semester}, ${subject})
    = (SELECT year, semester, subject FROM ${imports} WHERE id = ${id})`;
  const row = jsonObject({
    import_id,
    student_id,
    term: sql`${year} * 10 + ${semester}`,
    is_same_course: isSameCourse,
    student_before: sql`json(${importRows.student_before})`,
    student_after: sql`json(${importRows.student_after})`,
    student_listed: sql`json(${importRows.student_listed})`,
    student_shown: sql`json(${importRows.student_shown})`,
    enrolment_before: sql`json(${importRows.enrolment_before})`,
    enrolment_after: sql`json(${importRows.enrolment_after})`,
    last_import_before: importRows.last_import_before,
    last_term_before: importRows.last_term_before,
    corrected: sql`json(${importRows.corrected})`,
  } satisfies Record<keyof z.infer<typeof recordedRowSchema>, SQLWrapper>);
  const from = sql`FROM ${importRows} JOIN ${imports} ON ${imports.id} = ${import_id}
    WHERE ${student_id} IN (SELECT student_id FROM ${importRows} WHERE import_id = ${id})
      AND ${importRows.student_after} <> '[]'`;
  return statement<JsonPart>(db, jsonParts(row, from, sql`${student_id}, ${import_id}`));
}

/** The present state of the import's students. */
function selectStates(db: Database, id: number) {
  const others = alias(enrolments, 'others');
  const state = jsonObject({
    id: student_id,
    student: sql`json(iif(${students.id} IS NULL, NULL, ${jsonArrayOf(personColumns)}))`,
    enrolment: sql`json(iif(${enrolments.student_id} IS NULL, NULL, ${jsonArrayOf(enrolmentColumns)}))`,
    last_import: enrolments.last_import,
    last_term: students.last_term,
    has_picture: sql`EXISTS (SELECT 1 FROM ${pictures} WHERE ${pictures.student_id} = ${students.id})`,
    is_elsewhere: sql`EXISTS (SELECT 1 FROM ${enrolments} AS ${others} WHERE ${others.student_id} = ${students.id}
      AND (${others.year}, ${others.semester}, ${others.subject}) IS NOT (${year}, ${semester}, ${subject}))`,
  } satisfies Record<keyof z.infer<typeof rosterStateSchema>, SQLWrapper>);
  const from = sql`FROM ${importRows} JOIN ${imports} ON ${imports.id} = ${import_id}
    LEFT JOIN ${students} ON ${students.id} = ${student_id}
    LEFT JOIN ${enrolments} ON ${enrolments.student_id} = ${student_id} AND ${enrolments.year} = ${year}
      AND ${enrolments.semester} = ${semester} AND ${enrolments.subject} = ${subject}
    WHERE ${import_id} = ${id}`;
  return statement<JsonPart>(db, jsonParts(state, from, sql`${student_id}`));
}

/**
 * Stores the computed result, unless something has changed meanwhile. Only the log statement checks this. The
 * other statements look for its row: no other row in this batch refers to an import that still exists.
 */
async function storeUndo(
  db: Database,
  by: Actor,
  id: number,
  { version, replayed, told }: NonNullable<Awaited<ReturnType<typeof readImport>>>,
): Promise<boolean> {
  const now = Date.now();
  const undone = db
    .select({ id: sql`${accessLog.detail} ->> '$.undone.id'` })
    .from(accessLog)
    .where(and(gte(accessLog.at, now), eq(accessLog.action, 'change'), eq(accessLog.subject, 'enrolment')));
  const isUndone = and(eq(imports.id, id), inArray(imports.id, undone));
  const ofUndone = sql`FROM ${imports} WHERE ${isUndone}`;
  const isTold = sql`EXISTS (SELECT 1 ${ofUndone})`;
  const detail = jsonObject({
    undone: jsonObject({ id: imports.id, ...course, added, changed, removed }),
  });
  const named = namedIn(told);
  const namedDetail = jsonObject({ count: toInt(named), filter: jsonObject(course) });
  const [, , [stored]] = await db.commit([
    logPerRow(
      db,
      by,
      { action: 'change', subject: 'enrolment', detail },
      sql`FROM ${imports} WHERE ${imports.id} = ${id} AND ${VERSION} = ${version}`,
    ),
    logPerRow(
      db,
      by,
      { action: 'read', subject: 'enrolment', detail: namedDetail },
      sql`${ofUndone} AND ${named} > 0`,
    ),
    db.select({ id: imports.id }).from(imports).where(isUndone),
    ...replacingRoster(db, replayed, isTold, id),
    ...replacingRows(db, replayed, isTold),
    ...revokeUnprovenClaims(db, by, db.select({ at: imports.at }).from(imports).where(isUndone)),
    ...verifyProvenClaims(db, by, now),
    db.delete(imports).where(isUndone),
  ]);
  return stored !== undefined;
}

/** Writes the students and enrolments that the undo computed. */
function replacingRoster(db: Database, replayed: readonly ReplayedStudent[], isTold: SQL, id: number) {
  const from = (rows: unknown[]) => sql`FROM (SELECT value FROM ${jsonRows(rows)}) WHERE ${isTold}`;
  const staying = replayed.filter(({ student }) => student !== null);
  const going = replayed.filter(({ student }) => student === null);
  const cell = (of: string, at: number) => sql`value ->> ${sql.raw(`'$.${of}[${at}]'`)}`;
  const put = {
    no: cell('enrolment', 0),
    school_year: cell('enrolment', 1),
    type: cell('enrolment', 2),
    last_import: cell('enrolment', 3),
  };
  const theCourse = sql`(SELECT year, semester, subject FROM ${imports} WHERE id = ${id})`;
  const newest = sql`(SELECT max(${TERM_NUMBER}) FROM ${enrolments} WHERE ${enrolments.student_id} = ${students.id})`;
  return [
    statement(
      db,
      sql`UPDATE ${students} SET name = ${cell('student', 0)}, department = ${cell('student', 1)},
          tel = ${cell('student', 2)}, email = ${cell('student', 3)}
        ${from(staying.map((each) => ({ id: each.id, student: each.student })))} AND ${students.id} = value ->> 'id'`,
    ),
    statement(
      db,
      sql`${insertFrom(
        enrolments,
        {
          student_id: sql`value ->> 'id'`,
          year: sql`(SELECT year FROM ${imports} WHERE id = ${id})`,
          semester: sql`(SELECT semester FROM ${imports} WHERE id = ${id})`,
          subject: sql`(SELECT subject FROM ${imports} WHERE id = ${id})`,
          ...put,
        },
        from(staying.flatMap((each) => (each.enrolment ? [{ id: each.id, enrolment: each.enrolment }] : []))),
      )} ON CONFLICT DO UPDATE SET ${excludedColumns(Object.keys(put))}`,
    ),
    statement(
      db,
      sql`DELETE FROM ${enrolments} WHERE (year, semester, subject) = ${theCourse} AND student_id IN (
        SELECT value ->> 'id' ${from(replayed.flatMap((each) => (each.enrolment ? [] : [{ id: each.id }])))})`,
    ),
    statement(
      db,
      sql`DELETE FROM ${students} WHERE id IN (SELECT value ->> 'id' ${from(going.map((each) => ({ id: each.id })))})`,
    ),
    statement(
      db,
      sql`UPDATE ${students} SET last_term = coalesce(${newest}, value ->> 'last_term')
        ${from(staying.map((each) => ({ id: each.id, last_term: each.last_term })))} AND ${students.id} = value ->> 'id'`,
    ),
  ] as const;
}

/** Rewrites the remaining imports' rows as if the undone import had never happened. */
function replacingRows(db: Database, replayed: readonly ReplayedStudent[], isTold: SQL) {
  const rows = replayed.flatMap((each) => each.changed);
  const gone = replayed.flatMap(({ id, gone: ids }) => ids.map((import_of) => ({ id, import_of })));
  const value = (name: string) => sql`value ->> ${sql.raw(`'${name}'`)}`;
  return [
    statement(
      db,
      sql`UPDATE ${importRows} SET student_before = ${value('student_before')},
          student_after = ${value('student_after')}, enrolment_before = ${value('enrolment_before')},
          last_import_before = ${value('last_import_before')}, last_term_before = ${value('last_term_before')},
          corrected = ${value('corrected')}
        FROM (SELECT value FROM ${jsonRows(rows)}) WHERE ${isTold}
          AND ${importRows.import_id} = ${value('import_id')} AND ${importRows.student_id} = ${value('student_id')}`,
    ),
    statement(
      db,
      sql`DELETE FROM ${importRows} WHERE (student_id, import_id) IN (
        SELECT ${value('id')}, ${value('import_of')} FROM (SELECT value FROM ${jsonRows(gone)}) WHERE ${isTold})`,
    ),
  ] as const;
}
