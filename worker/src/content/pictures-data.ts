import { contentDraft, contentVersions } from '#db/content';
import { statement, type Database } from '#db/client';
import { sql } from 'drizzle-orm';
import { logAction } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';
import type { Picture } from '../lib/images/image.ts';
import { removeOrphanFiles } from '../lib/orphan-files.ts';

const PREFIX = 'content/';
const ENDINGS = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' } as const;

/**
 * Stores a photograph of the public pages under a random key, so that nobody can guess it before publication.
 * @param pictures one photograph in several widths
 * @returns the name by which the content refers to the photograph
 */
export async function storePhotograph(
  db: Database,
  files: R2Bucket,
  by: Actor,
  pictures: Picture[],
): Promise<string> {
  const id = crypto.getRandomValues(new Uint8Array(8)).toHex();
  const widest = pictures.reduce((a, b) => (b.width > a.width ? b : a));
  for (const { width, type, bytes } of pictures)
    await files.put(`${PREFIX}${id}/${width}`, bytes, { httpMetadata: { contentType: type } });
  await db.commit([logAction(db, by, { action: 'create', subject: 'content', subject_id: id })]);
  return `${id}-${widest.width}x${widest.height}.${ENDINGS[widest.type]}`;
}

/** The photograph in this width, or in the next available one; undefined if there is none. */
export async function readPhotograph(
  files: R2Bucket,
  id: string,
  width: number,
): Promise<R2ObjectBody | undefined> {
  const exact = await files.get(`${PREFIX}${id}/${width}`);
  if (exact) return exact;
  const { objects } = await files.list({ prefix: `${PREFIX}${id}/` });
  const widths = objects.map(({ key }) => Number(key.split('/').at(-1))).sort((a, b) => a - b);
  const next = widths.find((each) => each >= width) ?? widths.at(-1);
  return next === undefined ? undefined : ((await files.get(`${PREFIX}${id}/${next}`)) ?? undefined);
}

export async function isPhotographPublished(db: Database, id: string): Promise<boolean> {
  const [found] = await statement<{ is_shown: number }>(
    db,
    sql`SELECT instr(content, ${id}) > 0 AS is_shown FROM ${contentVersions} ORDER BY id DESC LIMIT 1`,
  );
  return found?.is_shown === 1;
}

/** Removes photographs that are neither in the draft nor in any stored version. */
export function removeOrphanPhotographs(db: Database, files: R2Bucket): Promise<number> {
  return removeOrphanFiles(files, PREFIX, async (keys) => {
    const orphans = await statement<{ key: string }>(
      db,
      sql`SELECT value AS key FROM json_each(${JSON.stringify(keys)}) AS keys WHERE NOT EXISTS (
        SELECT 1 FROM (SELECT content FROM ${contentDraft} UNION ALL SELECT content FROM ${contentVersions})
        WHERE instr(content, substr(keys.value, 1, 16)) > 0)`,
    );
    return orphans.map(({ key }) => key);
  });
}
