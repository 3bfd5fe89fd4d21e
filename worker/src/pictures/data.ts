import { type PictureType, findPictureOwner, type UploadResult } from '#contract/pictures';
import { statement, type Database } from '#db/client';
import { pictures, students } from '#db/roster';
import { excludedColumns, insertFrom, jsonObject } from '#db/sql';
import { eq, sql } from 'drizzle-orm';
import { logPerRow } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import { removeOrphanFiles } from '../lib/orphan-files.ts';
import { type Picture, parsePicture } from '../lib/images/image.ts';

const PREFIX = 'pictures/';
/** Maximum number of keys that R2 deletes at once. */
const DELETED_AT_ONCE = 1000;

/** Identifies the object of a record in R2. An object with such a key is never overwritten. */
export type PictureKey = { student_id: string; etag: string };

/** Tags without a dash are from an earlier version, which had one key per student. */
const isOwnKey = (etag: string) => etag.includes('-');
const keyOf = ({ student_id, etag }: PictureKey) =>
  PREFIX + (isOwnKey(etag) ? `${student_id}/${etag}` : student_id);

/** The columns that `removePictures` needs when records are deleted. */
export const pictureKeyColumns = { student_id: pictures.student_id, etag: pictures.etag };

export async function listRosterIds(db: Database): Promise<Set<string>> {
  const rows = await db.select({ id: students.id }).from(students);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Replaces the student's picture. The new file gets its own key before the record is switched, and the old
 * file is deleted only afterwards, so that a failed change keeps the old picture. The nightly task removes
 * files without a record. @returns false if the student is no longer in the roster
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
  const own = { student_id: studentId, etag: crypto.randomUUID() };
  await files.put(keyOf(own), bytes, { httpMetadata: { contentType: type } });
  const { etag } = own;
  const record = { content_type: type, size: bytes.length, etag, width, height, uploaded_at: Date.now() };
  const [, before, recorded] = await db.commit([
    logPerRow(db, by, row, ofStudent),
    db.select(pictureKeyColumns).from(pictures).where(eq(pictures.student_id, studentId)),
    statement<{ student_id: string }>(
      db,
      sql`${insertFrom(pictures, { student_id: students.id, ...record }, ofStudent)}
        ON CONFLICT DO UPDATE SET ${excludedColumns(Object.keys(record))} RETURNING student_id`,
    ),
  ]);
  const isRecorded = recorded.length === 1;
  await removePictures(files, isRecorded ? before : [own]);
  return isRecorded;
}

type PictureRecord = { type: PictureType; etag: string };

/** The record of the student's picture, logging the access; undefined if there is none. */
export async function readPictureRecord(
  db: Database,
  by: Actor,
  studentId: string,
): Promise<PictureRecord | undefined> {
  const isTheirs = eq(pictures.student_id, studentId);
  const row = { action: 'read', subject: 'picture', subject_id: pictures.student_id, detail: '{}' } as const;
  const [, [found]] = await db.commit([
    logPerRow(db, by, row, sql`FROM ${pictures} WHERE ${isTheirs}`),
    db.select({ type: pictures.content_type, etag: pictures.etag }).from(pictures).where(isTheirs),
  ]);
  return found;
}

export async function readPicture(files: R2Bucket, key: PictureKey): Promise<R2ObjectBody | null> {
  return await files.get(keyOf(key));
}

/**
 * Copies the file of a student's picture to a key with the student's new number; the record stays unchanged.
 * Returns undefined if there is no picture.
 */
export async function copyPicture(
  db: Database,
  files: R2Bucket,
  studentId: string,
  number: string,
): Promise<{ from: PictureKey; to: PictureKey } | undefined> {
  const [from] = await db.select(pictureKeyColumns).from(pictures).where(eq(pictures.student_id, studentId));
  if (!from) return undefined;
  const to = { student_id: number, etag: crypto.randomUUID() };
  const object = await readPicture(files, from);
  if (object)
    await files.put(keyOf(to), await object.arrayBuffer(), { httpMetadata: object.httpMetadata ?? {} });
  return { from, to };
}

/** Removes pictures whose records have been deleted or replaced. */
export async function removePictures(files: R2Bucket, gone: PictureKey[]): Promise<void> {
  for (let from = 0; from < gone.length; from += DELETED_AT_ONCE)
    await files.delete(gone.slice(from, from + DELETED_AT_ONCE).map(keyOf));
}

export function removeOrphanPictures(db: Database, files: R2Bucket): Promise<number> {
  return removeOrphanFiles(files, PREFIX, async (ids) => {
    const orphans = await statement<{ id: string }>(
      db,
      sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)})
        WHERE value NOT IN (SELECT ${pictures.student_id} || iif(instr(${pictures.etag}, '-'), '/' || ${pictures.etag}, '')
          FROM ${pictures})`,
    );
    return orphans.map(({ id }) => id);
  });
}

type Outcome = { name: string } & ({ studentId: string } | { reason: string; isImage: boolean });

/** Stores files that are pictures of exactly one student, one by one, so at most two are in memory. */
export async function storeImages(
  db: Database,
  files: R2Bucket,
  by: Actor,
  images: File[],
): Promise<UploadResult & { isAnyImage: boolean }> {
  const roster = await listRosterIds(db);
  const outcomes: Outcome[] = [];
  const taken = new Set<string>();
  // In reverse order, because the last of a student's pictures is stored and the others are rejected.
  for (const image of images.toReversed()) {
    const { name } = image;
    const picture = parsePicture(await image.bytes());
    if ('reason' in picture) {
      outcomes.push({ name, ...picture });
      continue;
    }
    const owner = ownerOf(name, roster);
    if (owner.studentId === undefined) outcomes.push({ name, reason: owner.reason, isImage: true });
    else if (taken.has(owner.studentId))
      outcomes.push({ name, reason: '같은 학생의 다른 파일을 저장합니다', isImage: true });
    else if (await storePicture(db, files, by, owner.studentId, picture)) {
      taken.add(owner.studentId);
      outcomes.push({ name, studentId: owner.studentId });
    } else outcomes.push({ name, reason: '명단에 없는 학생입니다', isImage: true });
  }
  const inOrder = outcomes.toReversed();
  return {
    stored: inOrder.flatMap((each) =>
      'studentId' in each ? [{ name: each.name, studentId: each.studentId }] : [],
    ),
    rejected: inOrder.flatMap((each) => ('reason' in each ? [{ name: each.name, reason: each.reason }] : [])),
    isAnyImage: outcomes.some((each) => 'studentId' in each || each.isImage),
  };
}

type Owner = { studentId: string } | { studentId?: never; reason: string };

function ownerOf(name: string, roster: ReadonlySet<string>): Owner {
  if (/[/\\\0]/.test(name)) return { reason: '파일 이름에 폴더 이름이 들어 있습니다' };
  const owner = findPictureOwner(name, roster);
  if (owner.kind === 'one') return owner;
  if (owner.kind === 'several') return { reason: '파일 이름에 학번이 둘 이상 있습니다' };
  if (owner.kind === 'none') return { reason: '파일 이름에 명단의 학번이 없습니다' };
  return {
    reason: `파일 이름의 숫자가 찍은 날짜나 시각일 수 있습니다: ${owner.studentId}. 학번만 남기고 이름을 바꾸세요`,
  };
}
