import type { UndoHindrance } from '#contract/students';
import type { Database } from '#db/client';
import { enrolments, importRows, imports, pictures } from '#db/roster';
import { students } from '#db/schema';
import { jsonObject } from '#db/sql';
import { and, eq, exists, isNull, ne, notExists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { loggedEach } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { arrayOf, enrolment, person } from './compared-data.ts';

const { year, semester, subject } = imports;
const { student_id, student_before, student_after, enrolment_after } = importRows;
const others = alias(enrolments, 'others');
export const isPersonChanged = sql`${student_before} IS NOT ${student_after}`;
const personNow = sql<string | null>`iif(${students.id} IS NULL, NULL, ${arrayOf(person)})`;
const enrolmentNow = sql<string | null>`iif(${enrolments.student_id} IS NULL, NULL, ${arrayOf(enrolment)})`;

/** Rows of the import of which something has been changed since. */
export function selectChangedSince(db: Database, id: number) {
  const isOfCourse = and(
    eq(enrolments.year, year),
    eq(enrolments.semester, semester),
    eq(enrolments.subject, subject),
  );
  const picture = db
    .select({ id: pictures.student_id })
    .from(pictures)
    .where(eq(pictures.student_id, students.id));
  const elsewhere = db
    .select({ id: others.student_id })
    .from(others)
    .where(
      sql`${others.student_id} = ${students.id} AND (${others.year}, ${others.semester}, ${others.subject})
        IS NOT (${year}, ${semester}, ${subject})`,
    );
  return db
    .select({
      id: student_id,
      name: students.name,
      isPersonChanged: sql<0 | 1>`${isPersonChanged}`.as('is_person_changed'),
      made: sql<string>`${student_after}`.as('made'),
      now: personNow.as('now'),
      enrolled: sql<string | null>`${enrolment_after}`.as('enrolled'),
      enrolledNow: enrolmentNow.as('enrolled_now'),
    })
    .from(importRows)
    .innerJoin(imports, eq(imports.id, importRows.import_id))
    .leftJoin(students, eq(students.id, student_id))
    .leftJoin(enrolments, and(eq(enrolments.student_id, student_id), isOfCourse))
    .where(
      and(
        eq(imports.id, id),
        or(
          isNull(students.id),
          and(isPersonChanged, ne(arrayOf(person), student_after)),
          sql`${enrolmentNow} IS NOT ${enrolment_after}`,
          // Who stays for another class keeps the picture.
          and(isNull(student_before), exists(picture), notExists(elsewhere)),
        ),
      ),
    );
}

/** Whose rows keep an import from being undone, and what of them; logs the access. */
export async function listHindrances(db: Database, by: Actor, id: number): Promise<UndoHindrance[]> {
  const changed = selectChangedSince(db, id).as('changed');
  const filter = jsonObject({ year, semester, subject });
  const detail = jsonObject({ count: sql`(SELECT count(*) FROM ${changed})`, filter });
  const [rows] = await db.commit([
    db.select().from(changed).orderBy(changed.id),
    loggedEach(
      db,
      by,
      { action: 'read', subject: 'enrolment', detail },
      sql`FROM ${imports} WHERE ${imports.id} = ${id}`,
    ),
  ]);
  return rows.map((row) => {
    if (row.now === null) return { id: row.id, name: null, fields: ['student'] };
    const fields = [
      ...(row.isPersonChanged ? differing(Object.keys(person), row.made, row.now) : []),
      ...(row.enrolled === null || row.enrolledNow === null
        ? row.enrolled === row.enrolledNow
          ? []
          : ['enrolment']
        : differing(Object.keys(enrolment), row.enrolled, row.enrolledNow)),
    ];
    return { id: row.id, name: row.name, fields: fields.length > 0 ? fields : ['picture'] };
  });
}

/** Names of the values in which two such arrays differ. */
function differing(names: string[], a: string, b: string): string[] {
  const [before, after] = [a, b].map((json) => z.array(z.unknown()).parse(JSON.parse(json)));
  return names.filter((_, at) => before?.[at] !== after?.[at]);
}
