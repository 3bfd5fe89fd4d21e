import type { RosterImport, RosterPreview } from '#contract/students';
import { statement, type Database } from '#db/client';
import { joined, jsonParts, type Part } from '#db/json';
import { enrolments, rosterVersion } from '#db/roster';
import { students } from '#db/schema';
import { jsonObject } from '#db/sql';
import { and, sql, type SQLWrapper } from 'drizzle-orm';
import { loggedEach } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';
import { compared, enrolment, person, valuesOf } from './compared-data.ts';
import { courseFilter, inCourse, selectRoster } from './data.ts';

/** What the import would do, as JSON text, determined by the comparison that the import itself uses. */
export async function previewRoster(db: Database, by: Actor, roster: RosterImport): Promise<string> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(roster.data.map(({ id }) => id))}))`;
  const enrolled = db.select({ id: enrolments.student_id }).from(enrolments).where(inCourse(roster));
  const detail = jsonObject({ count: sql`count(*)`, filter: courseFilter(roster) });
  const [, rows, missing, [version]] = await db.batch([
    loggedEach(
      db,
      by,
      { action: 'read', subject: 'enrolment', detail },
      sql`FROM ${students} WHERE ${students.id} IN ${ids} OR ${students.id} IN ${enrolled}`,
    ),
    statement<Part>(db, sql`${compared(roster)} ${jsonParts(ROW, sql`FROM compared`, IN_ORDER)}`),
    selectRoster(db, and(inCourse(roster), sql`${enrolments.student_id} NOT IN ${ids}`)),
    db.select({ version: rosterVersion.tag }).from(rosterVersion),
  ]);
  if (!version) throw new Error('the roster has no version');
  return `{"rows":[${joined(rows)}],"missing":[${joined(missing)}],"version":${JSON.stringify(version.version)}}`;
}

const objectOf = (array: string, names: Record<string, unknown>) =>
  sql`json(iif(${sql.identifier(array)} IS NULL, NULL, ${jsonObject(valuesOf(sql.identifier(array), names))}))`;

/** Materialised rows keep the order of the paste. */
const IN_ORDER = sql`NULL`;

const ROW = jsonObject({
  id: sql`id`,
  before: objectOf('student_before', person),
  after: objectOf('student_after', person),
  enrolment: objectOf('enrolment_before', enrolment),
  newer: sql`json(iif(newer_term IS NULL, NULL, json_object('year', newer_term / 10, 'semester', newer_term % 10)))`,
} satisfies Record<keyof RosterPreview['rows'][number], SQLWrapper>);
