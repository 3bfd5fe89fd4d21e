import type { LogSubject } from '#contract/access-log';
import { normalizeText } from '#contract/printable-text';
import { statement, type Database, type Statement } from '#db/client';
import { jsonRows } from '#db/json';
import { dues, ledgerEntries } from '#db/ledger';
import { plants } from '#db/plants';
import { enrolments, importRows, imports, replacedSubjects, students, subjects } from '#db/roster';
import { courses } from '#db/courses';
import { users } from '#db/users';
import { jsonObject, deletedRowLogDetail } from '#db/sql';
import { receivers } from '#db/watch';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { logPerRow } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';

/*
 * Normalizes texts that version 0.1 stored, as `normalizeText` does for every new text. SQLite cannot compose
 * Unicode, so a task does it. A night without such texts only reads, so no mark of completion is needed: the
 * next run finishes a killed run, and texts that 0.1 stores after a rollback are found too. Texts that must
 * not change keep their spelling: the log, its reviews, and the history of the account.
 */

type Text = {
  column: SQLiteColumn;
  clean: (text: string) => string;
  /** Rows that become duplicates once their texts are equal. */
  doubles?: Doubles;
  /** A statement to run before the new spelling is written. */
  before?: (pairs: SQL) => SQL;
  /** Written instead of the new spelling alone. */
  spelled?: SQL;
};
type Doubles = {
  key: SQLiteColumn[];
  /** Which rows are compared; other rows of the table are no duplicates. */
  among?: SQL;
  /** Rows with the same text are duplicates only if these values are equal too. */
  within: SQLiteColumn[];
  /** The first row in this order stays. */
  order: SQL;
  /** Which of the other rows are deleted; absent if all are deleted. */
  going?: SQL;
  log?: { subject: LogSubject; subject_id?: SQLiteColumn; detail: SQL };
};

/** Replaces a name without any visible character. */
const NAMELESS = '(이름 없음)';
const cleanName = (text: string) => normalizeText(text) || NAMELESS;
/** Cleans a JSON array of a person's or enrolment's cells; a person's name is the first cell. */
const cleanCells = (json: string) =>
  JSON.stringify(
    JSON.parse(json, (at, cell: unknown) =>
      typeof cell === 'string' ? (at === '0' ? cleanName : normalizeText)(cell) : cell,
    ),
  );

/**
 * Two imports into two spellings of a class become two imports into one class: the second finds what the
 * first left. An undo replays them in this way (worker/src/students/roster-replay.ts).
 */
const joinImports = (pairs: SQL) => sql`
  UPDATE ${importRows} SET enrolment_before = step.enrolment_left, last_import_before = step.left_by
  FROM (
    SELECT import_id, student_id, ${imports.subject} AS subject, lag(${imports.subject}) OVER class AS subject_before,
      lag(enrolment_after) OVER class AS enrolment_left,
      lag(iif(enrolment_after IS NULL, NULL, import_id)) OVER class AS left_by
    FROM ${importRows} JOIN ${imports} ON ${imports.id} = import_id LEFT JOIN ${pairs} ON old = ${imports.subject}
    WINDOW class AS (PARTITION BY student_id, year, semester, coalesce(new, ${imports.subject}) ORDER BY import_id)
  ) AS step
  WHERE ${importRows.import_id} = step.import_id AND ${importRows.student_id} = step.student_id
    AND step.subject <> step.subject_before`;

const texts = (clean: Text['clean'], ...columns: SQLiteColumn[]): Text[] =>
  columns.map((column) => ({ column, clean }));

/** The id of a subject. Of several rows with one id, the row with the most data stays. */
const numberOf = (id: SQLiteColumn, ...within: SQLiteColumn[]): Text => ({
  column: id,
  clean: cleanName,
  doubles: {
    key: [...within, id],
    within,
    order: sql`length(name || type || prof || time || classroom || etc) DESC`,
  },
});

const { student_id, year, semester, subject, no, school_year, type } = enrolments;
const { subject_en, target, target_etc, target_etc_en } = courses;
const { student_before, student_after, student_listed, student_shown, corrected } = importRows;

/** Every text of DB that users entered. Texts that identify rows come last, when the others are clean. */
export const NORMALIZED_COLUMNS: readonly Text[] = [
  ...texts(cleanName, students.name, users.name, receivers.name, subject_en),
  ...texts(normalizeText, students.department, students.tel, students.email, type),
  ...texts(normalizeText, target_etc, target_etc_en, ledgerEntries.description, ledgerEntries.category),
  ...texts(cleanCells, student_before, student_after, student_listed, student_shown, corrected),
  ...texts(cleanCells, importRows.enrolment_before, importRows.enrolment_after),
  ...texts(cleanName, subjects.name, replacedSubjects.name),
  ...[subjects, replacedSubjects].flatMap((of) =>
    texts(normalizeText, of.type, of.prof, of.time, of.classroom, of.etc),
  ),
  numberOf(subjects.id, subjects.department, subjects.year, subjects.semester),
  numberOf(replacedSubjects.id, replacedSubjects.import_id),
  {
    column: courses.subject,
    clean: cleanName,
    doubles: {
      key: [courses.id],
      within: [courses.year, courses.semester, subject_en, target, target_etc, target_etc_en],
      order: sql`id`,
    },
  },
  {
    column: dues.name,
    clean: cleanName,
    doubles: {
      key: [dues.id],
      among: sql`user_id IS NULL AND user_deleted_at IS NULL`,
      within: [dues.year, dues.semester],
      order: sql`entry_id IS NULL, id`,
      going: sql`entry_id IS NULL`,
      log: {
        subject: 'due',
        detail: jsonObject({
          filter: jsonObject({ year: dues.year, semester: dues.semester }),
          due: dues.id,
        }),
      },
    },
  },
  { column: imports.subject, clean: cleanName, before: joinImports },
  {
    column: subject,
    clean: cleanName,
    doubles: {
      key: [student_id, year, semester, subject],
      within: [student_id, year, semester],
      order: sql`last_import DESC, length(type) DESC`,
      log: {
        subject: 'enrolment',
        subject_id: student_id,
        detail: deletedRowLogDetail(
          { no, year: school_year, type },
          { filter: jsonObject({ year, semester, subject }) },
        ),
      },
    },
  },
];

/** Like the list for DB. Two plants stay two: the second gets `#` and a number, as no chosen name has. */
export const NORMALIZED_PLANT_COLUMNS: readonly Text[] = [
  {
    column: plants.name,
    clean: cleanName,
    spelled: sql`iif(EXISTS (SELECT 1 FROM ${plants} AS other WHERE other.id <> ${plants.id}
      AND pair.new IN (other.name, other.topic)), substr(pair.new, 1, 56) || ' #' || ${plants.id}, pair.new)`,
  },
];

/** How many texts are written at once; as JSON they fit into D1's limit. */
const AT_ONCE = 500;

/** @returns how many texts were changed, and how many rows were removed as duplicates */
export async function normalizeTexts(
  db: Database,
  by: Actor,
  texts: readonly Text[],
): Promise<{ spelled: number; merged: number }> {
  const count = { spelled: 0, merged: 0 };
  const [first, ...more] = texts.map(({ column }) => statement<{ old: string }>(db, candidates(column)));
  const found = first === undefined ? [] : await db.batch([first, ...more]);
  for (const [place, text] of texts.entries()) {
    const pairs = (found[place] ?? [])
      .map(({ old }) => [old, text.clean(old)])
      .filter(([old, clean]) => clean !== old);
    const step = text.spelled ? 1 : AT_ONCE;
    for (let at = 0; at < pairs.length; at += step)
      for (const { done } of await respell(db, by, text, pairs.slice(at, at + step))) count[done] += 1;
  }
  return count;
}

/** Values with characters other than ASCII and composed Hangul, or with a space at an end, also in JSON. */
const candidates = (text: SQLiteColumn) => sql`SELECT DISTINCT ${text} AS old FROM ${text.table}
  WHERE ${text} GLOB '*[^ -~가-힣]*' OR ${text} GLOB ' *' OR ${text} GLOB '* '
    OR ${text} GLOB '*" *' OR ${text} GLOB '* "*'`;

type Done = { done: 'spelled' | 'merged' };

async function respell(db: Database, by: Actor, text: Text, rows: string[][]): Promise<Done[]> {
  const { column, doubles, before: preparing, spelled = sql`pair.new` } = text;
  const pairs = sql`(SELECT value ->> 0 AS old, value ->> 1 AS new FROM ${jsonRows(rows)}) AS pair`;
  const going = doubles && sql`FROM ${column.table} WHERE ${isDouble(column, doubles, pairs)}`;
  const statements: Statement<Done>[] = [];
  if (going && doubles.log) statements.push(logPerRow(db, by, { action: 'delete', ...doubles.log }, going));
  if (going) statements.push(statement(db, sql`DELETE ${going} RETURNING 'merged' AS done`));
  if (preparing) statements.push(statement(db, preparing(pairs)));
  const writing = sql`UPDATE ${column.table} SET ${sql.identifier(column.name)} = ${spelled}
    FROM ${pairs} WHERE ${column} = pair.old RETURNING 'spelled' AS done`;
  const [first, ...more] = [...statements, statement<Done>(db, writing)];
  return first === undefined ? [] : (await db.commit([first, ...more])).flat();
}

function isDouble(column: SQLiteColumn, of: Doubles, pairs: SQL): SQL {
  const { key, within, among = sql`true`, order, going = sql`true` } = of;
  const list = (columns: SQLWrapper[]) => sql.join(columns, sql`, `);
  const clean = sql`coalesce(pair.new, ${column})`;
  return sql`(${list(key)}) IN (
    SELECT ${list(key.map(({ name }) => sql.identifier(name)))} FROM (
      SELECT ${list(key)}, ${going} AS goes, row_number() OVER (PARTITION BY ${list([...within, clean])} ORDER BY ${order}) AS place
      FROM ${column.table} LEFT JOIN ${pairs} ON pair.old = ${column}
      WHERE ${among} AND ${clean} IN (SELECT pair.new FROM ${pairs}))
    WHERE place > 1 AND goes)`;
}
