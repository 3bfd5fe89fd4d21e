import type { PictureType } from '#contract/pictures';
import { statement, type Database } from '#db/client';
import { pictures } from '#db/roster';
import { students } from '#db/schema';
import { asExcluded, insertFrom, jsonObject } from '#db/sql';
import { eq, sql } from 'drizzle-orm';
import { loggedEach } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { removeOrphanFiles } from '../lib/orphan-files.ts';
import type { Picture } from '../lib/images/image.ts';

const PREFIX = 'pictures/';
const keyOf = (studentId: string) => PREFIX + studentId;
/** Maximum number of keys that R2 deletes at once. */
const DELETED_AT_ONCE = 1000;

export async function rosterIds(db: Database): Promise<Set<string>> {
  const rows = await db.select({ id: students.id }).from(students);
  return new Set(rows.map(({ id }) => id));
}

/** How often of two uploads at once each may mend what the other has left. */
const TRIES = 5;

/**
 * Replaces the student's picture. An object is used only if its ETag matches the record, so a half-finished upload is
 * never shown. Of two uploads at once one may write the object last and the other the record: whoever writes last sees
 * that both belong together.
 * @returns false when the student is no longer in the roster
 */
export async function storePicture(
  db: Database,
  files: R2Bucket,
  by: Actor,
  studentId: string,
  { type, width, height, bytes }: Picture,
): Promise<boolean> {
  const ofStudent = sql`FROM ${students} WHERE ${eq(students.id, studentId)}`;
  const had = db.$count(pictures, eq(pictures.student_id, students.id));
  const detail = jsonObject({ replaced: sql`json(iif(${had}, 'true', 'false'))` });
  const row = { action: 'create', subject: 'picture', subject_id: students.id, detail } as const;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const { etag } = await files.put(keyOf(studentId), bytes, { httpMetadata: { contentType: type } });
    const record = { content_type: type, size: bytes.length, etag, width, height, uploaded_at: Date.now() };
    const insert = statement<{ student_id: string }>(
      db,
      sql`${insertFrom(pictures, { student_id: students.id, ...record }, ofStudent)}
        ON CONFLICT DO UPDATE SET ${asExcluded(Object.keys(record))} RETURNING student_id`,
    );
    const recorded =
      attempt === 1
        ? (await db.commit([loggedEach(db, by, row, ofStudent), insert]))[1]
        : (await db.commit([insert]))[0];
    if (recorded.length === 0) {
      await files.delete(keyOf(studentId));
      return false;
    }
    if (await isWhole(db, files, studentId)) return true;
  }
  throw new Error('the picture and its record are written over again and again');
}

async function isWhole(db: Database, files: R2Bucket, studentId: string): Promise<boolean> {
  const [found] = await db
    .select({ etag: pictures.etag })
    .from(pictures)
    .where(eq(pictures.student_id, studentId));
  return found === undefined || found.etag === (await files.head(keyOf(studentId)))?.etag;
}

type PictureRecord = { type: PictureType; etag: string };

/** The record of the student's picture, logging the access; undefined when there is none. */
export async function readRecord(
  db: Database,
  by: Actor,
  studentId: string,
): Promise<PictureRecord | undefined> {
  const isTheirs = eq(pictures.student_id, studentId);
  const row = { action: 'read', subject: 'picture', subject_id: pictures.student_id, detail: '{}' } as const;
  const [, [found]] = await db.commit([
    loggedEach(db, by, row, sql`FROM ${pictures} WHERE ${isTheirs}`),
    db.select({ type: pictures.content_type, etag: pictures.etag }).from(pictures).where(isTheirs),
  ]);
  return found;
}

/** The object that the record refers to; undefined when R2 holds a different one, or none. */
export async function readPicture(
  files: R2Bucket,
  studentId: string,
  etag: string,
): Promise<R2ObjectBody | undefined> {
  const object = await files.get(keyOf(studentId), { onlyIf: { etagMatches: etag } });
  return object && 'body' in object ? object : undefined;
}

/** Removes pictures of students whose records have been deleted. */
export async function removePictures(files: R2Bucket, studentIds: string[]): Promise<void> {
  for (let from = 0; from < studentIds.length; from += DELETED_AT_ONCE)
    await files.delete(studentIds.slice(from, from + DELETED_AT_ONCE).map(keyOf));
}

/** Removes files that have no record. */
export function removeOrphans(db: Database, files: R2Bucket): Promise<number> {
  return removeOrphanFiles(files, PREFIX, async (ids) => {
    const orphans = await statement<{ id: string }>(
      db,
      sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)})
        WHERE value NOT IN (SELECT ${pictures.student_id} FROM ${pictures})`,
    );
    return orphans.map(({ id }) => id);
  });
}
