import type { PictureType } from '#contract/pictures';
import type { Database } from '#db/client';
import { loggedBy } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';
import { removeOrphanFiles } from '../lib/orphan-files.ts';
import type { Picture } from '../lib/images/image.ts';

const PREFIX = 'pictures/';
const keyOf = (studentId: string) => PREFIX + studentId;
/** Most keys that R2 deletes at once. */
const DELETED_AT_ONCE = 1000;

/** Every student number of the roster. */
export async function rosterIds({ $client }: Database): Promise<Set<string>> {
  const rows = await $client.prepare('SELECT id FROM students').raw<[string]>();
  return new Set(rows.map(([id]) => id));
}

/**
 * Puts the picture in place of the student's former one. Only an object whose ETag stands in the record is anybody's,
 * so nothing is shown that was stored half.
 * @returns false when the student is not on the roster any more
 */
export async function storePicture(
  db: Database,
  files: R2Bucket,
  by: Actor,
  studentId: string,
  { type, width, height, bytes }: Picture,
): Promise<boolean> {
  const object = await files.put(keyOf(studentId), bytes, { httpMetadata: { contentType: type } });
  const [, recorded] = await db.$client.batch([
    loggedBy(
      db,
      by,
      { action: 'create', subject: 'picture' },
      `SELECT id AS subject_id, json_object('replaced', json(iif(
                EXISTS (SELECT 1 FROM pictures WHERE student_id = id), 'true', 'false'))) AS detail
       FROM students WHERE id = ?6`,
      studentId,
    ),
    db.$client
      .prepare(
        `INSERT INTO pictures (student_id, content_type, size, etag, width, height, uploaded_at)
         SELECT id, ?2, ?3, ?4, ?5, ?6, ?7 FROM students WHERE id = ?1
         ON CONFLICT (student_id) DO UPDATE SET
           content_type = excluded.content_type, size = excluded.size, etag = excluded.etag,
           width = excluded.width, height = excluded.height, uploaded_at = excluded.uploaded_at
         RETURNING student_id`,
      )
      .bind(studentId, type, bytes.length, object.etag, width, height, Date.now()),
  ]);
  if (recorded?.results.length === 1) return true;
  await files.delete(keyOf(studentId));
  return false;
}

export type PictureRecord = { type: PictureType; etag: string };

/** The record of the student's picture, and a row of the log that it was read; undefined when there is none. */
export async function readRecord(
  db: Database,
  by: Actor,
  studentId: string,
): Promise<PictureRecord | undefined> {
  const [, found] = await db.$client.batch<PictureRecord>([
    loggedBy(
      db,
      by,
      { action: 'read', subject: 'picture' },
      "SELECT student_id AS subject_id, '{}' AS detail FROM pictures WHERE student_id = ?6",
      studentId,
    ),
    db.$client
      .prepare('SELECT content_type AS type, etag FROM pictures WHERE student_id = ?')
      .bind(studentId),
  ]);
  return found?.results[0];
}

/** The object that the record means; undefined when R2 holds another one, or none. */
export async function readPicture(
  files: R2Bucket,
  studentId: string,
  etag: string,
): Promise<R2ObjectBody | undefined> {
  const object = await files.get(keyOf(studentId), { onlyIf: { etagMatches: etag } });
  return object && 'body' in object ? object : undefined;
}

/** Removes the pictures of students whose records are gone. */
export async function removePictures(files: R2Bucket, studentIds: string[]): Promise<void> {
  for (let from = 0; from < studentIds.length; from += DELETED_AT_ONCE)
    await files.delete(studentIds.slice(from, from + DELETED_AT_ONCE).map(keyOf));
}

/** Removes the files that no record knows. */
export function removeOrphans({ $client }: Database, files: R2Bucket): Promise<number> {
  return removeOrphanFiles(files, PREFIX, async (ids) => {
    const { results } = await $client
      .prepare('SELECT value AS id FROM json_each(?) WHERE value NOT IN (SELECT student_id FROM pictures)')
      .bind(JSON.stringify(ids))
      .all<{ id: string }>();
    return results.map(({ id }) => id);
  });
}
